from typing import get_args

from coop.model.ids import PromptId
from coop.model.prompt import Question
from coop.model.state import AltScreen, Exited, ExitStatus, Failed, Idle, Prompted, Starting, Unknown, Working
from coop.wire.states import StateName, detail_of, prompt_of, state_name

QUESTION = Question(PromptId("q"), "Which?", ("a", "b"))
STATES = (Starting(), Working(), Idle(), Prompted(QUESTION), Failed("no"), AltScreen(), Exited(ExitStatus(0)), Unknown())


def test_every_state_has_a_name_of_its_own() -> None:
    names = [state_name(state) for state in STATES]
    assert len(set(names)) == len(STATES)
    assert set(names) <= set(get_args(StateName))


def test_a_prompt_carries_what_is_asked() -> None:
    prompt = prompt_of(Prompted(QUESTION))
    assert prompt is not None
    assert (prompt.type, prompt.question, prompt.options) == ("question", "Which?", ("a", "b"))
    assert prompt_of(Idle()) is None


def test_an_error_carries_its_words() -> None:
    assert detail_of(Failed("no")) == "no"
    assert detail_of(Working()) is None
