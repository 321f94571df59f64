import tomllib

import pytest

from coop.agents.generic import configured
from coop.errors import ConfigError
from coop.model.screen import Cursor, ScreenSnapshot, Size
from coop.model.state import AgentState, AltScreen, Failed, Idle, Prompted, Working

CONFIG = r"""
[screen]
prompt = '^\$ $|^\$$'
error = '^error:'
question = '\?$'
option = '^\d\) (.+)$'
quiet = 1.5
"""


def read(*lines: str, config: str = CONFIG, alt: bool = False) -> AgentState | None:
    agent = configured(tomllib.loads(config), source="test.toml")
    assert agent.read_screen is not None
    return agent.read_screen(ScreenSnapshot(lines, Size(80, 24), Cursor(0, 0), alt, "", 1))


def test_a_prompt_on_the_last_line_that_is_not_blank_is_idle() -> None:
    assert read("$ ls", "a  b", "$", "", "") == Idle()


def test_without_working_patterns_no_prompt_means_work() -> None:
    assert read("$ make", "compiling") == Working()


def test_with_working_patterns_nothing_is_said_without_one() -> None:
    config = CONFIG + "working = 'Thinking'\n"
    assert read("hello", config=config) is None
    assert read("Thinking…", config=config) == Working()


def test_an_error_counts_until_the_next_prompt() -> None:
    assert read("$ make", "error: no rule", "$") == Failed("error: no rule")
    assert read("error: no rule", "$", "$") == Idle()


def test_a_question_carries_its_options() -> None:
    state = read("Which one?", "1) this", "2) that")
    assert isinstance(state, Prompted)
    assert (state.prompt.text, state.prompt.options) == ("Which one?", ("this", "that"))


def test_a_foreign_alternate_screen_is_told_apart() -> None:
    assert read("~", "~", alt=True) == AltScreen()
    assert read("$", alt=True) == Idle()


def test_quiet_is_seconds() -> None:
    assert configured(tomllib.loads(CONFIG), source="x").quiet == 1.5


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ("", r"expected a table \[screen\]"),
        ("[screen]", "has no pattern"),
        ("[screen]\nprompt = '('", "prompt: .* is not a regular expression"),
        ("[screen]\nprompt = 3", "prompt: expected a regular expression"),
        ("[screen]\npromt = 'x'", "has no key 'promt'; expected prompt"),
        ("[screen]\nprompt = 'x'\nquiet = -1", "quiet: expected seconds"),
        ("[nudge]\nx = 1", "unknown table or key 'nudge'"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(config: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        configured(tomllib.loads(config), source="test.toml")
