from coop.agents import Script, View, typed
from coop.errors import BadRequest
from coop.model.commands import Reason, Refused, Stroke, Typed
from coop.model.ids import RequestId
from coop.model.readings import ScreenReading
from coop.model.screen import Cursor, ScreenSnapshot, Size
from coop.model.state import Idle
from coop.session.effects import Abandon, Effect, Reply, Write
from coop.session.lane import PATIENCE, Cleared, Lane, Sent, Shown, TurnEnded, TurnRefused

A, B = RequestId(1), RequestId(2)


SCREEN = ScreenSnapshot(("$",), Size(80, 24), Cursor(0, 0), False, "", 1)


def advance(lane: Lane, now: float) -> list[Effect | TurnEnded | TurnRefused | Sent | Cleared | Shown]:
    return list(lane.advance(now, lambda _: View(SCREEN, ScreenReading(), Idle(), now)))


def test_a_turn_is_written_and_answered_with_its_length() -> None:
    lane = Lane()
    lane.offer(A, typed((Stroke(b"hello"),)), 0.0)
    assert advance(lane, 0.0) == [Write(b"hello")]
    lane.written(5, 0.0)
    assert advance(lane, 0.0) == [Reply(A, Typed(5))]
    assert lane.deadline() is None


def test_two_turns_never_mix() -> None:
    lane = Lane()
    lane.offer(
        A,
        typed(
            (
                Stroke(b"one"),
                Stroke(b"\r"),
            )
        ),
        0.0,
    )
    lane.offer(B, typed((Stroke(b"two"),)), 0.0)
    assert advance(lane, 0.0) == [Write(b"one")]
    assert advance(lane, 0.1) == []
    lane.written(3, 0.1)
    assert advance(lane, 0.1) == [Write(b"\r")]
    lane.written(1, 0.1)
    assert advance(lane, 0.1) == [Reply(A, Typed(4)), Write(b"two")]


def test_a_pause_is_kept() -> None:
    lane = Lane()
    lane.offer(
        A,
        typed(
            (
                Stroke(b"x", pause=0.5),
                Stroke(b"\r"),
            )
        ),
        0.0,
    )
    advance(lane, 0.0)
    lane.written(1, 1.0)
    assert lane.deadline() == 1.5
    assert advance(lane, 1.4) == []
    assert advance(lane, 1.5) == [Write(b"\r")]


def test_a_program_that_does_not_read_gets_a_short_write() -> None:
    lane = Lane()
    lane.offer(A, typed((Stroke(b"hello"),)), 0.0)
    advance(lane, 0.0)
    lane.written(2, 1.0)
    assert advance(lane, 1.0 + PATIENCE) == [Abandon(), Reply(A, Typed(2))]


def test_a_turn_that_never_came_is_refused_and_was_not_typed() -> None:
    lane = Lane()
    lane.offer(A, typed((Stroke(b"hello"),)), 0.0)
    lane.offer(B, typed((Stroke(b"x"),)), 0.0)
    advance(lane, 0.0)
    lane.written(1, 1.9)
    effects = advance(lane, PATIENCE)
    assert [effect for effect in effects if isinstance(effect, Write)] == []
    assert isinstance(effects[0], Reply)
    assert isinstance(effects[0].outcome, Refused)
    assert (effects[0].id, effects[0].outcome.reason) == (B, Reason.WRITER_BUSY)


def test_an_empty_turn_is_answered_at_once() -> None:
    lane = Lane()
    lane.offer(A, typed(()), 0.0)
    assert advance(lane, 0.0) == [Reply(A, Typed(0))]


def test_a_turn_that_is_answered_later_is_typed_and_not_answered_here() -> None:
    lane = Lane()
    lane.offer(A, typed((Stroke(b"x"),)), 0.0, answered_later=True)
    lane.offer(B, typed((Stroke(b"y"),)), 0.0)
    assert advance(lane, 0.0) == [Sent(A), Write(b"x")]
    lane.written(1, 0.0)
    assert advance(lane, 0.0) == [TurnEnded(A), Write(b"y")]


def test_what_only_leads_there_sends_nothing() -> None:
    lane = Lane()
    lane.offer(A, typed((Stroke(b"x", leads=True), Stroke(b"\r"))), 0.0, answered_later=True)
    assert advance(lane, 0.0) == [Write(b"x")]
    lane.written(1, 0.0)
    assert advance(lane, 0.0) == [Sent(A), Write(b"\r")]


