"""Nudges and answers: at the right moment only, and delivered only when the agent has shown that it heard."""

import tomllib
from collections.abc import Callable

import pytest

from coop.agents import Agent
from coop.agents.generic import configured
from coop.model.commands import Delivered, Nudge, Progress, Reason, Receipt, Refused, Respond, Type, Typed, When
from coop.model.ids import PromptId, ReceiptId, RequestId
from coop.model.prompt import Question
from coop.model.records import ChildExited, Output, OutputEnded, Written
from coop.model.state import AgentState, Exited, ExitStatus, Idle, Prompted, Working
from coop.session.core import SETTLE
from coop.session.effects import Effect, Publish, Reply, Write
from coop.session.telling import PROOF_WITHIN
from coop.testing import Playbook
from tests.playbooks.conftest import MakePlay

CONFIG = r"""
[screen]
prompt = '^\$'
question = '\?$'
option = '^\d\) (.+)'
quiet = 1.0
[nudge]
pause = 0.2
[respond]
option = '{}'
"""
ONE, TWO = RequestId(1), RequestId(2)


def shell() -> Agent:
    return configured(tomllib.loads(CONFIG), source="test")


def idle(make_play: MakePlay) -> Playbook:
    play = (make_play(agent=shell()) >> Output(b"$ ")).after(1.0)
    play.effects.clear()
    return play


def refused(request: RequestId, reason: Reason, state: AgentState | None = None) -> Callable[[Effect], bool]:
    def claim(effect: Effect) -> bool:
        outcome = effect.outcome if isinstance(effect, Reply) and effect.id == request else None
        return isinstance(outcome, Refused) and outcome.reason is reason and (state is None or outcome.state == state)

    return claim


def published(effect: Effect) -> bool:
    return isinstance(effect, Publish)


def test_a_nudge_is_typed_submitted_and_delivered_when_the_agent_works(make_play: MakePlay) -> None:
    play = idle(make_play).asks(Nudge("fix it")) << Write(b"fix it")
    play = (play >> Written(6)).after(0.2) << Write(b"\r")
    play = play >> Written(1)
    assert play.done()
    play = play >> Output(b"fix it\r\nworking on it")
    receipt = Receipt(ReceiptId("r1"), "fix it", Progress.CONFIRMED, created_at=1001.0)
    assert (play.after(SETTLE) << Reply(ONE, Delivered(Idle(), receipt)) << published).done()


def test_a_busy_agent_is_not_nudged(make_play: MakePlay) -> None:
    play = idle(make_play) >> Output(b"make\r\ncompiling")
    play = play.after(SETTLE) << published
    assert (play.asks(Nudge("x")) << refused(ONE, Reason.AGENT_BUSY, Working())).done()


def queued_behind_other_work(make_play: MakePlay) -> Playbook:
    """That work ends, and is no word of the message."""
    play = idle(make_play) >> Output(b"make\r\ncompiling")
    play = (play.after(SETTLE) << published).asks(Nudge("x", When.QUEUE)) << Write(b"x")
    play = (play >> Written(1)).after(0.2) << Write(b"\r")
    play = (play >> Written(1) >> Output(b"\r\n$ ")).after(1.0) << published
    assert play.done()
    return play


def test_the_end_of_the_work_before_it_is_no_proof_of_a_queued_message(make_play: MakePlay) -> None:
    play = queued_behind_other_work(make_play)
    assert (play.after(PROOF_WITHIN - 1.2) << refused(ONE, Reason.UNVERIFIED, Idle())).done()


def test_new_work_is_proof_of_a_queued_message(make_play: MakePlay) -> None:
    play = queued_behind_other_work(make_play) >> Output(b"x\r\nworking on it")
    (reply,) = (each for each in play.after(SETTLE).effects if isinstance(each, Reply))
    assert isinstance(reply.outcome, Delivered)


def test_a_nudge_that_shows_no_effect_is_not_called_delivered(make_play: MakePlay) -> None:
    play = idle(make_play).asks(Nudge("x")) << Write(b"x")
    play = (play >> Written(1)).after(0.2) << Write(b"\r")
    play = play >> Written(1)
    assert (play.after(PROOF_WITHIN) << refused(ONE, Reason.UNVERIFIED, Idle())).done()


