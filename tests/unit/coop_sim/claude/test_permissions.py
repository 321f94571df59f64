"""Which tool uses need a person's word."""

from pathlib import Path

import pytest

from coop_sim.claude.permissions import Need, Rules, may_run_together, simple_commands, to_remember
from coop_sim.scenario import ToolUse

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


def test_what_is_outside_is_read_only_with_permission() -> None:
    rules = Rules("default", can_check=False, places=(Path("/work"),))
    needs = [rules.need(ToolUse("Read", {"file_path": path})) for path in ("/work/a", "/etc/hosts")]
    assert needs == [FREE, ASKED]


def test_only_what_looks_runs_together() -> None:
    uses = (ToolUse("Read", {}), bash("cat x | wc"), bash("touch x"), ToolUse("AskUserQuestion", {}), ToolUse("Write", {}))
    assert [may_run_together(use) for use in uses] == [True, True, False, True, False]


def test_auto_mode_that_can_check_asks_nobody() -> None:
    assert Rules("auto", can_check=True).need(bash("npm test")) is FREE


def test_what_was_allowed_for_good_is_not_asked_again() -> None:
    assert Rules("default", can_check=False, remembered=frozenset({"npm test"})).need(bash("npm test")) is FREE


def test_a_line_is_taken_apart() -> None:
    line = "mkdir -p build && printf 'x' > build/notes.txt && cat build/notes.txt"
    assert simple_commands(line) == ["mkdir -p build", "printf 'x'", "cat build/notes.txt"]
    assert to_remember(line) == ["mkdir -p build", "printf 'x'"]
