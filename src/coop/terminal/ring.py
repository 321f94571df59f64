"""The last bytes of a stream, addressed by their absolute offset in it."""

from typing import NamedTuple

from coop.model.ids import Offset


class Chunk(NamedTuple):
    """Bytes of the stream from `offset`; empty when there is nothing new. `offset` may lie past what was asked for."""

    data: bytes
    offset: Offset

    @property
    def next_offset(self) -> Offset:
        return Offset(self.offset + len(self.data))


class Ring:
    """Keeps the last `capacity` bytes appended; older offsets clamp to the oldest byte kept."""

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError(f"a ring holds at least one byte, not {capacity}")
        self.capacity = capacity
        self.total = 0
        self._buffer = bytearray(capacity)

    @property
    def start(self) -> Offset:
        """The offset of the oldest byte kept."""
        return Offset(max(0, self.total - self.capacity))

    def append(self, data: bytes) -> None:
        capacity = self.capacity
        size = len(data)
        if size > capacity:
            self.total += size - capacity
            data = data[-capacity:]
            size = capacity
        at = self.total % capacity
        end = at + size
        if end <= capacity:
            self._buffer[at:end] = data
        else:
            first = capacity - at
            self._buffer[at:] = data[:first]
            self._buffer[: end - capacity] = data[first:]
        self.total += size

    def since(self, offset: int, limit: int | None = None) -> Chunk:
        """What is kept from `offset` on, at most `limit` bytes of it."""
        start = Offset(min(max(offset, self.start), self.total))
        size = self.total - start
        if limit is not None:
            size = min(size, limit)
        at = start % self.capacity
        end = at + size
        if end <= self.capacity:
            return Chunk(bytes(self._buffer[at:end]), start)
        return Chunk(bytes(self._buffer[at:]) + bytes(self._buffer[: end - self.capacity]), start)
