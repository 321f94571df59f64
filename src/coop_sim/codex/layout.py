"""The whole screen from what there is to show; nothing here remembers anything."""

from collections.abc import Sequence
from dataclasses import dataclass

from coop_sim.cells import width, wrap
from coop_sim.codex.blocks import Block
from coop_sim.codex.composer import Composer
from coop_sim.codex.flags import VERSION
from coop_sim.codex.menu import Dialog
from coop_sim.codex.paint import Frame

_PLAN = "Plan mode (shift+tab to cycle)"
_QUEUED_ROWS, _BEHIND = 3, " " * 4
_BELOW = 5
"""Rows of the composer's box besides its own: above, below, and the two of the footer."""


@dataclass(frozen=True, slots=True)
class View:
    place: str
    """Where it works; `loading` before that is known."""
    past: Sequence[Block]
    composer: Composer
    footer: str
    """Model, folder and title; empty before it is ready."""
    is_planning: bool
    status: str = ""
    """What it is doing; empty when nothing is to be told."""
    queued: Sequence[str] = ()
    dialog: Dialog | None = None
    notice: str = ""
    is_leaving: bool = False


def frame(view: View, columns: int, height: int) -> Frame:
    if view.dialog is not None:
        rows, cursor = view.dialog.rows(columns)
        top = height - len(rows)
        above = _past(view, columns, max(top - 1, 0))
        placed = None if cursor is None else (top + cursor[0], cursor[1])
        return Frame([*above, "", *rows][-height:], placed)
    box, (row, column) = _box(view, columns, max(height - _BELOW - 4, 1))
    status = ["", view.status] if view.status else []
    queued = _queue(view.queued, columns)
    room = height - len(box) - len(status) - len(queued) - 1
    rows = [*_past(view, columns, max(room, 0)), *status, *queued, "", *box]
    cursor = None if view.is_leaving else (len(rows) - len(box) + row, column)
    return Frame(rows, cursor)


def _past(view: View, columns: int, room: int) -> list[str]:
    """The end of the transcript, and blanks below it. Only what is seen is made."""
    rows: list[str] = []
    for block in reversed(view.past):
        if len(rows) >= room:
            break
        rows = [*block.rows(columns), *([""] if rows else []), *rows]
    if len(rows) < room:
        header = ["", f"  >_ OpenAI Codex (v{VERSION})", f"     {view.place}", ""]
        rows = [*header, *rows]
    rows = rows[-room:] if room else []
    return [*rows, *[""] * (room - len(rows))]


def _queue(queued: Sequence[str], columns: int) -> list[str]:
    if not queued:
        return []
    rows = [row for text in queued for row in _waiting(text, columns)]
    return ["• Queued follow-up inputs", *rows, "    shift+← edit last queued message"]


def _waiting(text: str, columns: int) -> list[str]:
    """The beginning of a long one."""
    rows = wrap(text, columns, first="  ↳ ", rest=_BEHIND)
    return [*rows[:_QUEUED_ROWS], *([f"{_BEHIND}…"] if len(rows) > _QUEUED_ROWS else [])]


def _box(view: View, columns: int, most: int) -> tuple[list[str], tuple[int, int]]:
    rows, cursor = (["› Shutting down..."], (0, 2)) if view.is_leaving else view.composer.rows(columns, most)
    mode = _PLAN if view.is_planning else ""
    footer = f"  {view.footer}" if view.footer else ""
    gap = " " * max(columns - width(footer) - width(mode) - 2, 1)
    hint = f"  {view.notice}" if view.notice else "  ? for shortcuts" if view.composer.is_empty else ""
    return ["", *rows, "", f"{footer}{gap}{mode}" if mode else footer, hint], (cursor[0] + 1, cursor[1])
