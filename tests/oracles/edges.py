"""The colour of the blanks at the end of a row: tmux 3.3 captures nothing past the last character it was sent.

A mark in the last column makes it tell the blanks before the mark.
"""

from collections.abc import Sequence

from coop.model.screen import Cell, Style

_PLAINLY = b"\x1b[?6l\x1b[r\x1b[4l\x1b[?7l\x1b(B\x0f\x1b[m"


def marks(rows: Sequence[Sequence[Cell]], cols: int) -> bytes:
    """What to write so that a second capture tells every row to its end."""
    ends = (f"\x1b[{n};{cols}H|" for n, row in enumerate(rows, 1) if _is_short(row, cols))
    return _PLAINLY + "".join(ends).encode()


def completed(rows: Sequence[Sequence[Cell]], marked: Sequence[Sequence[Cell]], cols: int) -> list[list[Cell]]:
    return [
        [*row, *_blanks(more[len(row) : cols - 1])] if _is_short(row, cols) else list(row)
        for row, more in zip(rows, marked, strict=True)
    ]


def _is_short(row: Sequence[Cell], cols: int) -> bool:
    """Rows with other than ASCII are left alone: the mark could cut a wide character."""
    return len(row) < cols and all(cell.text.isascii() for cell in row)


def _blanks(told: Sequence[Cell]) -> list[Cell]:
    """The last column has the mark on it; it had the colour of its neighbour."""
    blanks = [Cell("", 1, Style(bg=cell.style.bg)) for cell in told]
    return [*blanks, *blanks[-1:]]
