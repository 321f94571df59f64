"""The whole screen from what there is to show; nothing here remembers anything."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from coop_sim.gemini.blocks import Block, rows
from coop_sim.gemini.boxes import fence, padded, split
from coop_sim.gemini.composer import Composer
from coop_sim.gemini.paint import Frame

_MODES = {
    "default": "Shift+Tab to accept edits",
    "auto_edit": "auto-accept edits Shift+Tab to plan",
    "plan": "plan Shift+Tab to manual",
    "yolo": "YOLO Ctrl+Y",
}
_SHELL = " shell mode enabled (esc to disable)"
_TIPS = (
    "Tips for getting started:",
    "1. Create GEMINI.md files to customize your interactions",
    "2. /help for more information",
    "3. Ask coding questions, edit code or run commands",
    "4. Be specific for the best results",
)


@dataclass(frozen=True, slots=True)
class View:
    cwd: Path
    mode: str
    model: str
    past: Sequence[Block]
    head: Sequence[str]
    """The banner, and what it warns of: the first rows of the past."""
    live: Sequence[Block]
    status: str
    """What is done now, or is to be known; empty at rest."""
    queued: Sequence[str]
    composer: Composer
    dialog: Sequence[str] | None
    """Its rows; `None` when there is none."""
    is_bright: bool
    is_trusted: bool = True


def frame(view: View, columns: int, height: int) -> Frame:
    past = [*view.head, *rows(view.past, columns, is_bright=view.is_bright)]
    live = rows(view.live, columns, is_bright=view.is_bright, after=view.past[-1] if view.past else None)
    if view.dialog is not None:
        return Frame(past, [*live, "", *view.dialog, ""], None, columns, height)
    above = [*live, "", *_queued(view.queued), "", _status(view, columns), "─" * columns, f" {_mode(view)}"]
    typed = view.composer.rows(columns)
    row, column = view.composer.cursor(columns)
    drawn = [padded(each, columns) for each in typed]
    below = [*view.composer.below(view.cwd), *_footer(view, columns)]
    return Frame(
        past,
        [*above, *fence(drawn, columns, is_bright=view.is_bright), *below],
        (len(above) + 1 + row, column),
        columns,
        height,
    )


def _queued(queued: Sequence[str]) -> list[str]:
    return ["", "  Queued (press ↑ to edit):", *(f"    {' '.join(text.split())}" for text in queued)] if queued else []


def _status(view: View, columns: int) -> str:
    shortcuts = "" if view.composer.text else "? for shortcuts"
    return split(view.status, f"{shortcuts} " if shortcuts else "", columns).rstrip()


def _mode(view: View) -> str:
    return _SHELL if view.composer.runs_shell else _MODES[view.mode]


def _footer(view: View, columns: int) -> list[str]:
    """Three columns: where, how safe, and which model."""
    where, sandbox = str(view.cwd), "no sandbox" if view.is_trusted else "untrusted"
    middle = max((columns - 4) // 2, len(where) + 2)
    heads = split(padded(" workspace (/directory)", middle) + " sandbox", "/model", columns - 1)
    return [heads, split(padded(f" {where}", middle) + f" {sandbox}", view.model, columns - 1)]


def banner(version: str, *, is_signed_in: bool, has_tips: bool, notices: Sequence[str]) -> list[str]:
    auth = "Authenticated with gemini-api-key /auth" if is_signed_in else "Not signed in /auth"
    logo = ["", f" ▝▜▄     Gemini CLI v{version}", "   ▝▜▄", f"  ▗▟▀    {auth}", " ▝▀", "", ""]
    tips = _TIPS if has_tips else ()
    return [*logo, *tips, *(row for notice in notices for row in ("", *notice.split("\n")))]
