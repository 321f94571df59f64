"""WebSocket frames of a server, read in place: a reader of a flood must not copy what it only counts."""

import os
from collections.abc import Iterator

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
ROOM = 1 << 20


class Frames:
    """Bytes in, frames out. Received bytes go into `space()`; `took(count)` yields the spans that became whole.

    A span is the opcode and where its payload lies in `buffer`; it holds until the next `space()`.
    """

    def __init__(self) -> None:
        self.buffer = bytearray(ROOM)
        self._start = 0
        self._end = 0

    def space(self) -> memoryview:
        """Room for what comes next; what is not yet whole moves to the front."""
        kept = self._end - self._start
        if self._start:
            self.buffer[:kept] = self.buffer[self._start : self._end]
            self._start, self._end = 0, kept
        if kept == len(self.buffer):
            self.buffer += bytes(len(self.buffer))
        return memoryview(self.buffer)[self._end :]

    def took(self, count: int) -> Iterator[tuple[int, int, int]]:
        self._end += count
        while (span := self._next()) is not None:
            self._start = span[2]
            yield span

    def _next(self) -> tuple[int, int, int] | None:
        at = self._start
        if self._end - at < 2:
            return None
        length = self.buffer[at + 1]
        body = at + {126: 4, 127: 10}.get(length, 2)
        if self._end < body:
            return None
        if length > 125:
            length = int.from_bytes(self.buffer[at + 2 : body], "big")
        if self._end < body + length:
            return None
        return self.buffer[at] & 0x0F, body, body + length


def client_frame(opcode: int, payload: bytes) -> bytes:
    """A frame as a client must send it, masked. Only small ones are sent here."""
    size = len(payload)
    head = bytes((0x80 | opcode, 0x80 | size)) if size < 126 else bytes((0x80 | opcode, 0xFE)) + size.to_bytes(2, "big")
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
