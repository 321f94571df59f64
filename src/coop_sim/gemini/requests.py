"""The dialog that a tool asks with, what the Notification hook is told of it, and the name it goes by."""

from pathlib import Path

from coop_sim.gemini import diffs
from coop_sim.gemini.dialogs import Dialog, Menu
from coop_sim.gemini.permissions import roots
from coop_sim.gemini.plan_dialog import PlanDialog
from coop_sim.gemini.questions import questions_of
from coop_sim.scenario import ToolUse
from coop_sim.shapes import Table, as_list, as_table, as_text

ONCE, ALWAYS, EDITOR, NO = "Allow once", "Allow for this session", "Modify with external editor", "No, suggest changes (esc)"
_PLAN_MODE = "This will restrict the agent to read-only tools to allow for safe planning."
NAMES = {
    "run_shell_command": "Shell",
    "write_file": "WriteFile",
    "replace": "Edit",
    "ask_user": "Ask User",
    "enter_plan_mode": "Enter Plan Mode",
    "exit_plan_mode": "Exit Plan Mode",
    "read_file": "ReadFile",
}


def dialog_for(use: ToolUse, cwd: Path) -> Dialog:
    match use.name:
        case "run_shell_command":
            return _shell(use)
        case "write_file" | "replace":
            title = f"? {NAMES[use.name]}  {described(use, cwd)}"
            body = ["Apply this change?", ""]
            return Menu([title], body, (ONCE, ALWAYS, EDITOR, NO), boxed=diffs.rows(*change(use, cwd)))
        case "ask_user":
            return questions_of([as_table(each) for each in as_list(use.input.get("questions"))])
        case "exit_plan_mode":
            return PlanDialog()
        case _:
            heading = ["Action Required", "", f"?  {NAMES.get(use.name, use.name)} {described(use, cwd)}", ""]
            return Menu(heading, [_PLAN_MODE, "Do you want to proceed?", ""], (ONCE, ALWAYS, NO))


def _shell(use: ToolUse) -> Menu:
    command = as_text(use.input.get("command"))
    writes = "redirection (>)" in roots(command)
    more = ["Redirection detected. To auto-accept, press Shift+Tab"] if writes else []
    body = ["Allow execution of [Shell]?", *more, ""]
    first, *others = command.split("\n")
    heading = [f"? Shell  {first}", *(f"{'':9}{line}" for line in others)]
    return Menu(heading, body, (ONCE, ALWAYS, NO), boxed=command.split("\n"))


def described(use: ToolUse, cwd: Path) -> str:
    given = use.input
    match use.name:
        case "run_shell_command":
            return as_text(given.get("command"))
        case "write_file":
            return f"Writing to {_name(use, cwd)}"
        case "replace":
            old, new = (_short(as_text(given.get(key))) for key in ("old_string", "new_string"))
            return f"{_name(use, cwd)}: {old} => {new}"
        case "enter_plan_mode":
            return as_text(given.get("reason"))
        case "exit_plan_mode":
            return f"Requesting plan approval for: {as_text(given.get('plan_path'))}"
        case "ask_user":
            asked = (as_text(as_table(each).get("question")) for each in as_list(given.get("questions")))
            return f"Asking user: {', '.join(asked)}"
        case _:
            return _name(use, cwd)


def _short(text: str) -> str:
    first, _, rest = text.partition("\n")
    return f"{first}..." if rest else first


def _name(use: ToolUse, cwd: Path) -> str:
    path = Path(as_text(use.input.get("file_path")))
    return str(path.relative_to(cwd)) if path.is_relative_to(cwd) else str(path)


def change(use: ToolUse, cwd: Path) -> tuple[str, str]:
    """The file before and after."""
    path = cwd / as_text(use.input.get("file_path"))
    before = path.read_text() if path.is_file() else ""
    if use.name == "write_file":
        return before, as_text(use.input.get("content"))
    return before, before.replace(as_text(use.input.get("old_string")), as_text(use.input.get("new_string")), 1)


def notification(use: ToolUse, cwd: Path) -> Table:
    """Of a question and of a plan it says nothing but that it is one."""
    message, details = _details(use, cwd)
    return {"notification_type": "ToolPermission", "message": message, "details": details}


def _details(use: ToolUse, cwd: Path) -> tuple[str, Table]:
    match use.name:
        case "run_shell_command":
            command, title = as_text(use.input.get("command")), "Confirm Shell Command"
            details: Table = {"type": "exec", "title": title, "command": command, "rootCommand": ", ".join(roots(command))}
            return f"Tool {title} requires execution", details
        case "write_file" | "replace":
            return _edit_details(use, cwd)
        case "ask_user":
            return "Tool requires confirmation", {"type": "ask_user", "title": "Ask User"}
        case "exit_plan_mode":
            return "Tool requires confirmation", {"type": "exit_plan_mode", "title": "Plan Approval"}
        case _:
            title = NAMES.get(use.name, use.name)
            return f"Tool {title} requires information", {"type": "info", "title": title, "prompt": _PLAN_MODE}


def _edit_details(use: ToolUse, cwd: Path) -> tuple[str, Table]:
    before, after = change(use, cwd)
    path, name = as_text(use.input.get("file_path")), _name(use, cwd)
    title = f"Confirm {'Write' if use.name == 'write_file' else 'Edit'}: {name}"
    diff = diffs.unified(Path(path).name, before, after, was="Current", becomes="Proposed")
    details: Table = {
        "type": "edit",
        "title": title,
        "fileName": Path(path).name,
        "filePath": str(cwd / path),
        "fileDiff": diff,
    }
    return f"Tool {title} requires editing", {**details, "originalContent": before, "newContent": after}
