import tomllib

import pytest

from coop.agents.generic import configured
from coop.errors import BadRequest, ConfigError
from coop.model.commands import Nudge, Respond, When
from coop.model.ids import PromptId
from coop.model.prompt import Question
from coop.model.readings import Claim, Says
from coop.model.screen import Cursor, ScreenSnapshot, Size
from coop.model.state import AltScreen, Failed, Idle, Prompted, Working

CONFIG = r"""
[screen]
prompt = '^\$ $|^\$$'
error = '^error:'
question = '\?$'
option = '^\d\) (.+)$'
quiet = 1.5
"""


def read(*lines: str, config: str = CONFIG, alt: bool = False) -> Claim | None:
    agent = configured(tomllib.loads(config), source="test.toml")
    assert agent.read_screen is not None
    reading = agent.read_screen(ScreenSnapshot(lines, Size(80, 24), Cursor(0, 0), alt, "", 1))
    assert not reading.queued
    return reading.says.claim if reading.says else None


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
    assert isinstance(state.prompt, Question)
    assert (state.prompt.text, state.prompt.options) == ("Which one?", ("this", "that"))


def test_a_foreign_alternate_screen_is_told_apart() -> None:
    assert read("~", "~", alt=True) == AltScreen()
    assert read("$", alt=True) == Idle()


def test_quiet_is_seconds() -> None:
    assert configured(tomllib.loads(CONFIG), source="x").quiet == 1.5


TOLD = (
    CONFIG
    + """
[nudge]
pause = 0.2
[respond]
option = '{}'
text = "{}\\r"
deny = "\\u001b"
"""
)
QUESTION = Question(PromptId("q"), "Which?", ("a", "b"))


@pytest.mark.parametrize("message", ["", "  ", "two\nlines", "escape\x1b[A", "bell\x07"])
def test_a_message_that_is_not_one_line_is_refused(message: str) -> None:
    script = configured(tomllib.loads(TOLD), source="x").type_nudge
    assert script is not None
    with pytest.raises(BadRequest, match="message: expected one line"):
        script(Nudge(message))


@pytest.mark.parametrize(
    ("respond", "says"),
    [
        (Respond(option=3), "option: expected 1 to 2"),
        (Respond(accept=True), "accept: this agent's"),
        (Respond(), "expected one of"),
        (Respond(accept=True, option=1), "expected one of"),
        (Respond(text="two\nlines"), "expected one of"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(respond: Respond, says: str) -> None:
    script = configured(tomllib.loads(TOLD), source="x").type_answer
    assert script is not None
    with pytest.raises(BadRequest, match=says):
        script(respond, QUESTION)


def test_a_message_may_interrupt_only_where_it_is_said_how() -> None:
    script = configured(tomllib.loads(TOLD), source="x").type_nudge
    assert script is not None
    with pytest.raises(BadRequest, match="does not say how to interrupt"):
        script(Nudge("x", When.INTERRUPT))


REPORTS = """
[report]
app = 'ours'
marks = true
busy = '^◐'
resting = '^✳'
"""


@pytest.mark.parametrize(
    ("command", "claim"),
    [
        ("7501;state=working:app=ours", Working()),
        ("7501;state=working:app=theirs", None),
        ("133;C", Working()),
        ("9;4;1;40", None),
        ("0;◐ at it", Working()),
        ("2;✳ done", Idle()),
        ("0;vim", None),
    ],
)
def test_only_the_reports_that_are_named_count(command: str, claim: Claim | None) -> None:
    reader = configured(tomllib.loads(CONFIG + REPORTS), source="x").read_report
    assert reader is not None
    assert reader(command) == ((Says(claim),) if claim is not None else ())


def test_who_only_reports_needs_no_screen() -> None:
    agent = configured(tomllib.loads(REPORTS), source="x")
    assert (agent.read_screen, agent.type_nudge) == (None, None)
    assert agent.read_report is not None
    with pytest.raises(ConfigError, match=r"expected a table \[screen\]"):
        configured(tomllib.loads(f"{REPORTS}\n[nudge]\npause = 1"), source="x")


def test_without_a_table_no_report_counts() -> None:
    assert configured(tomllib.loads(CONFIG), source="x").read_report is None


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ("", r"expected a table \[screen\]"),
        ("[screen]", "has no pattern"),
        ("[screen]\nprompt = '('", "prompt: .* is not a regular expression"),
        ("[screen]\nprompt = 3", "prompt: expected a regular expression"),
        ("[screen]\npromt = 'x'", "has no key 'promt'; expected prompt"),
        ("[screen]\nprompt = 'x'\nquiet = -1", "quiet: expected seconds"),
        ("[screen]\nprompt = 'x'\nquiet = nan", "quiet: expected seconds"),
        ("[screen]\nprompt = 'x'\nquiet = inf", "quiet: expected seconds"),
        ("[screen]\nworking = 'x'\ncursor = true", "cursor: there is no 'prompt'"),
        ("[screen]\nprompt = 'x'\ncursor = 1", "cursor: expected true or false, got 1"),
        ("[screen]\nprompt = 'x'\n[report]\nmarks = 'yes'", "marks: expected true or false"),
        ("[screen]\nprompt = 'x'\n[report]\nbusy = '('", "busy: .* is not a regular expression"),
        ("[poke]\nx = 1", "unknown table or key 'poke'"),
        ("[screen]\nprompt = 'x'\n[nudge]\nx = 1", r"\[nudge\] has no key 'x'; expected submit, pause, clear"),
        ("[screen]\nprompt = 'x'\n[respond]\noption = 1", "option: expected a string"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(config: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        configured(tomllib.loads(config), source="test.toml")
