"""How things look on a terminal: states, ages, tables, and text that comes from elsewhere and may hide something."""

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import click

from coop.model.state import ExitStatus

Style = Mapping[str, Any]
PLAIN: Style = {}
DIM: Style = {"dim": True}
BOLD: Style = {"bold": True}
ASKS: Style = {"fg": "yellow", "bold": True}
STATES: Mapping[str, Style] = {
    "starting": {"fg": "blue"},
    "working": {"fg": "cyan"},
    "waiting_for_input": {"fg": "green"},
    "permission_prompt": ASKS,
    "plan_prompt": ASKS,
    "ask_user": ASKS,
    "setup_prompt": ASKS,
    "error": {"fg": "red", "bold": True},
    "alt_screen": {"fg": "magenta"},
    "exited": DIM,
    "unknown": DIM,
}
GAP = "  "
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
"""What moves the cursor, changes colours, turns the direction of writing, cannot be seen at all, or is no letter but a byte."""

Cell = tuple[str, Style]
"""Text, and how it looks."""


def harmless(text: str) -> str:
    """As it is, except that what a terminal would obey is spelled out: `\\x1b`, `\\u202e`."""
    return _HIDDEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    return " ".join(harmless(text).split())


def ended(status: ExitStatus) -> str:
    """`with code 7`, `by signal 9`, or nothing where that is not known."""
    if status.signal is not None:
        return f"by signal {status.signal}"
    return f"with code {status.code}" if status.code is not None else ""


def painted(text: str, style: Style = PLAIN) -> str:
    return click.style(text, **style) if style and text else text


def state_word(name: str) -> str:
    return painted(harmless(name), STATES.get(name, PLAIN))


def age(seconds: float) -> str:
    """`4s`, `3m07s`, `2h05m`, `4d03h`."""
    whole = max(0, int(seconds))
    for unit, size, lesser, each in (("d", 86400, "h", 3600), ("h", 3600, "m", 60), ("m", 60, "s", 1)):
        if whole >= size:
            return f"{whole // size}{unit}{whole % size // each:02d}{lesser}"
    return f"{whole}s"


def place(path: str, home: str | None) -> str:
    """A path as people write it."""
    return f"~{path[len(home) :]}" if home and (path == home or path.startswith(home.rstrip("/") + os.sep)) else path


def table(rows: Sequence[Sequence[Cell]], *, width: int | None) -> list[str]:
    """Columns below each other. With a `width` the last one is cut to it."""
    widths = [max(len(text) for text, _ in column) for column in zip(*rows, strict=True)]
    return [_line(row, widths, width) for row in rows]


def _line(row: Sequence[Cell], widths: Sequence[int], width: int | None) -> str:
    *cells, (last, style) = row
    before = sum(widths[:-1]) + len(GAP) * len(cells)
    padded = [painted(text, look) + " " * (room - len(text)) for (text, look), room in zip(cells, widths, strict=False)]
    return GAP.join([*padded, painted(cut(last, width - before if width is not None else None), style)]).rstrip()


def cut(text: str, room: int | None) -> str:
    """With an ellipsis where it does not fit."""
    return text if room is None or len(text) <= room else f"{text[: max(0, room - 1)]}…"


def fields(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """`name  value`, below each other; those without a value are left out."""
    given = [(name, value) for name, value in pairs if value]
    room = max((len(name) for name, _ in given), default=0)
    return [f"{painted(name.ljust(room), DIM)}{GAP}{value}" for name, value in given]
