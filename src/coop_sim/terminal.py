"""The terminal of the process: raw mode while it runs, and a way out that never waits."""

import asyncio
import os
import select
import signal
import struct
import termios
import tty
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fcntl import ioctl
from typing import Any

_LAST_WORDS = 0.5


@dataclass(kw_only=True)
class RawTerminal:
    fd_in: int = 0
    fd_out: int = 1
    on_drained: Callable[[], None] = lambda: None
    """Called when what was held back is written."""
    _before: list[Any] = field(default_factory=list[Any])
    _held: bytes = b""
    """What a terminal that does not read has not taken yet."""

    @property
    def is_clogged(self) -> bool:
        return bool(self._held)

    def make_raw(self) -> None:
        self._before = termios.tcgetattr(self.fd_in)
        tty.setraw(self.fd_in)
        # Opened anew: the descriptors we were given are shared, and others may wait on theirs.
        self.fd_out = os.open(os.ttyname(self.fd_out), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)

    def write(self, data: str | bytes) -> None:
        """Never waits: somebody who does not look must not stop the work."""
        self._held += data.encode() if isinstance(data, str) else data
        self._push()
        if self._held:
            asyncio.get_running_loop().add_writer(self.fd_out, self._drain)

    def _push(self) -> None:
        try:
            while self._held:
                self._held = self._held[os.write(self.fd_out, self._held) :]
        except BlockingIOError:
            pass
        except OSError:  # the other side is gone; the signal that says so is on its way
            self._held = b""

    def _drain(self) -> None:
        self._push()
        if not self._held:
            asyncio.get_running_loop().remove_writer(self.fd_out)
            self.on_drained()

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        rows, columns, _, _ = struct.unpack("HHHH", ioctl(self.fd_out, termios.TIOCGWINSZ, b"\0" * 8))
        return columns or 80, rows or 24

    def suspend(self) -> None:
        """Until it is told to go on. It waits for that itself, as the kernel stops nobody who has no shell above."""
        self.restore()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCONT})
        os.kill(0, signal.SIGTSTP)
        signal.sigwait({signal.SIGCONT})
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCONT})
        tty.setraw(self.fd_in)

    def restore(self) -> None:
        """After the last words, for which it waits a moment."""
        with suppress(OSError):
            while self._held and select.select([], [self.fd_out], [], _LAST_WORDS)[1]:
                self._push()
        if self._before:
            termios.tcsetattr(self.fd_in, termios.TCSADRAIN, self._before)
