"""What a permission could be for, once and for all: the second option of a dialog, and a hook's `permission_suggestions`."""

from pathlib import Path

from coop_sim.claude.permissions import FILE_COMMANDS, simple_commands, to_remember
from coop_sim.scenario import ToolUse
from coop_sim.shapes import Table, as_text

_ACCEPT_EDITS: Table = {"type": "setMode", "mode": "acceptEdits", "destination": "session"}


def is_about_files(use: ToolUse) -> bool:
    """A shell command that only touches files is allowed by its folder, any other by its name."""
    parts = simple_commands(as_text(use.input.get("command")))
    return use.name == "Bash" and bool(parts) and all(part.split()[0] in FILE_COMMANDS for part in parts)


def suggestions(use: ToolUse, cwd: Path) -> Table:
    """As fields of a PermissionRequest, where there are any."""
    if use.name in ("Edit", "Write", "NotebookEdit"):
        return {"permission_suggestions": [_ACCEPT_EDITS]}
    if use.name == "Read":
        folder = str(Path(as_text(use.input.get("file_path"))).parent)
        rules = [{"toolName": "Read", "ruleContent": f"/{folder}/**"}]
        return {"permission_suggestions": [{"type": "addRules", "rules": rules, "behavior": "allow", "destination": "session"}]}
    if is_about_files(use):
        folders: Table = {"type": "addDirectories", "directories": [str(cwd)], "destination": "session"}
        return {"permission_suggestions": [folders, _ACCEPT_EDITS]}
    commands = to_remember(as_text(use.input.get("command"))) if use.name == "Bash" else []
    if not commands:
        return {}
    rules = [{"toolName": "Bash", "ruleContent": part} for part in commands]
    return {
        "permission_suggestions": [{"type": "addRules", "rules": rules, "behavior": "allow", "destination": "localSettings"}]
    }
