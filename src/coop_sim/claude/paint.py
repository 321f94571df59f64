"""Frames as bytes: on the main screen the past scrolls away above a live part, on the alternate one all is redrawn."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from coop_sim.cells import CURSOR, cut, width


@dataclass(frozen=True, slots=True)
class Frame:
    """`past` never changes again but grows; `live` is redrawn; with `pinned` the live part's end is at the bottom."""

    past: Sequence[str]
    live: Sequence[str]
    pinned: Sequence[str]
    columns: int
    rows: int


class Painter(Protocol):
    def draw(self, frame: Frame) -> bytes: ...

    def forget(self) -> None:
        """The next frame is drawn from nothing: the screen was cleared or has a new size."""
        ...


@dataclass
class Inline:
    """Draws below what was there. Words are placed with CSI G, as the real one does: no spaces between them."""

    _printed: int = 0
    _live: int = 0
    _is_fresh: bool = False
    _last: tuple[str, ...] = ()
    _below: int = 0
    """How many rows there are below the cursor."""

    def forget(self) -> None:
        self._printed, self._live, self._is_fresh, self._last, self._below = 0, 0, True, (), 0

    def draw(self, frame: Frame) -> bytes:
        new = [cut(row, frame.columns) for row in frame.past[self._printed :]]
        live = tuple(cut(row, frame.columns) for row in [*frame.live, *frame.pinned][-(frame.rows - 1) :])
        if not new and live == self._last and not self._is_fresh:
            return b""
        start = "\x1b[2J\x1b[3J\x1b[H" if self._is_fresh else self._back()
        self._printed, self._live, self._last, self._is_fresh = len(frame.past), len(live), live, False
        return (start + "\r\n".join(_placed(row) for row in [*new, *live]) + self._to_cursor(live)).encode()

    def _back(self) -> str:
        up = self._live - 1 - self._below
        return "\r" + (f"\x1b[{up}A" if up > 0 else "") + "\x1b[J"

    def _to_cursor(self, live: tuple[str, ...]) -> str:
        found = cursor_in(live)
        self._below = len(live) - 1 - found[0] if found else 0
        return "" if found is None else (f"\x1b[{self._below}A" if self._below else "") + f"\x1b[{found[1] + 1}G"


@dataclass
class FullScreen:
    _shown: list[str] = field(default_factory=list[str])

    def forget(self) -> None:
        self._shown = []

    def draw(self, frame: Frame) -> bytes:
        wanted = _fitted(frame)
        if len(self._shown) != len(wanted):  # a new size, of which the signal has not come yet
            self.forget()
        start = "" if self._shown else "\x1b[2J\x1b[H"
        before = self._shown or [""] * frame.rows
        self._shown = wanted
        changed = (f"\x1b[{n}H{row}\x1b[K" for n, row in enumerate(wanted, 1) if row != before[n - 1])
        drawn = start + "".join(changed)
        found = cursor_in(wanted)
        return (drawn + (f"\x1b[{found[0] + 1};{found[1] + 1}H" if found and drawn else "")).encode()


def _fitted(frame: Frame) -> list[str]:
    pinned = list(frame.pinned)[-frame.rows :]
    room = frame.rows - len(pinned)
    above = [*frame.past, *frame.live][-room:] if room else []
    return [cut(row, frame.columns) for row in [*above, *[""] * (room - len(above)), *pinned]]


def cursor_in(rows: Sequence[str]) -> tuple[int, int] | None:
    """Row and column of the cell in reverse; `None` when there is none."""
    return next(((n, width(row[: row.index(CURSOR)])) for n, row in enumerate(rows) if CURSOR in row), None)


def _placed(row: str) -> str:
    def place(gap: "re.Match[str]") -> str:
        return f"\x1b[{width(row[: gap.end()]) + 1}G"

    return re.sub(r"(?<!\x1b\[7m) +(?=\S)", place, row)
