"""A session on somebody else's terminal."""

import pytest

from coop.agents.claude import claude
from coop.model.attach import Attachment
from coop.model.commands import ConfigureStop, Done, Reason, Refused, Resize, Signal, Type
from coop.model.events import Resized, SessionEnded, ShutdownStarted, StateChanged
from coop.model.ids import RequestId
from coop.model.records import ChildExited, Output, OutputEnded, ShuttingDown, SizeChanged
from coop.model.screen import Size
from coop.model.state import Exited, ExitStatus, Unknown
from coop.model.stop import StopConfig, StopMode
from coop.session.effects import Reply, SendSignal, Write
from coop.testing import Playbook
from tests.playbooks.conftest import MakePlay
from tests.playbooks.test_life import published

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
