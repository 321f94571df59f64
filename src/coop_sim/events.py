"""Server-sent events: bytes in, events out."""

from collections.abc import Iterator
from dataclasses import dataclass

from coop_sim.shapes import Table, read_table


@dataclass
class Stream:
    """What is cut off waits for the rest."""

    _held: bytes = b""

    def receive(self, data: bytes) -> Iterator[Table]:
        *whole, self._held = (self._held + data).replace(b"\r\n", b"\n").split(b"\n\n")
        for event in whole:
            for line in event.decode(errors="replace").split("\n"):
                if line.startswith("data:"):
                    yield read_table(line[5:])
