"""A real terminal client on a PTY of ours, as a person would have it."""

import contextlib
import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence

from bench.home import COLS, ROWS
from bench.processes import end
from coop.model.screen import Size

BLOCK = 1 << 16
USUAL = Size(COLS, ROWS)


class Tty:
    """Runs `argv` on a new PTY; what it draws waits in `stream` to be drained."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], size: Size = USUAL) -> None:
        self.stream, slave = pty.openpty()
        try:
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size.rows, size.cols, 0, 0))
            # A session of its own, and this its terminal: else nobody would tell it of a new size.
            own = ("setsid", "--ctty", *argv)
            self._process = subprocess.Popen(own, stdin=slave, stdout=slave, stderr=slave, env=env)
        finally:
            os.close(slave)

    def drain(self) -> None:
        with contextlib.suppress(OSError):  # the client has gone
            os.read(self.stream, BLOCK)

    def close(self) -> None:
        end(self._process)
        os.close(self.stream)
