"""What a permission could be for, once and for all."""

from pathlib import Path

import pytest

from coop_sim.claude.suggesting import is_about_files, suggestions
from coop_sim.scenario import ToolUse


@pytest.mark.parametrize(
    ("use", "kinds"),
    [
        (ToolUse("Write", {"file_path": "x"}), ["setMode"]),
        (ToolUse("Bash", {"command": "touch x"}), ["addDirectories", "setMode"]),
        (ToolUse("Bash", {"command": "npm test"}), ["addRules"]),
        (ToolUse("Bash", {"command": "ls /nonexistent"}), []),
        (ToolUse("Read", {"file_path": "/etc/hosts"}), ["addRules"]),
    ],
)
def test_each_use_has_its_own(use: ToolUse, kinds: list[str]) -> None:
    found = suggestions(use, Path("/work")).get("permission_suggestions", [])
    assert isinstance(found, list)
    assert [one["type"] for one in found] == kinds


def test_a_line_is_about_files_only_when_all_of_it_is() -> None:
    assert is_about_files(ToolUse("Bash", {"command": "mkdir a && touch a/b"}))
    assert not is_about_files(ToolUse("Bash", {"command": "mkdir a && npm test"}))
