"""One contract for every way to a terminal: a child of our own, and panes of somebody else's."""

import os
import select
import shlex
import signal
import sys
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from coop.model.launch import Launch
from coop.model.screen import XTERM, Size
from coop.session.attaching import polled_tmux, reach
from coop.terminal.backend import Backend
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.pty import PtyBackend
from coop.terminal.tmux_server import TmuxServer
from coop.testing import eventually
from tests.support.multiplexers import Multiplexer, Tmux, own_screen, own_tmux

SIZE = Size(100, 30)
ENV = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color"}
KINDS = ("pty", "tmux", "tmux-polled", "screen")
WITHIN = 10.0


@dataclass
class Opened:
    """A backend, and a screen that is fed what it reads."""

    backend: Backend
    screen: GhosttyScreen
    theirs: Multiplexer | None = None
    has_ended: bool = False

    def read(self) -> None:
        """What there is now, or within a moment."""
        if not self.backend.has_more:
            select.select([self.backend.fd, self.backend.exit_fd], [], [], 0.02)
        match self.backend.read():
            case None:
                pass
            case b"":
                self.has_ended = True
            case Size() as size:
                self.screen.resize(size)
            case data:
                self.screen.feed(data)

    def until(self, condition: Callable[[], object], what: str = "it") -> None:
        deadline = time.monotonic() + WITHIN
        while not condition():
            assert time.monotonic() < deadline, f"{what} did not come:\n" + "\n".join(self.screen.snapshot().lines)
            if not self.has_ended:
                self.read()

    def shows(self, text: str) -> None:
        self.until(lambda: any(text in line for line in self.screen.snapshot().lines), text)

    def type(self, data: bytes) -> None:
        def goes_on() -> bool:
            nonlocal data
            data = data[self.backend.write(data) :]
            return not data

        self.until(goes_on, "all of it taken")


Open = Callable[..., Opened]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def start(kind: str) -> Generator[Open]:
    with ExitStack() as stack:

        def opened(script: str) -> Opened:
            if kind == "pty":
                backend: Backend = PtyBackend(Launch(("sh", "-c", script), ENV, SIZE))
                theirs = None
            else:
                theirs = stack.enter_context(multiplexer(kind))
                theirs.start("sh", "-c", script)
                backend = attached(kind, theirs)
            made = Opened(backend, GhosttyScreen(SIZE, XTERM), theirs)
            stack.callback(lambda: made.backend.close())
            return made

        yield opened


def multiplexer(kind: str) -> AbstractContextManager[Multiplexer]:
    return own_screen() if kind == "screen" else own_tmux()


def attached(kind: str, theirs: Multiplexer) -> Backend:
    if kind == "tmux-polled" and isinstance(theirs, Tmux):
        server = TmuxServer(str(theirs.socket), ENV)
        pane = server.find(theirs.session)
        return polled_tmux(theirs.spec, server, pane, 100).open(pane.pid)
    place = reach(theirs.spec, {**ENV, **theirs.env()}, history=100)
    return place.open(place.pid)


def test_what_the_program_shows_is_read_and_then_there_is_nothing(start: Open) -> None:
    it = start("printf '\\033[H\\033[2J\\033[31mred\\033[0m ❯ 中 é\\n\\033[5;10Hthere'; exec sleep 60")
    it.shows("there")
    lines = it.screen.snapshot().lines
    assert (lines[0], lines[4]) == ("red ❯ 中 é", "         there")
    assert it.screen.cells()[0][0].style.fg == 1
    eventually(lambda: it.backend.read() is None and not it.backend.has_more)


def test_every_byte_arrives_and_in_order(start: Open, tmp_path: Path) -> None:
    data = bytes(range(256)) * 64
    took = tmp_path / "took"
    it = start(f"stty raw -echo; echo ready; head -c {len(data)} > {shlex.quote(str(took))}; echo done; exec sleep 60")
    it.shows("ready")
    it.type(data)
    it.shows("done")
    assert took.read_bytes() == data


