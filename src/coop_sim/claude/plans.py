"""The plan dialog, and where plans are kept."""

import re
from pathlib import Path

from coop_sim.cells import wrap
from coop_sim.claude.answers import Allow, Deny
from coop_sim.claude.menu import Menu, Option
from coop_sim.claude.versions import Version

_ASK = "Claude has written up a plan and is ready to execute. Would you like to proceed?"


def plan_path(config_dir: Path, prompt: str) -> Path:
    words = re.sub(r"[^a-z0-9]+", "-", prompt.lower()).strip("-")[:40].strip("-")
    return config_dir / "plans" / f"{words or 'plan'}-pretend-otter.md"


def plan_rows(plan: str) -> list[str]:
    """Markdown as it is shown: headings lose their marks, and a blank line follows."""
    rows: list[str] = []
    for line in plan.strip("\n").split("\n"):
        heading = line.startswith("#")
        rows += [line.lstrip("# ") if heading else line, *([""] if heading else [])]
    return rows


def plan_dialog(plan: str, shown_path: str, version: Version, columns: int, *, bypasses: bool) -> Menu:
    wide, indent = (columns - 2, 3) if version.is_fullscreen else (columns, 1)
    left, margin = " " * (indent - 1), " " * indent
    rule, dashes = left + "─" * wide, left + "╌" * wide
    body = [f"{margin}{row}".rstrip() for row in plan_rows(plan)]
    top = ("▔" * columns, "", rule) if version.is_fullscreen else (rule,)
    told = (f"{margin}Ready to code?", "", f"{margin}Here is Claude's plan:")
    asked = wrap(_ASK, wide, first=margin, rest=margin)
    heading = (*top, *told, dashes, *body, dashes, "", rule, *asked, "")
    editor = "ctrl+g to edit in Vim · " if version.is_fullscreen else "ctrl+g to edit in  Vim  · "
    first = "bypassPermissions" if bypasses else "auto"
    label = "Yes, and bypass permissions" if bypasses else "Yes, and use auto mode"
    options = (
        Option(label, Allow(mode=first)),
        Option("Yes, manually approve edits", Allow(mode="default")),
        Option("Tell Claude what to change", Deny(), under="shift+tab to approve with this feedback", takes_text=True),
    )
    edits = Allow(mode="acceptEdits")
    return Menu(heading, options, editor + shown_path, Deny(), indent=indent, shift_tab=edits)


def no_plan_dialog(columns: int) -> Menu:
    heading = ("─" * columns, " Exit plan mode?", "", " Claude wants to exit plan mode", "")
    return Menu(heading, (Option("Yes", Allow(mode="default")), Option("No", Deny())), "", Deny())
