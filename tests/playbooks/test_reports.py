"""A program of which nothing is known but what it reports to its terminal, where a configuration lets that count."""

from collections.abc import Callable

import pytest

from coop.agents.generic import configured
from coop.model.commands import Nudge, Reason, Refused
from coop.model.events import StateChanged
from coop.model.prompt import Question
from coop.model.records import Output
from coop.model.state import AgentState, Failed, Idle, Prompted, Unknown, Working
from coop.session.effects import AnswerQuery, Effect, Publish, Reply
from coop.testing import Playbook
from tests.playbooks.conftest import MakePlay

REPORTS = configured({"report": {"app": "x", "marks": True, "progress": True}}, source="reports.toml")


@pytest.fixture
def play(make_play: MakePlay) -> Playbook:
    return make_play(agent=REPORTS)


def osc(*commands: str) -> Output:
    return Output("".join(f"\x1b]{command}\x07" for command in commands).encode())


def becomes(state: AgentState) -> Callable[[Effect], bool]:
    def claim(effect: Effect) -> bool:
        return isinstance(effect, Publish) and isinstance(fact := effect.event.fact, StateChanged) and fact.current == state

    return claim


def test_what_a_program_reports_is_its_state(play: Playbook) -> None:
    assert play.core.belief.state == Unknown()
    play = play >> osc("7501;state=working:app=x") << becomes(Working())
    play = play >> osc("7501;state=idle:app=x")
    assert play.after(0.4).done()
    assert (play.after(0.1) << becomes(Idle())).done()
    assert play.core.belief.tier.value == "terminal_report"


def test_a_rest_that_does_not_last_is_none(play: Playbook) -> None:
    play = play >> osc("7501;state=working:app=x") << becomes(Working())
    play = (play >> osc("7501;state=done:app=x")).after(0.3) >> osc("7501;state=working:app=x")
    assert play.after(5.0).done()


def test_a_shell_with_marks_waits_works_and_fails(play: Playbook) -> None:
    play = (play >> osc("133;A", "133;B")).after(0.5) << becomes(Idle())
    play = play >> osc("133;C") << becomes(Working())
    play = play >> osc("133;D;2", "133;A", "133;B") << becomes(Failed("exit status 2"))
    assert play.after(5.0).done()
    play = play >> osc("133;C") << becomes(Working())
    assert ((play >> osc("133;D;0", "133;A")).after(0.5) << becomes(Idle())).done()


def test_progress_is_work_and_its_end_says_nothing(play: Playbook) -> None:
    play = play >> osc("9;4;1;40") << becomes(Working("progress"))
    assert (play >> osc("9;4;0") << becomes(Unknown())).done()
    play = play >> osc("133;C") << becomes(Working())
    assert (play >> osc("9;4;1;40", "9;4;0")).done()


def test_what_asks_without_saying_what_is_a_prompt_for_a_person(play: Playbook) -> None:
    play = play >> osc("7501;state=blocked:app=x:kind=permission")
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert isinstance(state.prompt, Question)
    assert (state.prompt.text, state.prompt.subtype, state.prompt.id) == ("permission", "unrecognized", "p1")
    play = play << becomes(state) >> osc("7501;state=blocked:app=x")
    assert play.done()
    play = play >> osc("7501;state=working:app=x") << becomes(Working()) >> osc("7501;state=blocked:app=x")
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert state.prompt.id == "p2"


def test_what_is_taken_back_is_unknown_again(play: Playbook) -> None:
    play = play >> osc("7501;state=working:app=x") << becomes(Working())
    assert (play >> osc("7501;state=clear") << becomes(Unknown())).done()


def test_a_program_is_told_that_its_reports_are_read(play: Playbook) -> None:
    assert (play >> osc("7501;?") << AnswerQuery(b"\x1b]7501;?\x07")).done()


def test_a_report_drives_nobody(play: Playbook) -> None:
    play = (play >> osc("7501;state=idle:app=x")).after(0.5) << becomes(Idle())
    play = play.asks(Nudge("x"))
    reply = play.effects.popleft()
    assert isinstance(reply, Reply)
    assert isinstance(reply.outcome, Refused)
    assert reply.outcome.reason is Reason.NO_DRIVER


def test_without_a_configuration_nothing_that_any_output_can_forge_counts(make_play: MakePlay) -> None:
    play = make_play() >> osc("7501;?", "7501;state=idle:app=x", "133;A", "133;B", "9;4;1;40")
    assert play.after(100.0).done()
    assert play.core.belief.state == Unknown()


def test_titles_and_plain_output_say_nothing(make_play: MakePlay) -> None:
    play = make_play() >> osc("0;bash", "2;✳ resting") >> Output(b"$ make\r\nerror: no\r\n$ ")
    assert play.after(100.0).done()
    assert play.core.belief.state == Unknown()
