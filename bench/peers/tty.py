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

BLOCK = 1 << 16


class Tty:
    """Runs `argv` on a new PTY; what it draws waits in `stream` to be drained."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str]) -> None:
        self.stream, slave = pty.openpty()
        try:
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLS, 0, 0))
            self._process = subprocess.Popen(argv, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True)
        finally:
            os.close(slave)

    def drain(self) -> None:
        with contextlib.suppress(OSError):  # the client has gone
            os.read(self.stream, BLOCK)

    def close(self) -> None:
        end(self._process)
        os.close(self.stream)
