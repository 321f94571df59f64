"""`make run`: coop on the pretend agent, and where to look."""

import json
import os
import shutil
import signal
import subprocess
import sys
from importlib.resources import files
from types import FrameType

BANNER = """\

  coop is running a pretend agent. In another terminal:

    see it        {get}{url}/api/v1/screen/text{end}
    type to it    {post_before}{url}/api/v1/input{post_after}
    its state     {get}{url}/api/v1/agent/state{end}
    sit at it     {coop} attach {session}
    all of it     {url}/openapi.json

  Ctrl-C ends it.
"""
CURL = {"get": "curl -s ", "end": "", "post_before": "curl -s ", "post_after": """ -d '{"text":"hello","enter":true}'"""}
PYTHON = {
    "get": "python3 -c 'import urllib.request as u; print(u.urlopen(\"",
    "end": "\").read().decode())'",
    "post_before": "python3 -c 'import urllib.request as u; print(u.urlopen(\"",
    "post_after": """", b"{\\"text\\":\\"hello\\",\\"enter\\":true}").read().decode())'""",
}


def main() -> int:
    config = files("coop_sim") / "agent.toml"
    command = [
        sys.executable,
        "-m",
        "coop.cli.main",
        "--port",
        "0",
        "--agent-config",
        str(config),
        "--cols",
        "100",
        "--rows",
        "30",
    ]
    coop = subprocess.Popen([*command, "--", sys.executable, "-m", "coop_sim"], stderr=subprocess.PIPE, text=True)

    def stop(_number: int, _frame: FrameType | None) -> None:
        coop.terminate()

    signal.signal(signal.SIGTERM, stop)
    try:
        return _follow(coop)
    except KeyboardInterrupt:  # coop has had it too: it is in the same group
        return _interrupted(coop)


def _follow(coop: "subprocess.Popen[str]") -> int:
    assert coop.stderr is not None
    for line in coop.stderr:
        where = _where(line)
        if where is None:
            print(line, end="", file=sys.stderr)
        else:
            print(BANNER.format(coop=_program(), **where, **(CURL if shutil.which("curl") else PYTHON)), flush=True)
    return coop.wait()


def _where(line: str) -> dict[str, str] | None:
    """Where coop listens, when this line of its log says so."""
    entry: dict[str, str] = json.loads(line) if line.startswith("{") else {}
    return {key: entry[key] for key in ("url", "session")} if entry.get("event") == "listening" else None


def _program() -> str:
    """As somebody would call it here."""
    return os.path.relpath(os.path.join(os.path.dirname(sys.executable), "coop"))


def _interrupted(coop: "subprocess.Popen[str]") -> int:
    for patience, insist in ((2, coop.terminate), (15, coop.kill)):
        try:
            coop.wait(timeout=patience)
            break
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            insist()
    coop.wait()
    print("\nended.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
