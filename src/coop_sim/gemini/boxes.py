"""Boxes and marks, as Gemini draws them."""

from collections.abc import Sequence

from coop_sim.cells import cut, width, wrap


def box(rows: Sequence[str], columns: int, *, indent: int = 0) -> list[str]:
    """Rows that are too long are broken between words."""
    outer = columns - 2 * indent
    inside, margin = outer - 4, " " * indent
    broken = [each for row in rows for each in (wrapped(row, inside) if width(row) > inside else [row])]
    edge = "─" * (outer - 2)
    return [f"{margin}╭{edge}╮", *(f"{margin}│ {padded(row, inside)} │" for row in broken), f"{margin}╰{edge}╯"]


def wrapped(row: str, columns: int) -> list[str]:
    """A row's own indentation is kept."""
    bare = row.lstrip(" ")
    lead = " " * (len(row) - len(bare))
    return wrap(bare, columns, first=lead, rest=lead)


def padded(row: str, columns: int) -> str:
    row = cut(row, columns)
    return row + " " * (columns - width(row))


def split(left: str, right: str, columns: int) -> str:
    """One at each end; the left one is cut when there is no room."""
    room = columns - width(right) - 1
    if width(left) > room:
        left = cut(left, room - 1) + "…"
    return padded(left, columns - width(right)) + right


def fence(row: Sequence[str], columns: int, *, is_bright: bool) -> list[str]:
    """What a person said, and the input: between half-filled rows, or blank ones where there are few colours."""
    above, below = ("▄" * columns, "▀" * columns) if is_bright else ("", "")
    return [above, *row, below]
