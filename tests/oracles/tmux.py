"""tmux's opinion: a server of our own, a session for each case, and the bytes written to its pane's terminal."""

import os
import shutil
import subprocess
import tempfile
import tty
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby

from coop.model.screen import Cell, Size

from .capture import read_capture
from .case import Case, Step
from .edges import completed, marks
from .seen import Seen, see
from .waiting import read_until, wait_until

_DEADLINE = 10.0
_NAME = "coop-oracle"
_ARE_YOU_THERE, _YES = b"\x1b[5n", b"\x1b[0n"
_FACTS = "#{cursor_y},#{cursor_x},#{pane_width},#{alternate_on},#{pane_title}"


def missing() -> str | None:
    """Why tmux cannot be asked; `None` when it can."""
    return None if shutil.which("tmux") else "tmux is not installed: run `make deps`"


def ask(cases: Sequence[Case]) -> list[Seen]:
    with _server() as server:
        return [server.ask(case) for case in cases]


def versions() -> tuple[str, ...]:
    return (subprocess.run(["tmux", "-V"], capture_output=True, text=True, check=True, timeout=10).stdout.strip(),)


class _Server:
    def __init__(self, directory: str) -> None:
        self._env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "TMUX_TMPDIR": directory}

    def run(self, *command: str) -> str:
        words = ["tmux", "-L", _NAME, "-f", "/dev/null", "-u", *command]
        done = subprocess.run(words, env=self._env, stdout=subprocess.PIPE, check=True, timeout=_DEADLINE)
        return done.stdout.decode()

    def ask(self, case: Case) -> Seen:
        pane, terminal = self._open(case.size)
        try:
            with _raw(terminal) as fd:
                self._play(case.steps, pane, fd)
                return self._look(pane, fd)
        finally:
            self.run("kill-session", "-t", pane)

    def _look(self, pane: str, fd: int) -> Seen:
        row, col, cols, alternate, title = self.run("display-message", "-pt", pane, _FACTS).rstrip("\n").split(",", 4)
        rows = self._capture(pane)
        self._play([marks(rows, int(cols))], pane, fd)
        cells = completed(rows, self._capture(pane), int(cols))
        cursor = (int(row), int(col))
        return see(cells, cursor, cols=int(cols), alternate=alternate == "1", title=title, tells_widths=False)

    def _capture(self, pane: str) -> list[list[Cell]]:
        return read_capture(self.run("capture-pane", "-peN", "-t", pane).removesuffix("\n"))

    def _open(self, size: Size) -> tuple[str, str]:
        """A pane that shows nothing of its own: its program only sleeps."""
        where = ("-x", str(size.cols), "-y", str(size.rows), "-PF", "#{pane_id} #{pane_tty}")
        pane, terminal = self.run("new-session", "-d", *where, "sleep", "600", ";", "select-pane", "-T", "").split()
        # Before it runs, tmux's child still sets up the terminal, and would undo our raw mode.
        wait_until(partial(self._is, pane, "#{pane_current_command}", "sleep"), _DEADLINE)
        return pane, terminal

    def _is(self, pane: str, question: str, answer: str) -> bool:
        return self.run("display-message", "-pt", pane, question).strip() == answer

    def _play(self, steps: Sequence[Step], pane: str, fd: int) -> None:
        for step in _joined(steps):
            if isinstance(step, Size):
                self._resize(pane, step)
            else:
                os.write(fd, step + _ARE_YOU_THERE)
                read_until(fd, _YES, _DEADLINE)

    def _resize(self, pane: str, size: Size) -> None:
        self.run("resize-window", "-t", pane, "-x", str(size.cols), "-y", str(size.rows))
        wait_until(partial(self._is, pane, "#{pane_width}x#{pane_height}", f"{size.cols}x{size.rows}"), _DEADLINE)


def _joined(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps with neighbouring chunks in one. tmux takes a cluster apart when a read ends inside it, and when
    a read ends is chance; what was meant does not depend on it."""
    for _, some in groupby(steps, key=lambda step: isinstance(step, Size)):
        chunks = list(some)
        yield from (step for step in chunks if isinstance(step, Size))
        if joined := b"".join(step for step in chunks if isinstance(step, bytes)):
            yield joined


@contextmanager
def _server() -> Generator[_Server]:
    with tempfile.TemporaryDirectory(prefix="coop-oracle-") as directory:
        server = _Server(directory)
        server.run("start-server", ";", "set-option", "-s", "exit-empty", "off", ";", "set-option", "-g", "status", "off")
        try:
            yield server
        finally:
            server.run("kill-server")


@contextmanager
def _raw(path: str) -> Generator[int]:
    fd = os.open(path, os.O_RDWR | os.O_NOCTTY)
    try:
        tty.setraw(fd)
        yield fd
    finally:
        os.close(fd)
