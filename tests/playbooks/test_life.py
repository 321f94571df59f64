"""A session from launch to exit."""

import signal
from collections.abc import Callable

import pytest

from coop.model.commands import Done, Nudge, Reason, Refused, Resize, Respond, Signal, Type
from coop.model.events import Event, Resized, SessionEnded, ShutdownStarted, StateChanged
from coop.model.ids import ConnectionId, RequestId
from coop.model.records import (
    ChildExited,
    ChildStopped,
    ConnectionGone,
    HookRecord,
    Item,
    Output,
    OutputEnded,
    ShuttingDown,
    Started,
    Tick,
)
from coop.model.screen import Size
from coop.model.state import Exited, ExitStatus, Unknown
from coop.session.effects import AnswerQuery, Effect, Publish, Reply, SendSignal, SetSize, ShutDown, Write
from coop.testing import Playbook
from tests.playbooks.conftest import MakePlay

OK = ExitStatus(code=0)


def published(fact: object) -> Callable[[Effect], bool]:
    def claim(effect: Effect) -> bool:
        return isinstance(effect, Publish) and effect.event.fact == fact

    return claim


def ended(play: Playbook, status: ExitStatus = OK) -> Playbook:
    play = play << published(StateChanged(Unknown(), Exited(status), play.core.screen.seq))
    return play << published(SessionEnded(status))


def test_output_goes_to_ring_and_screen(play: Playbook) -> None:
    play = play >> Output(b"hello")
    assert play.core.ring.since(0).data == b"hello"
    assert play.core.screen.snapshot().lines[0] == "hello"
    assert play.done()


def test_a_query_is_answered_as_the_terminal(play: Playbook) -> None:
    assert (play >> Output(b"\x1b[6n") << AnswerQuery(b"\x1b[1;1R")).done()


def test_exit_and_end_of_output_make_the_end_in_either_order(make_play: MakePlay) -> None:
    for first, second in ((ChildExited(OK), OutputEnded()), (OutputEnded(), ChildExited(OK))):
        play = make_play() >> first
        assert play.done()
        assert ended(play >> second).done()
        assert play.core.ended == OK


def test_a_grandchild_that_holds_the_terminal_does_not_hide_the_exit(play: Playbook) -> None:
    play = play >> ChildExited(OK)
    assert play.after(0.09).done()
    assert ended(play.after(0.01)).done()


def test_last_words_are_waited_for_but_not_for_ever(play: Playbook) -> None:
    play = play >> ChildExited(OK)
    for _ in range(19):
        play = play.after(0.05) >> Output(b"still here")
        assert play.done()
    assert ended(play.after(0.06)).done()


def test_after_the_end_nothing_is_done(play: Playbook) -> None:
    ended(play >> ChildExited(OK) >> OutputEnded())
    items: tuple[Item, ...] = (Tick(), ChildExited(ExitStatus(1)), OutputEnded(), ShuttingDown(1.0), HookRecord(b"{}"))
    for item in items:
        play = play >> item
    assert play.done()
    assert play.core.deadline() is None
    assert play.core.ended == OK


def test_after_the_end_commands_are_refused(play: Playbook) -> None:
    ended(play >> ChildExited(ExitStatus(signal=9)) >> OutputEnded(), ExitStatus(signal=9))
    gone = Refused(Reason.EXITED, "the child has exited by signal 9")
    assert (play.asks(Type("x")) << Reply(RequestId(1), gone)).done()


def test_what_was_being_typed_when_the_child_died_is_answered(play: Playbook) -> None:
    play = play.asks(Type("x")) << Write(b"x")
    play = play >> ChildExited(OK) >> OutputEnded()
    play = play << Reply(RequestId(1), Refused(Reason.EXITED, "the child has exited with code 0"))
    assert ended(play).done()


def test_before_the_start_commands_are_refused(make_play: MakePlay) -> None:
    play = make_play(started=False).asks(Type("x"))
    assert isinstance(effect := play.effects.popleft(), Reply)
    assert isinstance(effect.outcome, Refused)
    assert effect.outcome.reason is Reason.NOT_STARTED
    assert (play >> Started(1)).done()


@pytest.mark.parametrize("command", [Nudge("x"), Respond(accept=True)])
def test_an_unknown_agent_cannot_be_nudged_or_answered(play: Playbook, command: Nudge | Respond) -> None:
    play = play.asks(command)
    assert isinstance(effect := play.effects.popleft(), Reply)
    assert isinstance(effect.outcome, Refused)
    assert effect.outcome.reason is Reason.NO_DRIVER


def test_a_resize_reaches_screen_terminal_and_readers(play: Playbook) -> None:
    size = Size(100, 30)
    play = play.asks(Resize(size)) << SetSize(size) << published(Resized(size))
    assert (play << Reply(RequestId(1), Done())).done()
    assert play.core.screen.size == size


def resized(play: Playbook, size: Size) -> Playbook:
    return play << SetSize(size) << published(Resized(size))


def visited(play: Playbook, size: Size, connection: int) -> Playbook:
    """By somebody whose terminal has that size."""
    play = resized(play.asks(Resize(size, while_there=True), connection), size)
    assert isinstance(play.effects.popleft(), Reply)
    return play


def test_the_terminal_has_its_own_size_again_when_its_visitor_has_gone(play: Playbook) -> None:
    own = play.core.screen.size
    play = visited(visited(play, Size(60, 14), 7), Size(50, 12), 7)
    assert resized(play >> ConnectionGone(ConnectionId(7)), own).done()
    assert play.core.screen.size == own