def test_a_second_nudge_waits_for_the_first_to_be_proven(make_play: MakePlay) -> None:
    play = idle(make_play).asks(Nudge("x")) << Write(b"x")
    assert (play.asks(Nudge("y")) << refused(TWO, Reason.AGENT_BUSY)).done()


def test_a_nudge_never_reaches_a_child_that_dies_meanwhile(make_play: MakePlay) -> None:
    play = idle(make_play).asks(Nudge("x")) << Write(b"x")
    play = play >> ChildExited(ExitStatus(0)) >> OutputEnded()
    replies = [effect for effect in play.effects if isinstance(effect, Reply)]
    assert len(replies) == 1
    assert refused(ONE, Reason.EXITED, Exited(ExitStatus(0)))(replies[0])


def test_an_answer_goes_to_a_question_only(make_play: MakePlay) -> None:
    play = idle(make_play).asks(Respond(option=1)) << refused(ONE, Reason.NO_PROMPT, Idle())
    play = play >> Output(b"ask\r\nWhich one?\r\n1) this\r\n2) that")
    play = play.after(SETTLE) << published
    before = play.core.belief.state
    assert isinstance(before, Prompted)
    play = play.asks(Respond(option=2)) << Write(b"2")
    play = play >> Written(1) >> Output(b"\x1b[2J\x1b[Hgoing on with that")
    play = play.after(SETTLE) << Reply(TWO, Delivered(before, effect="answered", via="keys", prompt=before.prompt))
    assert (play << published << published).done()


def test_typing_goes_on_while_a_nudge_is_being_proven(make_play: MakePlay) -> None:
    play = idle(make_play).asks(Nudge("x")) << Write(b"x")
    play = (play >> Written(1)).after(0.2) << Write(b"\r")
    play = (play >> Written(1)).asks(Type("z")) << Write(b"z")
    assert (play >> Written(1) << Reply(TWO, Typed(1))).done()


# One question right after the other

YES_NO = r"""
[screen]
prompt = '^\$'
question = '\? \[y/n\]%s'
[respond]
accept = "y\r"
"""
ENDS = ("", "$")
"""A pattern that matches what is typed behind a question as well, and one that does not."""


def asked(make_play: MakePlay, end: str) -> Playbook:
    agent = configured(tomllib.loads(YES_NO % end), source="test")
    play = make_play(agent=agent) >> Output(b"remove a? [y/n] ")
    play = play.after(SETTLE) << published
    assert id_and_text(play) == ("p1", "remove a? [y/n]")
    return play


def id_and_text(play: Playbook) -> tuple[str, str]:
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert isinstance(state.prompt, Question)
    return state.prompt.id, state.prompt.text


@pytest.mark.parametrize("end", ENDS)
def test_an_answer_that_is_late_is_not_typed_into_the_next_question(make_play: MakePlay, end: str) -> None:
    play = asked(make_play, end) >> Output(b"n\r\nremove b? [y/n] ")  # at the keyboard
    play = play.after(SETTLE) << published
    assert id_and_text(play) == ("p2", "remove b? [y/n]")
    play = play.asks(Respond(accept=True, prompt_id=PromptId("p1"))) << refused(ONE, Reason.PROMPT_CHANGED)
    assert play.done()
    assert (play.asks(Respond(accept=True, prompt_id=PromptId("p2"))) << Write(b"y\r")).done()


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("following", [b"remove b? [y/n] ", b"remove a? [y/n] "])
def test_the_next_question_proves_an_answer(make_play: MakePlay, following: bytes, end: str) -> None:
    play = asked(make_play, end)
    before = play.core.belief.state
    assert isinstance(before, Prompted)
    play = play.asks(Respond(accept=True)) << Write(b"y\r")
    play = (play >> Written(2) >> Output(b"y\r\n" + following)).after(SETTLE)
    play = play << Reply(ONE, Delivered(before, effect="accepted", via="keys", prompt=before.prompt)) << published
    assert id_and_text(play) == ("p2", following.decode().strip())


def test_what_is_typed_behind_a_question_makes_no_other(make_play: MakePlay) -> None:
    play = asked(make_play, "")
    for key in (b"m", b"a", b"\b \b", b"\b \b"):
        play = (play >> Output(key)).after(SETTLE)
        assert id_and_text(play)[0] == "p1"
