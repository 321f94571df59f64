"""The person's own terminal: made ours for a while, and given back as it was, however we end."""

import fcntl
import os
import signal
import struct
import termios
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Any

from coop.cli.console.painting import CLOSE, OPEN
from coop.errors import ConfigError
from coop.model.screen import Size

_IN, _OUT, _CONTROL, _LOCAL, _CHARACTERS = 0, 1, 2, 3, 6
_Attributes = list[Any]
"""As `tcgetattr` gives them."""
_BLOCK = 1 << 16
_DONE = b"."


class Glass:
    """Bytes from the keyboard, bytes to the screen. Never blocks; what the terminal does not take yet is kept."""

    def __init__(self, keyboard: int, screen: int, raw: _Attributes) -> None:
        self.keyboard = keyboard
        self.screen = screen
        self._raw = raw
        self._unwritten = b""

    @property
    def is_behind(self) -> bool:
        """There is something that the terminal has not taken yet."""
        return bool(self._unwritten)

    def size(self) -> Size:
        rows, cols, _, _ = struct.unpack("HHHH", fcntl.ioctl(self.screen, termios.TIOCGWINSZ, bytes(8)))
        return Size(cols or 80, rows or 24)

    def read(self) -> bytes:
        """What was typed; empty when the terminal is gone."""
        try:
            return os.read(self.keyboard, _BLOCK)
        except OSError:
            return b""

    def take_again(self) -> None:
        """After a stop: somebody else has had the terminal meanwhile."""
        termios.tcsetattr(self.keyboard, termios.TCSADRAIN, self._raw)
        self.write(OPEN)

    def write(self, data: bytes) -> None:
        """Raises `OSError` when the terminal is gone."""
        self._unwritten = self._unwritten + data if self._unwritten else data
        with suppress(BlockingIOError):
            while self._unwritten:
                self._unwritten = self._unwritten[os.write(self.screen, self._unwritten) :]


@contextmanager
def glass() -> Generator[Glass]:
    """Standard input and output, raw and on the alternate screen. Raises `ConfigError` where they are no terminal."""
    if not (os.isatty(0) and os.isatty(1)):
        raise ConfigError("coop attach needs a terminal; a program reads with coop peek, and types with coop keys")
    before = termios.tcgetattr(0)
    raw = _raw(before)
    own, guard = _opened_anew(1), _Guard(before, raw)
    try:
        termios.tcsetattr(0, termios.TCSADRAIN, raw)
        os.write(1, OPEN)
        yield Glass(0, own, raw)
    finally:
        os.close(own)
        _give_back(before)
        guard.dismiss()


def _opened_anew(fd: int) -> int:
    """The same terminal, opened by ourselves: that we do not wait for it is then nobody else's affair."""
    try:
        return os.open(os.ttyname(fd), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return os.dup(fd)


def _raw(attributes: _Attributes) -> _Attributes:
    """Every key is a byte: none of them interrupts, stops, edits or is echoed."""
    raw: _Attributes = [*attributes[:_CHARACTERS], [*attributes[_CHARACTERS]]]
    raw[_IN] &= ~(
        termios.IGNBRK
        | termios.BRKINT
        | termios.PARMRK
        | termios.ISTRIP
        | termios.INLCR
        | termios.IGNCR
        | termios.ICRNL
        | termios.IXON
    )
    raw[_OUT] &= ~termios.OPOST
    raw[_LOCAL] &= ~(termios.ECHO | termios.ECHONL | termios.ICANON | termios.ISIG | termios.IEXTEN)
    raw[_CONTROL] = raw[_CONTROL] & ~(termios.CSIZE | termios.PARENB) | termios.CS8
    raw[_CHARACTERS][termios.VMIN], raw[_CHARACTERS][termios.VTIME] = 1, 0
    return raw


def _give_back(before: _Attributes) -> None:
    """What nobody has read is thrown away: half a mouse report would be typed into the shell."""
    with suppress(OSError, termios.error):
        os.write(1, CLOSE)
        termios.tcsetattr(0, termios.TCSAFLUSH, before)


class _Guard:
    """A process that does nothing but outlive us: when we are killed, it gives the terminal back."""

    def __init__(self, before: _Attributes, raw: _Attributes) -> None:
        ours, self._dismissal = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._dismissal)
            _stand_guard(ours, before, raw)
        os.close(ours)

    def dismiss(self) -> None:
        with suppress(OSError):
            os.write(self._dismissal, _DONE)
        os.close(self._dismissal)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


def _stand_guard(dismissal: int, before: _Attributes, raw: _Attributes) -> None:
    try:
        os.setsid()  # what is sent to the group of the terminal is not for us
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        if os.read(dismissal, 1) != _DONE:
            os.write(1, CLOSE)
            if termios.tcgetattr(0) == raw:  # else the shell has seen to it already
                termios.tcsetattr(0, termios.TCSAFLUSH, before)
    finally:
        os._exit(0)
