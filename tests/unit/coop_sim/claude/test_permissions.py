"""Which tool uses need a person's word."""

import pytest

from coop_sim.claude.permissions import Need, Rules, simple_commands, to_remember
from coop_sim.claude.scenario import ToolUse

ASKED, FREE, UNHEARD = Need.ANSWER, Need.NOTHING, Need.AUTO_CHECK


def bash(command: str) -> ToolUse:
    return ToolUse("Bash", {"command": command})


@pytest.mark.parametrize(
    ("mode", "use", "need"),
    [
        ("default", bash("touch x"), ASKED),
        ("default", bash("ls"), FREE),
        ("default", bash("ls /nonexistent"), ASKED),
        ("default", ToolUse("Write", {"file_path": "x"}), ASKED),
        ("default", ToolUse("Read", {"file_path": "x"}), FREE),
        ("acceptEdits", ToolUse("Edit", {"file_path": "x"}), FREE),
        ("acceptEdits", bash("touch x"), FREE),
        ("acceptEdits", bash("npm test"), ASKED),
        ("bypassPermissions", bash("rm -rf /"), FREE),
        ("bypassPermissions", ToolUse("AskUserQuestion", {}), ASKED),
        ("auto", bash("touch x"), FREE),
        ("auto", bash("npm test"), UNHEARD),
        ("plan", ToolUse("ExitPlanMode", {}), ASKED),
    ],
)
def test_the_mode_decides(mode: str, use: ToolUse, need: Need) -> None:
    assert Rules(mode, can_check=False).need(use) is need


def test_auto_mode_that_can_check_asks_nobody() -> None:
    assert Rules("auto", can_check=True).need(bash("npm test")) is FREE


def test_what_was_allowed_for_good_is_not_asked_again() -> None:
    assert Rules("default", can_check=False, remembered=frozenset({"npm test"})).need(bash("npm test")) is FREE


def test_a_line_is_taken_apart() -> None:
    line = "mkdir -p build && printf 'x' > build/notes.txt && cat build/notes.txt"
    assert simple_commands(line) == ["mkdir -p build", "printf 'x'", "cat build/notes.txt"]
    assert to_remember(line) == ["mkdir -p build", "printf 'x'"]
