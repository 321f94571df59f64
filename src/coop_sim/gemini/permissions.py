"""What may run without asking."""

import re
from pathlib import Path

from coop_sim.gemini.session import Session
from coop_sim.scenario import ToolUse
from coop_sim.shapes import as_text

_HARMLESS = frozenset({"true", "pwd", "ls", "cat", "echo", "date", "whoami"})
_WRITES = ("write_file", "replace")
ASKS_ITSELF = ("ask_user", "exit_plan_mode")


def roots(command: str) -> list[str]:
    """The first words of its parts, and whether it writes to files."""
    words = [part.split()[0] for part in re.split(r"&&|\|\||[;|&\n]", command) if part.split()]
    redirects = re.search(r"(?<!\d)>{1,2}|<", command)
    return [*words[:1], *(["redirection (>)"] if redirects else []), *words[1:]]


def needs_permission(use: ToolUse, session: Session) -> bool:
    if session.mode == "yolo":
        return False
    if use.name == "run_shell_command":
        return not set(roots(as_text(use.input.get("command")))) <= _HARMLESS | session.allowed
    if use.name in _WRITES:
        return session.mode != "auto_edit" and not is_plan(use, session)
    return use.name == "enter_plan_mode" or use.name in ASKS_ITSELF


def is_plan(use: ToolUse, session: Session) -> bool:
    return Path(as_text(use.input.get("file_path"))).is_relative_to(session.plans)


def remember(use: ToolUse, session: Session) -> None:
    """Allowed for this session: such commands, or all edits."""
    if use.name == "run_shell_command":
        session.allowed |= set(roots(as_text(use.input.get("command"))))
    elif use.name in _WRITES:
        session.change_mode("auto_edit")
