"""One question to the terminals: what do you show after these bytes and resizes?"""

from collections.abc import Mapping
from dataclasses import dataclass

from coop.model.screen import Size

Step = bytes | Size
"""Bytes arrive as one chunk; a size is a resize to it."""


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    group: str
    steps: tuple[Step, ...]
    cols: int = 20
    rows: int = 6

    @property
    def size(self) -> Size:
        return Size(self.cols, self.rows)


def cases(group: str, table: Mapping[str, bytes | tuple[Step, ...]]) -> tuple[Case, ...]:
    """One case a row; bytes alone are a single chunk."""
    return tuple(Case(name, group, (steps,) if isinstance(steps, bytes) else steps) for name, steps in table.items())
