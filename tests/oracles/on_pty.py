"""A program on a PTY that answers as the terminal of the recordings did, and a screen of what it shows."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from coop.model.screen import XTERM, Size
from coop.terminal.ghostty import GhosttyScreen

WITHIN = 10.0
ANSWERS = {b"\x1b[c": b"\x1b[?62;22c", b"\x1b]7501;?\x07": b"\x1b]7501;?\x07"}
"""As in tests/captured/README.md; every other query is left without an answer."""


@dataclass
class OnPty:
    pid: int
    fd: int
    screen: GhosttyScreen
    answers: Mapping[bytes, bytes]
    output: bytes = b""
    _answered: int = 0

    def press(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def resize(self, size: Size) -> None:
        self.screen.resize(size)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", size.rows, size.cols, 0, 0))

    def until(self, condition: Callable[[], object], *, what: str, within: float = WITHIN) -> None:
        """Reads until the condition holds."""
        deadline = time.monotonic() + within
        while not condition():
            if not self._pump(deadline - time.monotonic()) and time.monotonic() > deadline:
                shown = "\n".join(self.lines())
                raise AssertionError(f"{what} did not come within {within} s; the screen:\n{shown}")

    def shows(self, text: str, *, within: float = WITHIN) -> None:
        self.until(lambda: any(text in line for line in self.lines()), what=repr(text), within=within)

    def hides(self, text: str) -> None:
        self.until(lambda: not any(text in line for line in self.lines()), what=f"the end of {text!r}")

    def lines(self) -> tuple[str, ...]:
        return self.screen.snapshot().lines

    def exit_code(self, *, within: float = WITHIN) -> int:
        """Reads to the end, and waits for it."""
        status: list[int] = []

        def has_ended() -> bool:
            if not status:
                pid, code = os.waitpid(self.pid, os.WNOHANG)
                status.extend([code] if pid else [])
            return bool(status)

        self.until(has_ended, what="its end", within=within)
        while self._pump(0):
            pass
        self.pid = 0
        return os.waitstatus_to_exitcode(status[0])

    def _pump(self, wait: float) -> bool:
        ready, _, _ = select.select([self.fd], [], [], min(max(wait, 0), 0.05))
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # the other side is closed
            return False
        self.output += data
        self.screen.feed(data)
        self._answer()
        return bool(data)

    def _answer(self) -> None:
        found = [(at, query) for query in self.answers if (at := self.output.find(query, self._answered)) >= 0]
        for at, query in sorted(found):
            self._answered = max(self._answered, at + len(query))
            os.write(self.fd, self.answers[query])

    def end(self) -> None:
        """With what it has started: Gemini CLI runs itself once more."""
        if self.pid:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)


@contextmanager
def on_pty(
    command: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    size: Size,
    answers: Mapping[bytes, bytes] = ANSWERS,
) -> Generator[OnPty]:
    pid, fd = pty.fork()
    if pid == 0:
        try:
            os.chdir(cwd)
            os.execvpe(command[0], list(command), dict(env))
        finally:
            os._exit(127)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", size.rows, size.cols, 0, 0))
    running = OnPty(pid, fd, GhosttyScreen(size, XTERM), answers)
    try:
        yield running
    finally:
        running.end()
