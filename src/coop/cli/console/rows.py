"""Rows of a screen as the bytes that draw them, cut to what a terminal has room for."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from coop.model.screen import PLAIN, Run, Size, Style
from coop.terminal.ghostty_cells import sgr

BEYOND = Style(faint=True)
"""How the part of a terminal looks that the session does not reach."""

Row = tuple[Run, ...]
"""Runs in the order of their columns, without gaps."""


class Window(NamedTuple):
    """The part of a session's screen that is shown: from a row and a column on, so much of it."""

    top: int
    left: int
    size: Size

    def cut(self, row: Iterable[Run], cols: int) -> Row:
        """What can be seen of a row of a session that is `cols` wide."""
        seen = tuple(piece for run in row if (piece := self._cut(run)) is not None)
        reach = cols - self.left
        if reach >= self.size.cols:
            return seen
        at = seen[-1].col + seen[-1].width if seen else 0
        gap = (Run(at, " " * (reach - at), reach - at),) if reach > at else ()
        return (*seen, *gap, self._beyond(reach))

    def outside(self) -> Row:
        """A row below the session's last."""
        return (self._beyond(0),)

    def _beyond(self, col: int) -> Run:
        width = self.size.cols - col
        return Run(col, "·" * width, width, BEYOND)

    def _cut(self, run: Run) -> Run | None:
        col, end = run.col - self.left, min(run.col - self.left + run.width, self.size.cols)
        if end <= 0 or col >= self.size.cols:
            return None
        if col >= 0 and end == col + run.width:
            return run._replace(col=col)
        start = max(0, -col)
        width = end - max(0, col)
        text = " " * width if run.is_odd else run.text[start : start + width]  # half a character cannot be shown
        return Run(max(0, col), text, width, run.style)


def redrawn(number: int, old: Row | None, new: Row, width: int) -> bytes:
    """Makes the terminal's row `number` (from zero) what `new` says; nothing when it is so already.

    `old` is what it shows; `None` when nobody knows.
    """
    if old == new:
        return b""
    start, runs = (0, new) if old is None else _from_first_difference(old, new)
    # What is left of an odd character that is overwritten depends on the terminal: nothing shall be left of it.
    erased = "\x1b[K" if old is not None and any(run.is_odd and run.col >= start for run in old) else ""
    pieces = [f"\x1b[{number + 1};{start + 1}H", erased, *_drawn(runs, width)]
    end = runs[-1].col + runs[-1].width if runs else start
    if end < width:
        pieces.append("\x1b[0m\x1b[K")
    elif runs and runs[-1].style != PLAIN:
        pieces.append("\x1b[0m")
    return "".join(pieces).encode()


def _drawn(runs: Sequence[Run], width: int) -> Iterator[str]:
    pen, is_sure = PLAIN, True
    for run in runs:
        if not is_sure:
            yield f"\x1b[{run.col + 1}G"
        if run.style != pen:
            yield _sgr(run.style)
            pen = run.style
        # At the edge, one that is wider than we think must not wrap.
        yield f"\x1b[?7l{run.text}\x1b[?7h" if run.is_odd and run.col + run.width >= width else run.text
        is_sure = not run.is_odd


def _from_first_difference(old: Row, new: Row) -> tuple[int, Row]:
    """The column from which on they differ, and what is to be drawn there."""
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    if same == len(new):
        end = new[-1].col + new[-1].width if new else 0
        return end, ()
    first, rest = new[same], new[same + 1 :]
    common = _common(old[same], first) if same < len(old) else 0
    kept = Run(first.col + common, first.text[common:], first.width - common, first.style, first.is_odd)
    return kept.col, (kept, *rest) if kept.width else rest


def _common(old: Run, new: Run) -> int:
    """How many characters two runs have in common from their beginning."""
    if old.is_odd or new.is_odd or (old.col, old.style) != (new.col, new.style):
        return 0
    common = 0
    for mine, theirs in zip(old.text, new.text, strict=False):
        if mine != theirs:
            break
        common += 1
    return common


@lru_cache(maxsize=4096)
def _sgr(style: Style) -> str:
    return sgr(style)
