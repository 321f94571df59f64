"""The whole screen from what there is to show; nothing here remembers anything."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from coop_sim.cells import placeholder, width
from coop_sim.claude.blocks import Block, rows
from coop_sim.claude.composer import COMMANDS, Composer
from coop_sim.claude.menu import Dialog
from coop_sim.claude.paint import Frame
from coop_sim.claude.versions import Version

_MODES = {
    "acceptEdits": "⏵⏵ accept edits on",
    "auto": "⏵⏵ auto mode on",
    "bypassPermissions": "⏵⏵ bypass permissions on",
    "dontAsk": "⏵⏵ don't ask on",
    "plan": "⏸ plan mode on",
}
_CYCLE = " (shift+tab to cycle)"


@dataclass(frozen=True, slots=True)
class View:
    version: Version
    cwd: Path
    mode: str
    past: Sequence[Block]
    live: Sequence[Block]
    spinner: str | None
    """The spinner's row; `None` when nothing is being worked on."""
    queued: Sequence[str]
    composer: Composer
    dialog: Dialog | None
    notice: str
    """What stands in the footer's place for a moment: `Press Ctrl-C again to exit`."""
    has_banner: bool = True


def frame(view: View, columns: int, height: int) -> Frame:
    past = [*(banner(view.version, view.cwd, columns) if view.has_banner else []), *rows(view.past, columns)]
    live = rows(view.live, columns)
    if view.dialog is not None:
        dialog = view.dialog.rows(columns)
        # A dialog that begins with its rule leaves a blank row above; a question does not.
        return Frame(past, [*live, *([""] if live and dialog[0] else []), *dialog], (), columns, height)
    spinner = ["", view.spinner] if view.spinner else []
    queued = ["", *(f"  ❯ {text}" for text in view.queued)] if view.queued else []
    if view.version.is_fullscreen:
        return Frame(past, live, [*spinner, *queued, *_box_below(view, columns)], columns, height)
    return Frame(past, [*live, *spinner, *queued, "", *_box_above(view, columns)], (), columns, height)


def _box(view: View, columns: int) -> list[str]:
    rule = "─" * columns
    if view.queued and not view.composer.text:
        return [rule, "❯\u00a0" + placeholder("Press up to edit queued messages"), rule]
    return [rule, *view.composer.rows(columns), rule]


def _box_above(view: View, columns: int) -> list[str]:
    """2.1.197: completions take the footer's place, below the box."""
    matches = view.composer.completions()
    if matches:
        return [*_box(view, columns), *(f"{name:<30}{COMMANDS[name]}" for name in matches[:8])]
    return [*_box(view, columns), _right(_footer(view), view.version.effort, columns)]


def _box_below(view: View, columns: int) -> list[str]:
    """2.1.325: completions are above the box, and the effort is there when they are not."""
    matches = view.composer.completions()
    shown = [f"  {'❯' if n == 0 else ' '} {name:<28}{COMMANDS[name]}" for n, name in enumerate(matches[:6])]
    above = shown or [_right("", view.version.effort, columns)]
    return [*above, *_box(view, columns), _footer(view)]


def _footer(view: View) -> str:
    if view.notice:
        return f"  {view.notice}"
    if view.composer.text.startswith("!"):
        return "  ! for shell mode"
    mode = _MODES.get(view.mode, "⏸ manual mode on" if view.version.names_manual_mode else "")
    cycle = _CYCLE if mode and view.mode != "default" else ""
    if view.spinner:
        hints = "esc to interrupt · ← for agents"
    elif view.composer.text:
        hints = ""
    else:
        hints = "← for agents" if cycle else "? for shortcuts · ← for agents"
    return "  " + " · ".join(part for part in (mode + cycle, hints) if part) if mode or hints else ""


def _right(left: str, right: str, columns: int) -> str:
    gap = columns - width(left) - width(right) - 2
    return left + " " * max(gap, 1) + right


def banner(version: Version, cwd: Path, columns: int) -> list[str]:
    if version.is_fullscreen:
        billing = f"{version.model_name} · API Usage Billing"
        return ["", f" ▐▛███▛█   Claude Code v{version.number}", f"▝▜██████▀  {billing}", f" ▝▝   ▝▝   {cwd}", ""]
    inside = columns - 4
    title = f"╭─── Claude Code v{version.number} "
    middle = [
        "",
        "Welcome back!",
        "",
        "▐▛███▜▌",
        "▝▜█████▛▘",
        "▘▘ ▝▝",
        "",
        f"{version.model_name} · API Usage Billing",
        str(cwd),
    ]
    drawn = [f"│ {line:^{inside}} │" for line in middle]
    return [title + "─" * (columns - len(title) - 1) + "╮", *drawn, "╰" + "─" * (columns - 2) + "╯", ""]
