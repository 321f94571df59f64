"""The dialogs that ask before a tool runs."""

from dataclasses import replace
from pathlib import Path

from coop_sim.cells import wrap
from coop_sim.claude.answers import Allow, Deny
from coop_sim.claude.diffs import diff_rows, numbered
from coop_sim.claude.menu import Dialog, Menu, Option
from coop_sim.claude.permissions import to_remember
from coop_sim.claude.question import questions_in
from coop_sim.claude.questions import Questions
from coop_sim.claude.suggesting import is_about_files
from coop_sim.claude.versions import Version
from coop_sim.scenario import ToolUse
from coop_sim.shapes import as_text

_AUTO_TIP = 'Tip: auto mode handles these prompts for you — choose "switch to auto mode" below'
_AUTO_LABEL = "Yes, and switch to auto mode · auto mode handles these prompts for you"
_YES, _NO = Option("Yes", Allow()), Option("No", Deny())
_HINTS = "Esc to cancel · Tab to amend"


def request_dialog(use: ToolUse, version: Version, cwd: Path, columns: int, *, offers_auto: bool = True) -> Dialog:
    match use.name:
        case "Bash" if version.draws_sed_as_edit and (path := edited_by_sed(use)):
            edit = replace(use, name="Edit", input={"file_path": str(cwd / path)})
            return _file_dialog(edit, version, cwd, columns)
        case "Bash":
            return bash_dialog(use, version, cwd, columns, offers_auto=offers_auto and version.offers_auto)
        case "Edit" | "Write" | "NotebookEdit":
            return _file_dialog(use, version, cwd, columns)
        case "Read":
            return _read_dialog(use, version, columns)
        case "AskUserQuestion":
            return Questions(questions_in(dict(use.input)))
        case _:
            heading = ("─" * columns, " Tool use", "", f"   {use.name}({_summary(use)})", "", " Do you want to proceed?")
            return Menu(heading, (_YES, _NO), _HINTS, Deny(), amendable=True)


def _read_dialog(use: ToolUse, version: Version, columns: int) -> Menu:
    path = Path(as_text(use.input.get("file_path")))
    heading = ("─" * columns, " Read file", "", f"  Read({path})", "", " Do you want to proceed?")
    folder = path.parent if version.is_fullscreen else path.parent.name
    always = Option(f"Yes, allow reading from {folder}/ during this session", Allow())
    return Menu(heading, (_YES, always, _NO), _HINTS, Deny(), amendable=True)


def bash_dialog(use: ToolUse, version: Version, cwd: Path, columns: int, *, offers_auto: bool) -> Menu:
    options = [_YES]
    if is_about_files(use):
        folder = str(cwd) if version.is_fullscreen else f"{cwd.name}/"
        options.append(Option(f"Yes, and always allow access to {folder} from this project", Allow(mode="remember")))
    elif parts := to_remember(as_text(use.input.get("command"))):
        label = f"Yes, and don't ask again for {' and '.join(parts)} commands in {cwd}"
        options.append(Option(label, Allow(mode="remember")))
    options += [Option(_AUTO_LABEL, Allow(mode="auto"))] if offers_auto else []
    heading = _bash_heading(use, columns, offers_auto) if version.offers_auto else _old_bash_heading(use, columns)
    return Menu(heading, (*options, _NO), version.bash_hints, Deny(), amendable=True)


def _old_bash_heading(use: ToolUse, columns: int) -> tuple[str, ...]:
    description = as_text(use.input.get("description"))
    body = [f"   {row}" for row in as_text(use.input.get("command")).split("\n")]
    told = [f"   {description}"] if description else []
    return ("─" * columns, " Bash command", "", *body, *told, "", " Do you want to proceed?")


def _bash_heading(use: ToolUse, columns: int, offers_auto: bool) -> tuple[str, ...]:
    description = as_text(use.input.get("description"))
    told = [f" {_AUTO_TIP}"] if offers_auto else []
    told += [f" {description}"] if description else []
    body = [f" │ {row}" for row in as_text(use.input.get("command")).split("\n")]
    dashes = "╌" * columns
    return ("─" * columns, " Bash command", *told, dashes, *body, dashes, " Do you want to proceed?")


def edited_by_sed(use: ToolUse) -> str | None:
    match as_text(use.input.get("command")).split():
        case ["sed", "-i", _, path]:
            return path
        case _:
            return None


def _file_dialog(use: ToolUse, version: Version, cwd: Path, columns: int) -> Menu:
    path = Path(as_text(use.input.get("file_path")) or as_text(use.input.get("notebook_path")))
    name = str(path.relative_to(cwd)) if path.is_relative_to(cwd) else str(path)
    dashes = "╌" * columns
    kind, verb, body = _file_change(use, cwd / path)
    asked = wrap(f"Do you want to {verb} {path.name}?", columns, first=" ", rest=" ")
    heading = ("─" * columns, f" {kind}", f" {name}", dashes, *body, dashes, *asked)
    options = (_YES, Option(version.accept_edits_label, Allow(mode="acceptEdits")), _NO)
    return Menu(heading, options, _HINTS, Deny(), amendable=True, shift_tab=Allow(mode="acceptEdits"))


def _file_change(use: ToolUse, path: Path) -> tuple[str, str, list[str]]:
    if use.name == "Edit":
        old, new = as_text(use.input.get("old_string")), as_text(use.input.get("new_string"))
        return "Edit file", "make this edit to", diff_rows(path, old, new)
    if use.name == "NotebookEdit":
        return "Edit notebook", "make this edit to", [f" Replace cell contents for cell {use.input.get('cell_id')}"]
    content = [f" {row}" for row in numbered(as_text(use.input.get("content")))]
    return ("Overwrite file", "overwrite", content) if path.exists() else ("Create file", "create", content)


def _summary(use: ToolUse) -> str:
    return ", ".join(f"{name}: {value!r}" for name, value in use.input.items())


def auto_notice(columns: int) -> Menu:
    """2.1.325 in auto mode, when it cannot reach what would check the action."""
    heading = ("─" * columns, " Auto mode can't check actions in this session", "")
    hints = "Enter to stay in auto mode · shift+Tab to leave for accept edits mode and stop · Esc to cancel"
    return Menu(heading, (), hints, Deny(), shift_tab=Deny("acceptEdits", ends_turn=True))


def auto_dialog(use: ToolUse, columns: int) -> Menu:
    """What follows the notice: no numbers, and No comes first."""
    return Menu(_bash_heading(use, columns, False), (_NO, _YES), "Esc to cancel", Deny(), numbered=False)
