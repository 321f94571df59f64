"""The dialogs in the middle of the work: may a command run, may files be changed, is the plan to be done."""

from collections.abc import Sequence
from pathlib import Path

from coop_sim.codex.menu import Menu, Option
from coop_sim.codex.patch import Change

_CONFIRM = "Press enter to confirm or esc to cancel"
_YES = Option("yes", "Yes, proceed (y)", "y")
_NO = Option("no", "No, and tell Codex what to do differently (esc)", "n")


def command_dialog(command: str, reason: str) -> Menu:
    why = (f"Reason: {reason}", "") if reason else ()
    heading = ("Would you like to run the following command?", "", "Environment: local", "", *why, f"$ {command}", "", "")
    always = Option("always", f"Yes, and don't ask again for commands that start with `{command}` (p)", "p")
    options = (_YES, always, _NO) if "\n" not in command else (_YES, _NO)
    return Menu(heading, options, _CONFIRM, "no")


def patch_dialog(changes: Sequence[Change], cwd: Path) -> Menu:
    places = tuple(f"Destination: {cwd / change.path}" for change in changes[:1])
    heading = ("Would you like to make the following edits?", "", "Description: Apply proposed file edits", *places, "", "")
    always = Option("always", "Yes, and don't ask again for these files (a)", "a")
    return Menu(heading, (_YES, always, _NO), _CONFIRM, "no")


def plan_dialog() -> Menu:
    options = (
        Option("yes", "Yes, implement this plan", beside="Switch to Default and start coding"),
        Option("anew", "Yes, clear context and implement", beside="Fresh thread with this plan"),
        Option("no", "No, stay in Plan mode", beside="Continue planning with the model"),
    )
    return Menu(("Implement this plan?", "", ""), options, "enter select · esc back", "no")
