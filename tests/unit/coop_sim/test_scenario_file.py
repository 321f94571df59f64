"""Scenarios from TOML, and what is said of bad ones."""

import asyncio
from pathlib import Path

import pytest

from coop_sim import scenario_file
from coop_sim.claude.errors import ERRORS
from coop_sim.claude.main import SILENT
from coop_sim.scenario import BadScenario, Faults, Reply, Scenario, ToolUse
from coop_sim.script import Script


def scenario_from(text: str) -> Scenario:
    return scenario_file.scenario_from(text, SILENT, ERRORS)


def read_scenario(path: Path) -> Scenario:
    return scenario_file.read_scenario(path, SILENT, ERRORS)


def test_a_turn_has_replies_tools_and_faults() -> None:
    scenario = scenario_from("""
        title = "T"
        [[turn]]
        match = "fix"
        say = "On it."
        pace = 1
        tool = { name = "Bash", input = { command = "ls" } }
        then = "Done."
        slow_dialog = 0.5
    """)
    turn = scenario.turns[0]
    assert turn.replies[0] == Reply("On it.", pace=1.0, tools=(ToolUse("Bash", {"command": "ls"}),))
    assert turn.replies[1] == Reply("Done.")
    assert turn.faults == Faults(slow_dialog=0.5)


def said(scenario: Scenario, *prompts: str) -> list[str]:
    """What is said to each of the prompts."""
    script = Script(scenario)

    async def answers() -> list[str]:
        found: list[str] = []
        for prompt in prompts:
            script.begin(prompt)
            found.append((await script.reply(None, lambda _: None)).say)
        return found

    return asyncio.run(answers())


def test_the_first_turn_that_matches_is_used_as_often_as_it_may() -> None:
    scenario = scenario_from('[[turn]]\nmatch = "a"\nsay = "first"\ntimes = 1\n[[turn]]\nsay = "any"')
    assert said(scenario, "a", "a") == ["first", "any"]


def test_without_a_turn_there_is_a_default() -> None:
    assert said(scenario_from('default = "<{prompt}>"'), "x") == ["<x>"]


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ('{ type = "contains", text = "a.c" }', "xa.cx", "abc"),
        ('{ type = "exact", text = "abc" }', "abc", "abcd"),
        ('{ type = "regex", pattern = "^a.c$" }', "abc", "abcd"),
    ],
)
def test_claudeless_patterns_are_understood(pattern: str, matching: str, other: str) -> None:
    scenario = scenario_from(f'default_response = "no"\n[[responses]]\npattern = {pattern}\nresponse = "yes"')
    assert said(scenario, matching, other) == ["yes", "no"]


def test_claudeless_tool_calls_are_understood() -> None:
    scenario = scenario_from("""
        [tool_execution]
        mode = "live"
        [[responses]]
        pattern = { type = "any" }
        response = { text = "hi", tool_calls = [{ tool = "Bash", input = { command = "ls" } }] }
    """)
    assert scenario.turns[0].replies == (Reply("hi", tools=(ToolUse("Bash", {"command": "ls"}),)),)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[turn]]\nsay = 3", "turn[0].say: expected text, got 3"),
        ("[[turn]]\nhang = 1", "turn[0].hang: expected true or false, got 1"),
        ("[[turn]]\ncrash = true", "turn[0].crash: expected a whole number, got True"),
        ("[[turn]]\nsya = 'x'", "turn[0].sya: not a key here; expected one of crash, delay"),
        ("[[turn]]\nmatch = '('", "turn[0].match: expected a regular expression, got '('"),
        ("[[turn]]\ntool = { nam = 'Bash' }", "turn[0].tool[0].name: expected text, got nothing"),
        ("[[turn]]\nthen = { sy = 'x' }", "turn[0].then[0].sy: not a key here"),
        ("[[turn]]\nerror = { status = 'x' }", "turn[0].error.status: expected a whole number, got 'x'"),
        ("turn = 3", "turn: expected a list or a table, got 3"),
        ("[[turn]]\ndelay = -1", "turn[0].delay: expected a number of at least 0, got -1"),
        ("[[responses]]\npattern = { type = 'glob' }", "responses[0].pattern.type: expected one of contains, regex"),
        ("= 1", "not TOML"),
    ],
)
def test_a_mistake_names_its_key_what_was_expected_and_what_came(text: str, complaint: str) -> None:
    with pytest.raises(BadScenario) as refused:
        scenario_from(text)
    assert complaint in str(refused.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadScenario, match="cannot be read"):
        read_scenario(tmp_path / "none.toml")
