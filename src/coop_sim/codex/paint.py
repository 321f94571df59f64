"""Frames as bytes: what changed since the last one, in one piece."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from coop_sim.cells import cut


@dataclass(frozen=True, slots=True)
class Frame:
    rows: Sequence[str]
    cursor: tuple[int, int] | None
    """Hidden when `None`."""


@dataclass
class Painter:
    _shown: list[str] = field(default_factory=list[str])
    _cursor: tuple[int, int] | None = None

    def forget(self) -> None:
        """The next frame is drawn from nothing: the screen has a new size."""
        self._shown = []

    def draw(self, frame: Frame, columns: int) -> str:
        wanted = [cut(row, columns) for row in frame.rows]
        if len(self._shown) != len(wanted):  # a new size, of which the signal has not come yet
            self.forget()
        start = "" if self._shown else "\x1b[1;1H\x1b[J"
        before = self._shown or [""] * len(wanted)
        changed = "".join(f"\x1b[{n};1H\x1b[2K{row}" for n, row in enumerate(wanted, 1) if row != before[n - 1])
        if not start and not changed and frame.cursor == self._cursor:
            return ""
        self._shown, self._cursor = wanted, frame.cursor
        return f"\x1b[?2026h\x1b[?25l{start}{changed}{_cursor(frame)}\x1b[?2026l"


def _cursor(frame: Frame) -> str:
    return "" if frame.cursor is None else f"\x1b[{frame.cursor[0] + 1};{frame.cursor[1] + 1}H\x1b[?25h"
