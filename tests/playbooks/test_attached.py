"""A session on somebody else's terminal."""

import json

import pytest

from coop.agents.claude import claude
from coop.agents.codex import codex
from coop.agents.gemini import gemini
from coop.model.attach import Attachment
from coop.model.commands import ConfigureStop, Done, Nudge, Reason, Refused, Resize, Signal, Type
from coop.model.events import Resized, SessionEnded, ShutdownStarted, StateChanged
from coop.model.ids import RequestId
from coop.model.records import ChildExited, LogTold, Output, OutputEnded, ShuttingDown, SizeChanged
from coop.model.screen import Size
from coop.model.state import AgentState, Exited, ExitStatus, Failed, Idle, Unknown, Working
from coop.model.stop import StopConfig, StopMode
from coop.session.effects import Reply, SendSignal, Write
from coop.testing import Playbook
from tests.playbooks.claude import facts, shows
from tests.playbooks.codex import RESTS
from tests.playbooks.conftest import MakePlay
from tests.playbooks.test_life import published
from tests.unit.agents.gemini import screens as gemini_screens

WALL = 1_800_000_000.0
THEIRS = Attachment("tmux:work", "as it is written")
DETACHED = ExitStatus(why="coop has detached; the program goes on")


@pytest.fixture
def play(make_play: MakePlay) -> Playbook:
    return make_play(attachment=THEIRS)


def refused(play: Playbook) -> Refused:
    effect = play.effects.popleft()
    assert isinstance(effect, Reply)
    assert isinstance(effect.outcome, Refused)
    return effect.outcome


def test_a_shutdown_lets_go_and_sends_no_signal(play: Playbook) -> None:
    play = play >> ShuttingDown(10.0) << published(ShutdownStarted(0.0))
    play = (
        play << published(StateChanged(Unknown(), Exited(DETACHED), play.core.screen.seq)) << published(SessionEnded(DETACHED))
    )
    assert play.after(60.0).done()
    assert (play.core.ended, DETACHED.shell_code) == (DETACHED, 0)


def test_its_size_is_followed_and_not_changed(play: Playbook) -> None:
    size = Size(60, 12)
    assert refused(play.asks(Resize(size))).reason is Reason.NOT_OURS
    play = play >> Output(b"before") >> SizeChanged(size) << published(Resized(size))
    assert play.core.screen.size == size
    assert play.done()


def test_it_is_typed_into_and_signalled_like_any_other(play: Playbook) -> None:
    assert (play.asks(Type("x")) << Write(b"x")).done()
    assert (play.asks(Signal(2)) << SendSignal(2) << Reply(RequestId(2), Done())).done()


def test_when_its_end_is_told_in_words_these_are_given(play: Playbook) -> None:
    gone = ExitStatus(why="the tmux server is gone")
    play = play >> ChildExited(gone) >> OutputEnded()
    play = play << published(StateChanged(Unknown(), Exited(gone), play.core.screen.seq)) << published(SessionEnded(gone))
    assert "the tmux server is gone" in refused(play.asks(Type("x"))).detail


def test_a_gate_that_no_hook_would_ask_is_refused(make_play: MakePlay) -> None:
    play = make_play(agent=claude(), attachment=THEIRS)
    assert "hooks" in refused(play.asks(ConfigureStop(StopConfig(StopMode.GATE)))).detail
    assert (play.asks(ConfigureStop(StopConfig(StopMode.ALLOW))) << Reply(RequestId(2), Done())).done()


# What an agent had said before we came


def told(*records: object) -> LogTold:
    return LogTold(b"\n".join(json.dumps(record).encode() for record in records), WALL)


def turn(kind: str, **payload: object) -> dict[str, object]:
    return {"timestamp": "2027-01-15T07:00:00Z", "type": "event_msg", "payload": {"type": kind, **payload}}


META = {"type": "session_meta", "payload": {"id": "t1", "cwd": "/w"}}
HEARD = turn("item_completed", item={"type": "UserMessage", "content": [{"text": "go on"}]})
DONE = turn("task_complete", last_agent_message="Done.")


def attached_codex(make_play: MakePlay) -> Playbook:
    return make_play(agent=codex(), size=Size(120, 40), attachment=THEIRS)


def states(play: Playbook) -> list[AgentState]:
    return [fact.current for fact in facts(play) if isinstance(fact, StateChanged)]


def test_one_whose_log_ends_with_the_end_of_a_turn_rests_and_what_was_before_is_no_event(make_play: MakePlay) -> None:
    play = attached_codex(make_play) >> told(META, turn("task_started"), HEARD, DONE)
    assert states(play) == [], "its screen may still show a dialog"
    play = (play >> RESTS).after(0.2)
    assert states(play) == [Idle()]
    assert (play.core.insight.known.session_id, play.core.insight.known.last_message) == ("t1", "Done.")


def test_one_whose_log_ends_in_the_middle_of_a_turn_works(make_play: MakePlay) -> None:
    play = (attached_codex(make_play) >> told(META, DONE, turn("task_started"), HEARD) >> RESTS).after(10.0)
    assert states(play) == [Working()]


def test_one_whose_last_turn_has_failed_says_so(make_play: MakePlay) -> None:
    play = attached_codex(make_play) >> told(turn("task_started"), turn("task_complete", error={"message": "no more"}))
    play = (play >> RESTS).after(1.0)
    assert [type(state) for state in states(play)] == [Failed]


@pytest.mark.parametrize("before", [(), (told(META),), (told("?", [], None),)])
def test_where_nothing_says_that_it_rests_the_grace_stays(make_play: MakePlay, before: tuple[LogTold, ...]) -> None:
    play = attached_codex(make_play)
    for item in before:
        play = play >> item
    play = (play >> RESTS).after(50.0)
    assert Idle() not in states(play)
    assert states(play.after(15.0))[-1] == Idle()


def test_what_it_heard_before_is_no_proof_of_a_message(make_play: MakePlay) -> None:
    play = (attached_codex(make_play) >> told(META, HEARD, DONE) >> RESTS).after(0.2)
    play.effects.clear()
    play = play.asks(Nudge("go on")) >> told({**HEARD, "timestamp": None})
    assert not any(isinstance(effect, Reply) for effect in play.effects)


def test_geminis_history_that_is_written_again_says_nothing(make_play: MakePlay) -> None:
    context = {"type": "user", "content": [{"text": "<session_context>"}]}
    again = {"type": "gemini", "id": "m2", "content": [{"text": "Done."}]}
    cancelled = {"type": "info", "content": "Request cancelled."}
    play = make_play(agent=gemini(), size=Size(120, 40), attachment=THEIRS)
    play = play >> told({"type": "user", "content": [{"text": "go"}]}, cancelled, context, again, {"$set": {"messages": []}})
    play = (play >> shows(gemini_screens.composer())).after(0.6)
    assert states(play) == [Idle()]
