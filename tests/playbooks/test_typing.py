"""What callers type reaches the terminal whole, in order, and is answered exactly once."""

from collections.abc import Callable

from coop.model.commands import Keys, Lease, LeaseAction, Leased, Reason, Refused, Type, Typed, TypeRaw
from coop.model.ids import ConnectionId, RequestId
from coop.model.records import ConnectionGone, Output, Written
from coop.session.effects import Abandon, Effect, Reply, Write
from coop.testing import Playbook

ONE, TWO, THREE = RequestId(1), RequestId(2), RequestId(3)


def refused(request: RequestId, reason: Reason) -> Callable[[Effect], bool]:
    def claim(effect: Effect) -> bool:
        return (
            isinstance(effect, Reply)
            and effect.id == request
            and isinstance(effect.outcome, Refused)
            and effect.outcome.reason is reason
        )

    return claim


def test_text_is_written_and_enter_behind_it(play: Playbook) -> None:
    play = play.asks(Type("hello", enter=True)) << Write(b"hello\r")
    assert (play >> Written(6) << Reply(ONE, Typed(6))).done()
    assert play.core.counters.bytes_written == 6


def test_keys_are_encoded_in_the_modes_of_the_moment(play: Playbook) -> None:
    play = play.asks(Keys(("Up",))) << Write(b"\x1b[A")
    play = play >> Written(3) << Reply(ONE, Typed(3))
    play = (play >> Output(b"\x1b[?1h")).asks(Keys(("Up",))) << Write(b"\x1bOA")
    assert (play >> Written(3) << Reply(TWO, Typed(3))).done()


def test_a_key_nobody_knows_is_refused_and_nothing_is_typed(play: Playbook) -> None:
    assert (play.asks(Keys(("Enter", "Nope"))) << refused(ONE, Reason.BAD_COMMAND)).done()


def test_the_second_caller_waits_for_the_first(play: Playbook) -> None:
    play = play.asks(TypeRaw(b"first")) << Write(b"first")
    play = play.asks(TypeRaw(b"second"))
    assert play.done()
    play = play >> Written(5) << Reply(ONE, Typed(5)) << Write(b"second")
    assert (play >> Written(6) << Reply(TWO, Typed(6))).done()


def test_a_caller_that_waits_two_seconds_is_refused(play: Playbook) -> None:
    play = (play.asks(TypeRaw(b"first")) << Write(b"first")).after(1.0) >> Written(2)
    play = play.asks(TypeRaw(b"second")).after(1.9)
    assert play.done()
    play = play >> Written(1)
    assert (play.after(0.1) << refused(TWO, Reason.WRITER_BUSY)).done()


def test_a_program_that_does_not_read_gets_a_short_write(play: Playbook) -> None:
    play = play.asks(TypeRaw(b"hello")) << Write(b"hello")
    play = play >> Written(3)
    assert (play.after(2.0) << Abandon() << Reply(ONE, Typed(3))).done()


def test_a_lease_keeps_everybody_else_out(play: Playbook) -> None:
    play = play.asks(Lease(LeaseAction.ACQUIRE), connection=7) << Reply(ONE, Leased(held=True, expires_in=30.0))
    play = play.asks(Type("x"), connection=8) << refused(TWO, Reason.WRITER_BUSY)
    play = play.asks(Type("x")) << refused(THREE, Reason.WRITER_BUSY)
    assert (play.asks(Type("x"), connection=7) << Write(b"x")).done()


def test_a_lease_ends_with_its_connection(play: Playbook) -> None:
    play = play.asks(Lease(LeaseAction.ACQUIRE), connection=7) << Reply(ONE, Leased(held=True, expires_in=30.0))
    play = play >> ConnectionGone(ConnectionId(7))
    assert (play.asks(Type("x")) << Write(b"x")).done()


def test_a_lease_ends_thirty_seconds_after_the_last_input(play: Playbook) -> None:
    play = play.asks(Lease(LeaseAction.ACQUIRE), connection=7) << Reply(ONE, Leased(held=True, expires_in=30.0))
    play = play.after(20).asks(Type("x"), connection=7) << Write(b"x")
    play = play >> Written(1) << Reply(TWO, Typed(1))
    play = play.after(29.9).asks(Type("y")) << refused(THREE, Reason.WRITER_BUSY)
    assert (play.after(0.1).asks(Type("y")) << Write(b"y")).done()


def test_a_request_without_a_connection_cannot_hold_the_lease(play: Playbook) -> None:
    assert (play.asks(Lease(LeaseAction.ACQUIRE)) << refused(ONE, Reason.BAD_COMMAND)).done()


def test_releasing_gives_it_to_the_next(play: Playbook) -> None:
    play = play.asks(Lease(LeaseAction.ACQUIRE), connection=7) << Reply(ONE, Leased(held=True, expires_in=30.0))
    play = play.asks(Lease(LeaseAction.ACQUIRE), connection=8) << refused(TWO, Reason.WRITER_BUSY)
    play = play.asks(Lease(LeaseAction.RELEASE), connection=7) << Reply(THREE, Leased(held=False))
    assert (
        play.asks(Lease(LeaseAction.ACQUIRE), connection=8) << Reply(RequestId(4), Leased(held=True, expires_in=30.0))
    ).done()
