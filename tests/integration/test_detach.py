"""`coop --detach`: a session that needs no terminal, and is told of when it is there."""

import json
import os
import shlex
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import BinaryIO

import httpx
import pytest

from coop.client import sessions
from coop.model.screen import Size
from coop.testing import eventually
from tests.oracles.on_pty import on_pty
from tests.support.commands import Desk

COOP = (sys.executable, "-m", "coop.cli.main")
WITHIN = 40.0


@pytest.fixture
def desk(tmp_path: Path) -> Generator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    for each in sessions(desk.env):
        done = run(desk, "stop", each.name, "--now", "--token", "s3cret")
        assert done.returncode == 0, done.stderr
    eventually(lambda: not processes(desk), within=WITHIN, what="the end of all that was started")


def run(desk: Desk, *arguments: str, env: Mapping[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    own = {**desk.env, **(env or {})}
    return subprocess.run(
        [*COOP, *arguments], cwd=desk.root, env=own, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=WITHIN,
        check=False,
    )  # fmt: skip


def processes(desk: Desk) -> list[int]:
    """All that know of this desk, but for the tests themselves."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has gone meanwhile, or is somebody else's
            if f"XDG_RUNTIME_DIR={desk.root}".encode() in (path / "environ").read_bytes().split(b"\0"):
                found.append(int(path.name))
    return found


def runtime(desk: Desk) -> Path:
    return desk.root / "coop"


def log_of(desk: Desk, name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (runtime(desk) / f"{name}.log").read_text().splitlines()]


def shows(desk: Desk, name: str, text: str) -> None:
    eventually(lambda: text in desk.coop("peek", name).stdout, within=WITHIN, what=text)


def test_it_returns_when_the_session_listens_and_says_how_to_look(desk: Desk) -> None:
    done = run(desk, "--detach", "--name", "demo", "--", "sh", "-c", "echo here; exec cat")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "demo runs; coop attach demo shows it, coop stop demo ends it\n"
    shows(desk, "demo", "here")
    assert desk.coop("stop", "demo").code == 0
    assert not processes(desk), "and its name is free"


def test_it_outlives_the_terminal_it_was_started_on(desk: Desk) -> None:
    words = shlex.join([*COOP, "-d", "--name", "demo", "--", "cat"])
    env, size = {**desk.env, "TERM": "xterm-256color"}, Size(100, 20)
    with on_pty(["bash", "-c", f"{words}; exec cat"], cwd=desk.root, env=env, size=size, answers={}) as terminal:
        terminal.shows("demo runs", within=WITHIN)
        assert "listening" not in terminal.output.decode()
    assert desk.coop("type", "demo", "still there", "--enter").code == 0
    shows(desk, "demo", "still there")
    (pid,) = [pid for pid in processes(desk) if b"coop.cli.main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert os.getsid(pid) == pid
    assert [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in (0, 1, 2)] == [
        "/dev/null",
        "/dev/null",
        str(runtime(desk) / "demo.log"),
    ]


def test_its_log_is_a_file_of_its_own_for_its_user_alone_and_stays(desk: Desk) -> None:
    assert run(desk, "--detach", "--name", "demo", "--", "cat").returncode == 0
    log = runtime(desk) / "demo.log"
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert {"event": "listening", "session": "demo"}.items() <= log_of(desk, "demo")[0].items()
    assert desk.coop("stop", "demo").code == 0
    assert [path.name for path in runtime(desk).iterdir()] == ["demo.log"]
    assert log_of(desk, "demo")[-1]["event"] == "exited"
    assert run(desk, "--detach", "--name", "demo", "--", "cat").returncode == 0
    assert [line["event"] for line in log_of(desk, "demo")] == ["listening"]


def test_of_one_that_fails_at_once_it_can_be_found_out_why(desk: Desk) -> None:
    started = run(desk, "-d", "--name", "demo", "--", "sh", "-c", "echo the key is missing >&2; exit 3")
    assert started.returncode == 0
    eventually(lambda: not processes(desk), within=WITHIN, what="its end")
    told = run(desk, "attach", "demo")
    assert (told.returncode, told.stdout) == (3, "")
    assert told.stderr == f"coop attach: 'demo' has ended (code 3); its log is {runtime(desk)}/demo.log\n"
    last = log_of(desk, "demo")[-1]
    assert (last["event"], last["code"], last["screen"]) == ("exited", 3, "the key is missing")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--", "surely-not-a-command"), 127),
        (("--agent-config", "/nowhere.toml", "--", "sh"), 2),
        (("--agent", "clod", "--", "sh"), 2),
        (("--name", "a/b", "--", "sh"), 2),
        (("--cols", "0", "--", "sh"), 2),
        ((), 2),
    ],
)
def test_what_cannot_start_says_why_as_in_the_foreground(desk: Desk, arguments: tuple[str, ...], code: int) -> None:
    done, near = run(desk, "--detach", *arguments), run(desk, *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert (done.returncode, done.stderr) == (near.returncode, near.stderr)
    assert list(runtime(desk).glob("*")) == []
    assert not processes(desk)


def test_a_port_that_is_taken_is_told(desk: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run(desk, "--detach", "--port", str(taken.getsockname()[1]), "--", "cat")
    assert done.returncode == 2
    assert done.stderr.startswith("coop: cannot listen on 127.0.0.1:")
    assert list(runtime(desk).glob("*")) == []


def test_a_name_that_is_taken_is_told_and_the_first_goes_on(desk: Desk) -> None:
    assert run(desk, "--detach", "--name", "demo", "--", "cat").returncode == 0
    done = run(desk, "--detach", "--name", "demo", "--", "cat")
    assert (done.returncode, done.stdout) == (2, "")
    assert "is in use by a running session; choose another --name" in done.stderr
    assert [line["event"] for line in log_of(desk, "demo")] == ["listening"]
    assert desk.coop("type", "demo", "first").code == 0


def test_a_session_without_a_name_is_told_the_one_it_has(desk: Desk) -> None:
    name = run(desk, "-d", "--", "cat").stdout.split()[0]
    assert [each.name for each in sessions(desk.env)] == [name]
    assert name.startswith("cat-")


@pytest.mark.parametrize(("env", "options"), [({"COOP_DETACH": "1"}, ()), ({"COOP": "1"}, ("-d",))], ids=["variable", "nested"])
def test_it_can_be_asked_for_by_a_variable_and_from_inside_a_session(
    desk: Desk, env: Mapping[str, str], options: tuple[str, ...]
) -> None:
    done = run(desk, *options, "--name", "demo", "--", "cat", env=env)
    assert (done.returncode, done.stdout.split()[0]) == (0, "demo")


def test_neither_the_session_nor_its_child_keeps_what_the_script_had_open(desk: Desk) -> None:
    """A token may come by such a file, though."""
    words = shlex.join([*COOP, "-d", "--name", "demo", "--", "sh", "-c", "ls -l /proc/$$/fd; exec cat"])
    script = f"exec 9>{desk.root}/lock; {words.replace(' -d ', ' -d --auth-token-file <(echo s3cret) ')}"
    done = subprocess.run(["bash", "-c", script], cwd=desk.root, env=desk.env, capture_output=True, timeout=WITHIN, check=False)
    assert done.returncode == 0, done.stderr
    for pid in processes(desk):
        assert f"{desk.root}/lock" not in [os.path.realpath(each) for each in Path(f"/proc/{pid}/fd").iterdir()]
    with httpx.Client(transport=httpx.HTTPTransport(uds=str(runtime(desk) / "demo.sock")), base_url="http://coop") as client:
        assert client.get("/api/v1/screen").status_code == 401
        headers = {"authorization": "Bearer s3cret"}
        eventually(lambda: "2 ->" in client.get("/api/v1/screen/text", headers=headers).text, within=WITHIN, what="the files")
        shown = client.get("/api/v1/screen/text", headers=headers).text
    assert [line.split()[-3] for line in shown.splitlines() if "->" in line] == ["0", "1", "2"]


def test_who_does_not_wait_for_the_start_ends_it(desk: Desk) -> None:
    os.mkfifo(token := desk.root / "token")  # nobody writes to it
    starting = subprocess.Popen([*COOP, "-d", "--auth-token-file", str(token), "--", "cat"], cwd=desk.root, env=desk.env)
    with eventually(lambda: writer_of(token), within=WITHIN, what="a coop that reads its token") or nullcontext():
        starting.send_signal(signal.SIGINT)
        assert starting.wait(WITHIN) == 130
        assert not processes(desk)


def writer_of(pipe: Path) -> BinaryIO | None:
    """There can be one as soon as somebody reads."""
    with suppress(OSError):
        return os.fdopen(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK), "wb")
    return None