def test_a_turn_that_is_taken_back_ends_when_the_terminal_has_taken_its_key() -> None:
    lane = Lane()
    lane.offer(A, typed((Stroke(b"x", leads=True), Stroke(b"\r"))), 0.0, answered_later=True)
    lane.offer(B, typed((Stroke(b"y"),)), 0.0)
    assert advance(lane, 0.0) == [Write(b"x")]
    lane.withdraw(A)
    assert advance(lane, 0.1) == []
    lane.written(1, 0.1)
    assert advance(lane, 0.1) == [Write(b"y")]


def test_a_script_that_finds_its_command_unfit_is_refused() -> None:
    lane = Lane()
    lane.offer(A, unfit(), 0.0, answered_later=True)
    assert advance(lane, 0.0) == [TurnRefused(A, Refused(Reason.BAD_COMMAND, "text: expected some, got none"))]
    assert advance(lane, 0.0) == []


def unfit(text: str = "") -> Script:
    if not text:
        raise BadRequest("text: expected some, got none")
    yield Stroke(text.encode())
    return None


def test_a_paste_that_was_begun_is_ended_though_the_rest_is_abandoned() -> None:
    lane = Lane()
    lane.offer(A, typed((Stroke(b"\x1b[200~long\x1b[201~"),)), 0.0)
    advance(lane, 0.0)
    lane.written(8, 0.0)
    assert Abandon(b"\x1b[201~") in advance(lane, PATIENCE)


def test_when_the_child_is_gone_everybody_is_told() -> None:
    lane = Lane()
    lane.offer(A, typed((Stroke(b"x"),)), 0.0)
    lane.offer(B, typed((Stroke(b"y"),)), 0.0)
    gone = Refused(Reason.EXITED, "gone")
    assert list(lane.clear(gone)) == [Reply(A, gone), Reply(B, gone)]


def test_a_script_sees_the_screen_after_each_stroke() -> None:
    seen: list[float] = []

    def looking() -> Script:
        for key in (b"1", b"2"):
            view = yield Stroke(key, pause=0.5)
            seen.append(view.now)
        return None

    lane = Lane()
    lane.offer(A, looking(), 0.0)
    assert advance(lane, 0.0) == [Write(b"1")]
    lane.written(1, 0.25)
    assert advance(lane, 0.75) == [Write(b"2")]
    lane.written(1, 1.0)
    assert advance(lane, 1.5) == [Reply(A, Typed(2))]
    assert seen == [0.75, 1.5]


def test_a_look_alone_writes_nothing_and_waits() -> None:
    lane = Lane()
    lane.offer(A, typed((Stroke(b"", pause=0.5), Stroke(b"x"))), 0.0)
    assert advance(lane, 0.0) == []
    assert lane.deadline() == 0.5
    assert advance(lane, 0.5) == [Write(b"x")]


def test_a_script_that_gives_up_is_answered_with_why() -> None:
    why = Refused(Reason.DIALOG_UNRECOGNIZED, "nothing to choose from")

    def gives_up() -> Script:
        yield Stroke(b"")
        return why

    lane = Lane()
    lane.offer(A, gives_up(), 0.0, answered_later=True)
    lane.offer(B, typed((Stroke(b"y"),)), 0.0)
    assert advance(lane, 0.0) == [TurnRefused(A, why), Write(b"y")]


def test_a_script_that_is_abandoned_is_closed() -> None:
    closed: list[bool] = []

    def minding() -> Script:
        try:
            yield Stroke(b"never taken")
        finally:
            closed.append(True)
        return None

    lane = Lane()
    lane.offer(A, minding(), 0.0)
    advance(lane, 0.0)
    assert advance(lane, PATIENCE) == [Abandon(), Reply(A, Typed(0))]
    assert closed == [True]


def test_what_a_turn_has_seen_to_be_taken_is_told() -> None:
    lane = Lane()
    lane.offer(A, typed((Stroke(b"", proves="make"),)), 0.0, answered_later=True)
    assert advance(lane, 0.0) == [Shown(A, "make"), TurnEnded(A)]
