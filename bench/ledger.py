"""Keeps account of a raw stream: is every byte there, and where one is not, was it said?"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

OFFSET = re.compile(rb'"offset"\s*:\s*(\d+)')
DATA = re.compile(rb'"data"\s*:\s*"')


@dataclass(slots=True)
class Ledger:
    received: int = 0
    """Bytes of the stream, decoded."""
    first_offset: int | None = None
    """Where the first output began; `None` before it."""
    next_offset: int | None = None
    """Where the next output should begin; `None` before the first."""
    lagged: int = 0
    """How often we were told that we fell behind."""
    silent_gaps: int = 0
    """How often bytes were missing, or came twice, without a word."""

    def receive(self, buffer: bytearray, start: int, end: int) -> None:
        """Takes the JSON message in `buffer[start:end]`. It is scanned, not parsed: only its size and place matter."""
        data = DATA.search(buffer, start, min(end, start + 200))
        if data is None:
            self._take_notice(json.loads(buffer[start:end]))
            return
        close = buffer.index(b'"', data.end())
        offset = OFFSET.search(buffer, close, end) or OFFSET.search(buffer, start, data.start())
        assert offset is not None, "output without an offset"
        padding = buffer.count(b"=", close - 2, close)
        self._take_output(int(offset[1]), (close - data.end()) * 3 // 4 - padding)

    def _take_notice(self, message: Mapping[str, object]) -> None:
        match message:
            case {"type": "lagged", "next_offset": int(offset)}:
                # Said, so not silent; from here on the stream must be whole again.
                self.lagged += 1
                self.next_offset = offset

    def _take_output(self, offset: int, size: int) -> None:
        if self.next_offset is not None and offset != self.next_offset:
            self.silent_gaps += 1
        if self.first_offset is None:
            self.first_offset = offset
        self.received += size
        self.next_offset = offset + size
