"""What a terminal shows, in the words that all of them share, and how two of them differ."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from coop.model.screen import PLAIN, Cell, Style


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring characters of one style."""

    text: str
    style: Style = PLAIN


@dataclass(frozen=True, slots=True)
class Seen:
    rows: tuple[tuple[Run, ...], ...]
    cursor: tuple[int, int]
    """Row and column from zero. A cursor that waits past the edge is told on the last column."""
    alternate: bool
    title: str
    widths: tuple[str, ...] | None
    """A digit for each character of a row; `None` when the terminal does not tell."""

    @property
    def text(self) -> tuple[str, ...]:
        return tuple("".join(run.text for run in row).rstrip(" ") for row in self.rows)


def see(
    cells: Sequence[Iterable[Cell]],
    cursor: tuple[int, int],
    *,
    cols: int,
    alternate: bool,
    title: str,
    tells_widths: bool = True,
) -> Seen:
    rows = [_trimmed(row) for row in cells]
    return Seen(
        rows=tuple(_runs(row) for row in rows),
        cursor=(cursor[0], min(cursor[1], cols - 1)),
        alternate=alternate,
        title=title,
        widths=tuple("".join(str(cell.width) for cell in row) for row in rows) if tells_widths else None,
    )


def differences(ours: Seen, theirs: Seen) -> tuple[str, ...]:
    """In what the two differ; empty when they agree."""
    aspects = {
        "text": ours.text == theirs.text,
        "style": ours.rows == theirs.rows or ours.text != theirs.text,
        "width": None in (ours.widths, theirs.widths) or ours.widths == theirs.widths or ours.text != theirs.text,
        "cursor": ours.cursor == theirs.cursor,
        "screen": ours.alternate == theirs.alternate,
        "title": ours.title == theirs.title,
    }
    return tuple(aspect for aspect, same in aspects.items() if not same)


def _trimmed(row: Iterable[Cell]) -> list[Cell]:
    shown = [_visible(cell) for cell in _whole(row)]
    while shown and shown[-1].text == " " and shown[-1].style == PLAIN:
        shown.pop()
    return shown


def _whole(row: Iterable[Cell]) -> Iterator[Cell]:
    """A wide character without its second half. A second half that lost its first still takes a column."""
    before = 1
    for cell in row:
        if cell.width > 0:
            yield cell
        elif before != 2:
            yield replace(cell, text="", width=1)
        before = cell.width


def _visible(cell: Cell) -> Cell:
    """The cell without what nobody can see: bold on a blank, the colour of a line that is not drawn."""
    text, style = cell.text or " ", cell.style
    if not style.underline:
        style = replace(style, underline_color=None)
    if text == " ":
        fg = style.fg if style.inverse or style.underline or style.strikethrough or style.overline else None
        style = replace(style, fg=fg, bold=False, faint=False, italic=False, blink=False, invisible=False)
    return replace(cell, text=text, style=style)


def _runs(row: list[Cell]) -> tuple[Run, ...]:
    return tuple(Run("".join(cell.text for cell in cells), style) for style, cells in groupby(row, key=lambda cell: cell.style))