def test_who_is_still_there_has_the_size_when_another_leaves(play: Playbook) -> None:
    own = play.core.screen.size
    play = visited(visited(play, Size(90, 19), 7), Size(60, 14), 8)
    play = resized(play >> ConnectionGone(ConnectionId(8)), Size(90, 19))
    assert resized(play >> ConnectionGone(ConnectionId(7)), own).done()


def test_a_size_that_somebody_decided_on_stays_when_the_visitor_goes(play: Playbook) -> None:
    play = visited(play, Size(60, 14), 7)
    play = resized(play.asks(Resize(Size(120, 40))), Size(120, 40)) << Reply(RequestId(2), Done())
    assert (play >> ConnectionGone(ConnectionId(7))).done()
    play = visited(play, Size(60, 14), 8)
    assert resized(play >> ConnectionGone(ConnectionId(8)), Size(120, 40)).done()


def test_whose_connection_was_not_for_a_visit_leaves_the_size_it_gave(play: Playbook) -> None:
    play = resized(play.asks(Resize(Size(120, 40)), 7), Size(120, 40)) << Reply(RequestId(1), Done())
    assert (play >> ConnectionGone(ConnectionId(7))).done()


def test_a_signal_is_sent(play: Playbook) -> None:
    assert (play.asks(Signal(2)) << SendSignal(2) << Reply(RequestId(1), Done())).done()


def test_a_shutdown_asks_first_and_insists_after_the_grace(play: Playbook) -> None:
    play = play >> ShuttingDown(10.0) << published(ShutdownStarted(10.0))
    play = play << SendSignal(signal.SIGHUP) << SendSignal(signal.SIGCONT)
    assert play.after(9.9).done()
    assert (play.after(0.1) << SendSignal(signal.SIGKILL)).done()


def test_a_second_shutdown_is_immediate(play: Playbook) -> None:
    play = play >> ShuttingDown(10.0) << published(ShutdownStarted(10.0))
    play = play << SendSignal(signal.SIGHUP) << SendSignal(signal.SIGCONT)
    play = play >> ShuttingDown(0.0)
    assert (play.after(0.0) << SendSignal(signal.SIGKILL)).done()


@pytest.mark.parametrize(("second", "left"), [(3.0, 3.0), (9.0, 5.0)])
def test_of_two_shutdowns_the_one_with_less_patience_holds(play: Playbook, second: float, left: float) -> None:
    play = play >> ShuttingDown(10.0) << published(ShutdownStarted(10.0))
    play = (play << SendSignal(signal.SIGHUP) << SendSignal(signal.SIGCONT)).after(5.0) >> ShuttingDown(second)
    assert play.after(left - 0.1).done()
    assert (play.after(0.1) << SendSignal(signal.SIGKILL)).done()


def test_a_child_that_goes_when_asked_is_not_killed(play: Playbook) -> None:
    play = play >> ShuttingDown(10.0) << published(ShutdownStarted(10.0))
    play = play << SendSignal(signal.SIGHUP) << SendSignal(signal.SIGCONT)
    play = ended(play >> ChildExited(OK) >> OutputEnded())
    assert play.after(20).done()


def test_an_unused_session_ends_itself(make_play: MakePlay) -> None:
    play = make_play(idle_timeout=30.0)
    play = play.after(20) >> Output(b"x")
    play = play.after(20).asks(Signal(1)) << SendSignal(1) << Reply(RequestId(1), Done())
    assert play.after(29.9).done()
    assert (play.after(0.1) << ShutDown()).done()


def test_events_are_numbered_without_a_gap(play: Playbook) -> None:
    for cols in (50, 60, 70):
        play = play.asks(Resize(Size(cols, 10)))
    events = [effect.event for effect in play.effects if isinstance(effect, Publish)]
    assert [(event.seq, event.epoch) for event in events] == [(1, "epoch"), (2, "epoch"), (3, "epoch")]
    assert all(isinstance(event, Event) for event in events)


def test_hook_records_are_counted(play: Playbook) -> None:
    assert (play >> HookRecord(b'{"event":"stop"}')).done()
    assert play.core.counters.hook_records == 1


# Job control, where there is no shell


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP])
def test_a_child_that_suspends_itself_goes_on(play: Playbook, number: int) -> None:
    assert (play >> ChildStopped(number) << SendSignal(signal.SIGCONT)).done()


@pytest.mark.parametrize("number", [signal.SIGTTIN, signal.SIGTTOU])
def test_a_child_that_is_not_at_the_terminal_is_left_stopped(play: Playbook, number: int) -> None:
    assert (play >> ChildStopped(number)).done()


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP])
def test_a_child_that_somebody_wants_stopped_stays_so_until_they_say_that_it_goes_on(play: Playbook, number: int) -> None:
    play = play.asks(Signal(number)) << SendSignal(number) << Reply(RequestId(1), Done())
    play = play >> ChildStopped(signal.SIGSTOP)
    play = play.asks(Signal(signal.SIGWINCH)) << SendSignal(signal.SIGWINCH) << Reply(RequestId(2), Done())
    play = play >> ChildStopped(signal.SIGSTOP)
    play = play.asks(Signal(signal.SIGCONT)) << SendSignal(signal.SIGCONT) << Reply(RequestId(3), Done())
    assert (play >> ChildStopped(signal.SIGSTOP) << SendSignal(signal.SIGCONT)).done()
