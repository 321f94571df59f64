"""Which tool uses need a person's word, by the permission mode."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from coop_sim.scenario import ToolUse
from coop_sim.shapes import as_text

READ_ONLY = frozenset("cat date echo grep head ls pwd tail wc which whoami".split())
FILE_COMMANDS = frozenset("cp mkdir mv rm rmdir sed touch".split())
_ALWAYS_ASKED = ("AskUserQuestion", "ExitPlanMode")
_EDITS = ("Edit", "Write", "NotebookEdit")
_HARMLESS = ("Agent", "Task", "Glob", "Grep", "TodoWrite", "TaskCreate", "EnterPlanMode")
_LOOKS = ("Agent", "Task", "Read", "Glob", "Grep", "AskUserQuestion")


class Need(Enum):
    NOTHING = "goes ahead"
    ANSWER = "a dialog and the PermissionRequest hooks"
    AUTO_CHECK = "auto mode cannot check it: dialogs that no hook hears of"


@dataclass(frozen=True, slots=True)
class Rules:
    """`mode` as in --permission-mode; `can_check` says whether auto mode has its classifier."""

    mode: str
    can_check: bool
    remembered: frozenset[str] = frozenset()
    """Shell commands allowed once and for all."""
    places: tuple[Path, ...] = ()
    """The folders that may be read."""

    def need(self, use: ToolUse) -> Need:
        if use.name in _ALWAYS_ASKED:
            return Need.ANSWER
        if self.mode in ("bypassPermissions", "dontAsk") or use.name in _HARMLESS:
            return Need.NOTHING
        if use.name == "Read":
            return Need.NOTHING if self._is_inside(use) or self.mode == "auto" else Need.ANSWER
        if self.mode == "auto":
            return Need.NOTHING if self.can_check or self._is_safe_in_auto(use) else Need.AUTO_CHECK
        return Need.NOTHING if self._is_allowed(use) else Need.ANSWER

    def _is_inside(self, use: ToolUse) -> bool:
        path = Path(as_text(use.input.get("file_path")))
        return not path.is_absolute() or any(path.is_relative_to(place) for place in self.places)

    def _is_safe_in_auto(self, use: ToolUse) -> bool:
        return use.name in _EDITS or self._runs_only(use.input, READ_ONLY | FILE_COMMANDS)

    def _is_allowed(self, use: ToolUse) -> bool:
        edits = self.mode == "acceptEdits"
        if use.name in _EDITS:
            return edits
        allowed = READ_ONLY | FILE_COMMANDS if edits else READ_ONLY
        return use.name == "Bash" and self._runs_only(use.input, allowed)

    def _runs_only(self, tool_input: Mapping[str, object], names: frozenset[str]) -> bool:
        parts = simple_commands(as_text(tool_input.get("command")))
        return all(part in self.remembered or (_first(part) in names and not _reaches_out(part)) for part in parts)


def may_run_together(use: ToolUse) -> bool:
    """Does it only look? Such uses of one message are asked and run at once."""
    if use.name != "Bash":
        return use.name in _LOOKS
    return all(_first(part) in READ_ONLY for part in simple_commands(as_text(use.input.get("command"))))


def simple_commands(command: str) -> list[str]:
    """The commands of a line without their redirections."""
    parts = re.split(r"\s*(?:&&|\|\||;|\|)\s*", command.strip())
    return [re.sub(r"\s*\d*>>?\s*\S+", "", part).strip() for part in parts if part.strip()]


def to_remember(command: str) -> list[str]:
    """What "don't ask again" would be about; empty when nothing can be remembered."""
    return [part for part in simple_commands(command) if _first(part) not in READ_ONLY]


def _first(part: str) -> str:
    return part.split()[0] if part.split() else ""


def _reaches_out(part: str) -> bool:
    try:
        words = shlex.split(part)
    except ValueError:
        return True
    return any(word.startswith(("/", "~", "..")) for word in words[1:])
