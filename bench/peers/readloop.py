"""The ceiling: a loop that reads what the kernel gives it and throws it away."""

import contextlib
import os
from collections.abc import Sequence

from bench.home import Home
from bench.peers.tty import BLOCK, Tty

TAIL = 4096


class ReadLoop:
    """No screen at all; the last bytes stand for one, so that the end of a flood can be seen."""

    def __init__(self, home: Home, child: Sequence[str]) -> None:
        self._tty = Tty(child, home.env)
        self._tail = b""
        self.pid = os.getpid()

    def text(self) -> str:
        return self._tail.decode(errors="replace")

    def press(self, char: str) -> None:
        os.write(self._tty.stream, char.encode())
        while char not in self.text():
            self.drain()

    def stream(self) -> int:
        return self._tty.stream

    def drain(self) -> None:
        with contextlib.suppress(OSError):
            self._tail = (self._tail + os.read(self._tty.stream, BLOCK))[-TAIL:]

    def close(self) -> None:
        self._tty.close()
