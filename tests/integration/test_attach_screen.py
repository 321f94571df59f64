"""coop on a window of somebody's GNU screen: it looks, and leaves no trace."""

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress

import pytest

from coop.testing import eventually, running_coop
from tests.support.multiplexers import Screen, own_screen, shows
from tests.support.wire import Wire

CHANGES = "trap 'echo RESIZED' WINCH; trap 'echo HUNG UP' HUP TERM INT; while read -r x; do echo \"heard $x\"; done"


@pytest.fixture
def screen() -> Generator[Screen]:
    with own_screen() as found:
        yield found


@contextmanager
def attached(screen: Screen, *options: str) -> Generator[Wire]:
    with running_coop("--attach", screen.spec, *options, env=screen.env()) as coop:
        yield Wire(coop, "tcp")


def seen_by(display: int, within: float = 0.5) -> bytes:
    seen = b""
    while select.select([display], [], [], within)[0]:
        with suppress(OSError):
            seen += os.read(display, 65536)
    return seen


def test_it_is_shown_with_all_its_characters_and_typed_into(screen: Screen) -> None:
    screen.start("bash", "-c", f"printf '\\033[H\\033[2J❯ é 中 ──\\n'; {CHANGES}")
    with attached(screen) as wire:
        wire.shows("❯ é 中 ──")
        wire.post("/api/v1/input", {"text": "“quoted” $HOME ^x \\015", "enter": True})
        wire.shows("heard “quoted” $HOME ^x")
        explained = wire.get("/api/v1/agent/explain")["attached"]
        assert explained["to"] == screen.spec
        assert "looked at" in explained["output"]


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_the_program_goes_on_unresized_when_coop_ends(screen: Screen, ending: signal.Signals) -> None:
    screen.start("bash", "-c", CHANGES, size="90x20")
    with attached(screen) as wire:
        wire.post("/api/v1/input", {"text": "one", "enter": True})
        wire.shows("heard one")
        refused = wire.request("POST", "/api/v1/resize", json={"cols": 50, "rows": 10})
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "NOT_OURS")
        pid = wire.coop.child_pid
        wire.coop.process.send_signal(ending)
        wire.coop.wait()
    eventually(lambda: not screen.clients(), what="nobody attached")
    assert (screen.pid(), screen.size()) == (pid, "90x20")
    screen.type("two")
    shows(screen, "heard two")
    assert "RESIZED" not in screen.shown()
    assert "HUNG UP" not in screen.shown()


def test_whoever_looks_at_it_sees_nothing_of_us(screen: Screen) -> None:
    screen.start("bash", "-c", CHANGES, size="90x20")
    with screen.visited("90x20") as display, attached(screen) as wire:
        seen_by(display)
        wire.post("/api/v1/input", {"text": "one", "enter": True})
        wire.shows("heard one")
        seen = seen_by(display)
        assert b"heard one" in seen
        assert b"\x1b[7m" not in seen  # screen's own messages are in reverse video
        assert b"\x1b[2J" not in seen
        assert screen.size() == "90x20"


def test_a_status_line_does_not_make_the_window_smaller(screen: Screen) -> None:
    screen.start("bash", "-c", CHANGES, size="90x20")
    screen.command("hardstatus", "alwayslastline", "the status line")
    with attached(screen) as wire:
        wire.shows("the status line")
        for word in ("one", "two", "three"):
            wire.post("/api/v1/input", {"text": word, "enter": True})
            wire.shows(f"heard {word}")
        assert "RESIZED" not in wire.text()
    assert screen.size() == "90x20"


def test_the_end_of_the_program_and_of_screen_are_told(screen: Screen) -> None:
    screen.start("bash", "-c", "read -r x")
    with attached(screen, "--keep-alive") as wire:
        wire.post("/api/v1/input", {"text": "go", "enter": True})
        state = eventually(lambda: (seen := wire.get("/api/v1/agent/state"))["state"] == "exited" and seen, what="exited")
        assert state
        assert re.search("the program has ended|the screen window is gone", state["detail"])  # whichever is seen first


def test_a_wrong_name_is_answered_with_what_there_is(screen: Screen) -> None:
    screen.start("cat")
    command = [sys.executable, "-m", "coop.cli.main", "--attach", "screen:nowhere"]
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", **screen.env()}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20, env=environment)
    assert done.returncode == 2
    assert "no such session" in done.stderr
    assert ".work" in done.stderr
