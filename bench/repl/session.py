"""One REPL under coop, told commands by nudges; and what coop says of it as it is received."""

import json
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from bench.home import ROOT
from bench.repl.commands import Command
from bench.repl.truth import BASH, ERROR, HELD, IDLE, PYTHON, Published, Run, Stamp, judge, stamps
from coop.testing import CoopProcess, eventually, running_coop

EXAMPLES = ROOT / "examples" / "agent-configs"
WITHIN = 20.0
LINGER = 0.4
"""How long a command's end is looked at, beyond the time in which it must be told."""


def wall() -> float:
    """The stamps of the REPLs have the time of day."""
    return time.clock_gettime(time.CLOCK_REALTIME)


@dataclass
class Repl:
    coop: CoopProcess
    http: httpx.Client
    truth: Path
    quiet: float
    told: list[Published] = field(default_factory=list[Published])

    def follow(self) -> None:
        """Collects what is told; runs in a thread of its own."""
        url = f"{self.coop.url.replace('http', 'ws')}/ws?mode=state"
        with suppress(ConnectionClosed, OSError), connect(url, compression=None) as socket:
            for text in socket:
                message: dict[str, Any] = json.loads(text)
                state = message.get("state") if message["type"] == "state" else message.get("next")
                if state is not None:
                    self.told.append((wall(), str(state)))

    def state(self) -> str:
        return str(self.http.get("/api/v1/agent/state").json()["state"])

    def is_ready(self) -> bool:
        return self.state() in (IDLE, ERROR)

    def give(self, line: str) -> dict[str, Any]:
        """What came of a nudge; an empty line cannot be one, and is typed."""
        if not line.strip():
            self.http.post("/api/v1/input", json={"text": line, "enter": True})
            return {"delivered": None}
        reply: dict[str, Any] = self.http.post("/api/v1/agent/nudge", json={"message": line}).json()
        return reply

    def ends(self) -> list[Stamp]:
        return [stamp for stamp in stamps(self.truth) if stamp.what.startswith("end")]


@contextmanager
def started(repl: str) -> Generator[Repl]:
    """At its first prompt."""
    config = EXAMPLES / f"{repl}.toml"
    with tempfile.TemporaryDirectory(prefix="repl-") as name:
        place = Path(name)
        command, env = _command(repl, place)
        with (
            running_coop("--agent", "unknown", "--agent-config", str(config), command=command, env=env, cwd=place) as coop,
            httpx.Client(base_url=coop.url, timeout=60) as client,
        ):
            quiet = float(tomllib.loads(config.read_text())["screen"]["quiet"])
            session = Repl(coop, client, place / "truth", quiet)
            threading.Thread(target=session.follow, daemon=True).start()
            eventually(lambda: session.told and session.ends() and session.is_ready(), within=WITHIN, what="the first prompt")
            if repl == "python":
                session.give("import time")
                eventually(lambda: len(session.ends()) > 1 and session.is_ready(), within=WITHIN, what="the second prompt")
            yield session


def _command(repl: str, place: Path) -> tuple[tuple[str, ...], Mapping[str, str]]:
    start = place / "start"
    start.write_text(BASH if repl == "bash" else PYTHON)
    example = EXAMPLES / ("bash.rc" if repl == "bash" else "python_start.py")
    env = {"EXAMPLE": str(example), "TRUTH": str(place / "truth")}
    if repl == "bash":
        return ("bash", "--noprofile", "--rcfile", str(start), "-i"), env
    return (sys.executable, "-i"), {**env, "PYTHONSTARTUP": str(start), "PYTHON_BASIC_REPL": "1"}


def perform(repl: Repl, command: Command) -> dict[str, object]:
    """Tells it, waits for its own word that it is done, and judges what was published meanwhile."""
    before, since = len(repl.ends()), len(repl.told)
    told, replies, more = wall(), list[dict[str, Any]](), list[tuple[float, float]]()
    for number, line in enumerate(command.lines, 1):
        replies.append(repl.give(line))
        if number < len(command.lines):
            more.append(_waits(repl))
    try:
        ended = eventually(lambda: repl.ends()[before:], within=WITHIN, what=f"the end of {command.text!r}")[0]
    except AssertionError as error:
        return _stuck(repl, command, replies, str(error))
    failed = ended.what != "end 0"
    _lingers(repl, ended.at, ERROR if failed else IDLE)
    began = next((stamp.at for stamp in stamps(repl.truth) if stamp.what == "start" and told < stamp.at <= ended.at), None)
    run = Run(told, began, ended.at, failed, wall(), more)
    verdict = judge(run, [*repl.told[since - 1 : since], *repl.told[since:]], quiet=repl.quiet)
    return {
        "kind": command.kind,
        "command": command.text,
        "failed": failed,
        "seconds": ended.at - began if began is not None else 0.0,
        "wrong": verdict.wrong,
        "false_idles": verdict.false_idles,
        "latency": verdict.latency,
        "delivered": _delivered(replies),
        "false_receipts": [],
    }


def _delivered(replies: Sequence[Mapping[str, Any]]) -> list[bool]:
    return [bool(reply.get("delivered")) for reply in replies if reply.get("delivered", False) is not None]


def _stuck(repl: Repl, command: Command, replies: Sequence[Mapping[str, Any]], why: str) -> dict[str, object]:
    """A line was lost: what was called delivered of this command was not."""
    screen = repl.http.get("/api/v1/screen/text").text
    repl.http.post("/api/v1/input/keys", json={"keys": ["Ctrl-C"]})
    eventually(repl.is_ready, within=WITHIN)
    lost = ["called delivered"] * sum(_delivered(replies))
    words = [f"stuck: {why}; {list(replies)}; {screen.rstrip()[-300:]!r}"]
    return {
        "kind": command.kind,
        "command": command.text,
        "failed": False,
        "seconds": 0.0,
        "latency": None,
        "wrong": words,
        "false_idles": [],
        "false_receipts": lost,
        "delivered": _delivered(replies),
    }


def _waits(repl: Repl) -> tuple[float, float]:
    """Until it says that it waits for the next line, or should have."""
    since = wall()
    with suppress(AssertionError):
        eventually(lambda: repl.state() == IDLE, within=repl.quiet + HELD + LINGER)
    return since, wall()


def _lingers(repl: Repl, ended: float, final: str) -> None:
    """Until the right state is there and has stayed, or is too late."""
    with suppress(AssertionError):
        eventually(lambda: repl.state() == final, within=max(0.1, ended + repl.quiet + HELD + LINGER - wall()))
    until = wall() + LINGER
    eventually(lambda: wall() >= until, within=2 * LINGER)
