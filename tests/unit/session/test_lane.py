from coop.model.commands import Reason, Refused, Stroke, Typed
from coop.model.ids import RequestId
from coop.session.effects import Abandon, Effect, Reply, Write
from coop.session.lane import PATIENCE, Lane

A, B = RequestId(1), RequestId(2)


def advance(lane: Lane, now: float) -> list[Effect]:
    return list(lane.advance(now))


def test_a_turn_is_written_and_answered_with_its_length() -> None:
    lane = Lane()
    lane.offer(A, [Stroke(b"hello")], 0.0)
    assert advance(lane, 0.0) == [Write(b"hello")]
    lane.written(5, 0.0)
    assert advance(lane, 0.0) == [Reply(A, Typed(5))]
    assert lane.deadline() is None


def test_two_turns_never_mix() -> None:
    lane = Lane()
    lane.offer(A, [Stroke(b"one"), Stroke(b"\r")], 0.0)
    lane.offer(B, [Stroke(b"two")], 0.0)
    assert advance(lane, 0.0) == [Write(b"one")]
    assert advance(lane, 0.1) == []
    lane.written(3, 0.1)
    assert advance(lane, 0.1) == [Write(b"\r")]
    lane.written(1, 0.1)
    assert advance(lane, 0.1) == [Reply(A, Typed(4)), Write(b"two")]


def test_a_pause_is_kept() -> None:
    lane = Lane()
    lane.offer(A, [Stroke(b"x", pause=0.5), Stroke(b"\r")], 0.0)
    advance(lane, 0.0)
    lane.written(1, 1.0)
    assert lane.deadline() == 1.5
    assert advance(lane, 1.4) == []
    assert advance(lane, 1.5) == [Write(b"\r")]


def test_a_program_that_does_not_read_gets_a_short_write() -> None:
    lane = Lane()
    lane.offer(A, [Stroke(b"hello")], 0.0)
    advance(lane, 0.0)
    lane.written(2, 1.0)
    assert advance(lane, 1.0 + PATIENCE) == [Abandon(), Reply(A, Typed(2))]


def test_a_turn_that_never_came_is_refused_and_was_not_typed() -> None:
    lane = Lane()
    lane.offer(A, [Stroke(b"hello")], 0.0)
    lane.offer(B, [Stroke(b"x")], 0.0)
    advance(lane, 0.0)
    lane.written(1, 1.9)
    effects = advance(lane, PATIENCE)
    assert [effect for effect in effects if isinstance(effect, Write)] == []
    assert isinstance(effects[0], Reply)
    assert isinstance(effects[0].outcome, Refused)
    assert (effects[0].id, effects[0].outcome.reason) == (B, Reason.WRITER_BUSY)


def test_an_empty_turn_is_answered_at_once() -> None:
    lane = Lane()
    lane.offer(A, [], 0.0)
    assert advance(lane, 0.0) == [Reply(A, Typed(0))]


def test_a_turn_that_is_answered_later_is_typed_and_not_answered_here() -> None:
    lane = Lane()
    lane.offer(A, [Stroke(b"x")], 0.0, answered_later=True)
    lane.offer(B, [Stroke(b"y")], 0.0)
    assert advance(lane, 0.0) == [Write(b"x")]
    lane.written(1, 0.0)
    assert advance(lane, 0.0) == [Write(b"y")]


def test_when_the_child_is_gone_everybody_is_told() -> None:
    lane = Lane()
    lane.offer(A, [Stroke(b"x")], 0.0)
    lane.offer(B, [Stroke(b"y")], 0.0)
    gone = Refused(Reason.EXITED, "gone")
    assert list(lane.clear(gone)) == [Reply(A, gone), Reply(B, gone)]
