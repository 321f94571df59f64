"""Frames as bytes, on the main screen: the past is printed once, what is below it is erased row by row and drawn anew."""

from collections.abc import Sequence
from dataclasses import dataclass

from coop_sim.cells import cut

CLEAR = "\x1b[2J\x1b[3J\x1b[H"


@dataclass(frozen=True, slots=True)
class Frame:
    past: Sequence[str]
    """Never changes again, but grows."""
    live: Sequence[str]
    cursor: tuple[int, int] | None
    """Row of the live part, and column; `None` leaves it below all."""
    columns: int
    rows: int


@dataclass
class Painter:
    _printed: int = 0
    _last: tuple[str, ...] = ()
    _at: tuple[int, int] | None = None
    _below: int = 0
    """How many rows the cursor stands above the end."""

    def forget(self) -> None:
        """The screen is cleared, and the past is another one."""
        self._printed, self._last, self._at, self._below = 0, (), None, 0

    def draw(self, frame: Frame) -> str:
        new = frame.past[self._printed :]
        hidden = max(0, len(frame.live) - frame.rows + 1)
        live = tuple(cut(row, frame.columns) for row in frame.live[hidden:])
        at = (frame.cursor[0] - hidden, frame.cursor[1]) if frame.cursor else None
        if not new and (live, at) == (self._last, self._at):
            return ""
        drawn = self._erased() + "".join(f"{row}\r\n" for row in (*new, *live))
        self._printed, self._last, self._at = len(frame.past), live, at
        self._below = len(live) - at[0] if at else 0
        return drawn + (f"\x1b[{self._below}A\x1b[{at[1] + 1}G" if at else "")

    def _erased(self) -> str:
        down = f"\x1b[{self._below}B" if self._below else ""
        return f"{down}{chr(27)}[2K" + "\x1b[1A\x1b[2K" * len(self._last) + "\x1b[G" if self._last else ""
