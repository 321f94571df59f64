import json
from typing import Any

import pytest

from coop.client.follow import Follower, state_in
from coop.client.sse import Frame
from coop.errors import Internal
from coop.model.events import Event, Resized, SessionEnded, StateChanged
from coop.model.ids import EventSeq, PromptId
from coop.model.prompt import Question
from coop.model.screen import Size
from coop.model.state import Exited, ExitStatus, Idle, Prompted, Working
from coop.model.view import Lagged, Restarted, Snapshot, StreamItem, UnknownEvent
from tests.unit.wire.test_decode import REPLY


def frame(kind: str, identity: str, **body: object) -> Frame:
    return Frame(identity, kind, json.dumps({"type": kind, **body}).encode())


def snapshot(epoch: str, seq: int, reason: str = "start", *, ended: bool = False, **state: object) -> Frame:
    told: dict[str, Any] = {**REPLY, "epoch": epoch, "event_seq": seq, **state}
    return frame("snapshot", f"{epoch}-{seq}", reason=reason, state=told, ended=ended)


def resize(epoch: str, seq: int) -> Frame:
    return frame("resize", f"{epoch}-{seq}", cols=seq, rows=1, event_seq=seq, epoch=epoch)


def follower(position: tuple[str, int] | None = None) -> Follower:
    return Follower(position, clock=lambda: 5.0)


def read(follower: Follower, *frames: Frame) -> list[StreamItem]:
    return [item for frame in frames for item in follower.receive(frame)]


def resized(epoch: str, seq: int) -> Event:
    return Event(EventSeq(seq), epoch, 5.0, Resized(Size(seq, 1)))


def test_a_stream_begins_with_a_snapshot_and_goes_on_with_events() -> None:
    reader = follower()
    first, *rest = read(reader, snapshot("a", 3), resize("a", 4), resize("a", 5))
    assert isinstance(first, Snapshot)
    assert rest == [resized("a", 4), resized("a", 5)]
    assert reader.last_event_id == "a-5"


def test_an_event_that_was_read_before_is_not_read_again() -> None:
    reader = follower(("a", 4))
    assert read(reader, resize("a", 3), resize("a", 4), resize("a", 5), resize("a", 5)) == [resized("a", 5)]


def test_a_restart_is_told_and_a_snapshot_follows() -> None:
    reader = follower(("a", 9))
    restarted, told, event = read(reader, snapshot("b", 0, "restarted"), resize("b", 1))
    assert restarted == Restarted("b")
    assert isinstance(told, Snapshot)
    assert event == resized("b", 1)


def test_a_gap_is_told_whoever_made_it() -> None:
    reader = follower(("a", 2))
    assert read(reader, snapshot("a", 9, "lagged"))[0] == Lagged("a", EventSeq(2))
    assert read(reader, resize("a", 12)) == [Lagged("a", EventSeq(9)), resized("a", 12)]


def test_a_change_has_the_whole_state_it_came_from() -> None:
    asks = {"type": "question", "id": "p1", "question": "DB?"}
    change = frame("state_change", "a-1", prev="ask_user", next="working", seq=2, prompt=None, detail=None)
    reader = follower()
    _, event = read(reader, snapshot("a", 0, state="ask_user", prompt=asks), change)
    assert isinstance(event, Event)
    assert event.fact == StateChanged(Prompted(Question(PromptId("p1"), "DB?")), Working(), 2)
    assert (state_in(event), reader.state) == (Working(), Working())


def test_it_ends_with_the_session() -> None:
    reader = follower(("a", 1))
    (event,) = read(reader, frame("exit", "a-2", code=3, signal=None))
    assert isinstance(event, Event)
    assert event.fact == SessionEnded(ExitStatus(3))
    assert reader.ended
    late = follower()
    (told,) = read(late, snapshot("a", 2, ended=True, state="exited", exit_code=3))
    assert (state_in(told), late.ended) == (Exited(ExitStatus(3)), True)


def test_an_event_of_a_newer_coop_is_an_item_of_its_own() -> None:
    (event,) = read(follower(("a", 1)), frame("sneeze", "a-2", loud=True))
    assert event == UnknownEvent(EventSeq(2), "a", "sneeze", {"type": "sneeze", "loud": True})
    assert state_in(event) is None


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (Frame("7", "resize", b"{}"), "EPOCH-SEQ"),
        (Frame("a-2", "resize", b"[]"), "JSON object"),
        (Frame("b-2", "resize", b"{}"), "expected an event of"),
    ],
)
def test_what_coop_never_sends_is_refused(bad: Frame, says: str) -> None:
    reader = follower(("a", 1))
    with pytest.raises(Internal, match=says):
        read(reader, bad)
    assert read(reader, resize("a", 2)) == [resized("a", 2)]


def test_a_snapshot_says_idle() -> None:
    assert state_in(read(follower(), snapshot("a", 0))[0]) == Idle()