def test_a_pasted_text_arrives_with_what_surrounds_it(start: Open, tmp_path: Path) -> None:
    paste = "\x1b[200~first line\nsecond “line” $HOME ~ #{x} ; '\"\\\x1b[201~".encode()
    took = tmp_path / "took"
    it = start(f"stty raw -echo; echo ready; head -c {len(paste)} > {shlex.quote(str(took))}; echo done; exec sleep 60")
    it.shows("ready")
    it.type(paste)
    it.shows("done")
    assert took.read_bytes() == paste


def test_a_line_that_is_typed_is_answered(start: Open) -> None:
    it = start('while read -r line; do echo "heard $line"; done')
    for word in ("one", "two", "three"):
        it.type(f"{word}\n".encode())
        it.shows(f"heard {word}")


def test_the_end_of_the_program_is_told(start: Open) -> None:
    it = start("read -r line; exit 3")
    assert it.backend.exit_status() is None
    it.type(b"go\n")
    it.until(lambda: it.backend.exit_status() is not None, "the end")
    status = it.backend.exit_status()
    assert status is not None
    assert (status.code, bool(status.why)) == ((3, False) if it.backend.is_ours else (None, True))
    it.until(lambda: it.has_ended or not it.backend.is_ours, "the end of the output")


def test_a_signal_reaches_the_programs_group(start: Open) -> None:
    it = start("trap 'echo caught' USR1; echo ready; while true; do sleep 0.05; done")
    it.shows("ready")
    it.backend.signal(signal.SIGUSR1)
    it.shows("caught")


def test_nothing_is_typed_by_itself_when_the_program_asks_the_terminal(start: Open) -> None:
    """Answering is up to whoever holds the backend; somebody else's terminal has answered already."""
    script = "stty raw -echo; printf '\\033[5n'; head -c 4 | od -An -c; echo done; exec sleep 60"
    it = start(f"{script}")
    if it.backend.is_ours:
        it.until(lambda: it.screen.seq > 0)
        it.type(it.screen.take_replies())
    it.shows("done")
    assert "033   [   0   n" in "\n".join(it.screen.snapshot().lines)


def test_the_size_is_known_and_followed(start: Open) -> None:
    it = start("trap 'echo size $(stty size)' WINCH; echo ready; while true; do sleep 0.05; done")
    it.shows("ready")
    assert it.backend.size == SIZE
    if it.theirs is None:
        it.backend.resize(Size(70, 20))
    else:
        it.theirs.resize("70x20")
        it.until(lambda: it.screen.size == Size(70, 20), "the size")
    it.shows("size 20 70")
    assert it.backend.size == Size(70, 20)


def test_a_terminal_that_is_not_ours_is_not_resized_and_outlives_us(start: Open) -> None:
    it = start("trap 'echo hung up > /dev/null; exit 9' HUP; echo ready; while true; do sleep 0.05; done")
    it.shows("ready")
    backend = it.backend
    pid = backend.pid
    if backend.is_ours:
        backend.signal(signal.SIGHUP)
        it.until(lambda: backend.exit_status() is not None)
        return
    backend.resize(Size(40, 10))
    backend.close()
    assert it.theirs is not None
    eventually(lambda: it.theirs is not None and not it.theirs.clients())
    assert (it.theirs.size(), it.theirs.pid()) == ("100x30", pid)
    it.backend = attached("", it.theirs)  # what the fixture closes
    it.screen = GhosttyScreen(SIZE, XTERM)
    it.shows("ready")


def test_a_big_program_in_a_hurry_is_shown_to_the_end(start: Open) -> None:
    script = (
        "import sys\nfor n in range(20000): sys.stdout.write(f'line {n} \\x1b[3{n % 8}mcolour\\x1b[m\\n')\nprint('the end')"
    )
    it = start(f"{shlex.quote(sys.executable)} -c {shlex.quote(script)}; exec sleep 60")
    it.shows("the end")
    assert "line 19999 colour" in it.screen.snapshot().lines
