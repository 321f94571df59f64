"""What a driver of Gemini CLI depends on, read from a screen and from the bytes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coop.model.screen import ScreenSnapshot

MODES = frozenset({"?1000", "?1002", "?1003", "?1004", "?1006", "?2004"})
_RULE = re.compile(r"^─{20,}$")
_TOP, _BOTTOM = re.compile(r"^ ?╭─+╮$"), re.compile(r"^ ?╰─+╯$")
_TITLE = re.compile(rb"\x1b\]0;([^\x07]*)\x07")
_QUERY = re.compile(rb"\x1b\[\?u|\x1b\]11;\?\x1b\\|\x1b\[>q|\x1b\[>4;\?m|\x1b\[c")
_SPINNER = re.compile(r"[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] (?P<words>.*), \d+s\)")


@dataclass(frozen=True, slots=True)
class Facts:
    below: tuple[str, ...]
    """The dialog, or the input with the row above its rule and all that is under it."""
    last: str
    """The row above that; empty while an answer comes in."""
    column: int
    """Of the cursor, which is never seen."""
    title: str
    modes: frozenset[str]
    alt_screen: bool

    @property
    def is_answering(self) -> bool:
        return self.title.startswith("✦")


def facts(shown: ScreenSnapshot, modes: frozenset[str], places: Mapping[str, str]) -> Facts:
    """`places` are the paths that differ from run to run, and what stands for them."""
    rows = [_normal(row, places) for row in shown.lines]
    dialog = dialog_in(rows)
    top = _row_of(rows, dialog) if dialog else _input(rows)
    below = dialog or _without_remains(rows[top:])
    title = shown.title.rstrip()
    above = next((row for row in reversed(rows[:top]) if row), "")
    return Facts(tuple(below), "" if title.startswith("✦") else above, shown.cursor.col, title, modes & MODES, shown.alt_screen)


def _normal(row: str, places: Mapping[str, str]) -> str:
    for path, name in places.items():
        row = row.replace(path, name)
    row = _SPINNER.sub(r"⠋ \g<words>, Ns)", row.rstrip(" "))
    return re.sub(r" {3,}(?=sandbox|no sandbox|/model|gemini-|Auto)", "   ", row)


def dialog_in(rows: Sequence[str]) -> tuple[str, ...]:
    """The box that ends the screen, whole; empty when none does."""
    shown = [row.rstrip() for row in rows]
    while shown and not shown[-1]:
        shown.pop()
    if not shown or not _BOTTOM.match(shown[-1]):
        return ()
    edge = shown[-1].replace("╰", "╭").replace("╯", "╮")
    top = next((n for n in range(len(shown) - 1, -1, -1) if shown[n] == edge), None)
    return () if top is None else tuple(shown[top:])


def _row_of(rows: Sequence[str], dialog: Sequence[str]) -> int:
    last = max(n for n, row in enumerate(rows) if row)
    return last - len(dialog) + 1


def _input(rows: Sequence[str]) -> int:
    """The row above the rule; the end when there is no rule."""
    return next((n - 1 for n in range(len(rows) - 1, 0, -1) if _RULE.match(rows[n])), len(rows))


def _without_remains(rows: Sequence[str]) -> list[str]:
    """Up to the footer's end: what a resize left under it means nothing. The list of all commands is Gemini's own."""
    end = next((n for n, row in enumerate(rows) if row.startswith(" CWD ")), len(rows))
    return list(rows[: end + 1])


def titles(output: bytes) -> list[str]:
    """Without repetitions."""
    told: list[str] = []
    for raw in _TITLE.findall(output):
        title = raw.decode().rstrip()
        if not told or told[-1] != title:
            told.append(title)
    return told


def queries(output: bytes) -> list[bytes]:
    """What the terminal was asked."""
    return _QUERY.findall(output)
