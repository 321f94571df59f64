"""The terminal of the process: raw mode, what is asked and set at the start, and put back at the end."""

import asyncio
import os
import select
import struct
import termios
import tty
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fcntl import ioctl
from typing import Any

from coop_sim.claude.states import CLEAR_7501, PROBE_7501
from coop_sim.claude.versions import Version

_LAST_WORDS = 0.5
_BEGIN = "\x1b7\x1b[r\x1b8\x1b[?25h"
_MODES = "\x1b[?2004h\x1b[?1004h\x1b[?2031h"
_NO_MODES = "\x1b[?1004l\x1b[?2031l\x1b[?2004l\x1b[?25h"
_MOUSE = "\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h"
_NO_MOUSE = "\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l"


@dataclass
class Terminal:
    version: Version
    is_fullscreen: bool
    has_titles: bool = True
    """Without titles there is no OSC 7501 either."""
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

    def open(self) -> None:
        self._before = termios.tcgetattr(self.fd_in)
        tty.setraw(self.fd_in)
        # Opened anew: the descriptors we were given are shared, and others may wait on theirs.
        self.fd_out = os.open(os.ttyname(self.fd_out), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        self.write(_BEGIN + "\x1b[?25l" + _MODES)

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

    def _wait(self) -> None:
        """For the last words, a moment."""
        with suppress(OSError):
            while self._held and select.select([], [self.fd_out], [], _LAST_WORDS)[1]:
                self._push()

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        rows, columns, _, _ = struct.unpack("HHHH", ioctl(self.fd_out, termios.TIOCGWINSZ, b"\0" * 8))
        return columns or 80, rows or 24

    def query(self, *, is_again: bool = False) -> None:
        """`is_again`: after a start-up dialog, which has asked already."""
        probe = "\x1b[?u" + PROBE_7501 if self.version.reports_state and self.has_titles and not is_again else ""
        self.write(f"\x1b[>0q{probe}\x1b[c")

    def enter_fullscreen(self) -> None:
        if self.is_fullscreen:
            self.write(f"\x1b[?1049h\x1b[2J\x1b[H{_MOUSE}\x1b[?25l")

    def title(self, text: str) -> None:
        if self.has_titles:
            self.write(f"\x1b]0;{text}\x07")

    def close(self, *, farewell: str) -> None:
        leave = f"{_NO_MOUSE}\x1b[?1049l" if self.is_fullscreen else f"\r\n{_NO_MOUSE}"
        clear = CLEAR_7501 if self.version.reports_state and self.has_titles else ""
        self.write(f"{leave}\x1b[>4m{_NO_MODES}\x1b7\x1b[r\x1b8{clear}")
        self.title("")
        self.write(farewell.replace("\n", "\r\n"))
        self._wait()
        if self._before:
            termios.tcsetattr(self.fd_in, termios.TCSADRAIN, self._before)
