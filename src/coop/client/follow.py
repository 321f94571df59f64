"""Frames of a stream to its items: every event of an epoch once, in order, and a word for everything else that happens."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from coop.client.sse import Frame
from coop.errors import Internal
from coop.model.events import Event, SessionEnded, StateChanged
from coop.model.ids import EventSeq
from coop.model.state import AgentState
from coop.model.view import Lagged, Restarted, Snapshot, StreamItem, UnknownEvent
from coop.wire import decode

Position = tuple[str, int]
"""An epoch, and the number of the last event that was read of it."""


class Follower:
    """Where a reader is in the stream, whatever number of connections it takes."""

    def __init__(self, position: Position | None, *, clock: Callable[[], float]) -> None:
        self.position = position
        self.state: AgentState | None = None
        self.ended = False
        """Nothing follows."""
        self._clock = clock

    @property
    def last_event_id(self) -> str | None:
        """What to go on from, as the stream spells it."""
        return f"{self.position[0]}-{self.position[1]}" if self.position is not None else None

    def receive(self, frame: Frame) -> Iterator[StreamItem]:
        """The items a frame stands for: none, for one that was read before. Raises `Internal` for what is no frame of coop."""
        body, (epoch, seq) = _body(frame), _identity(frame)
        if frame.kind == "snapshot":
            yield from self._begin(body, epoch, seq)
        elif self.position is None or epoch != self.position[0]:
            raise Internal(f"expected an event of {self.position}, got one of {frame.id!r}")
        elif seq > self.position[1]:
            yield from self._go_on(frame.kind, body, epoch, EventSeq(seq))

    def _begin(self, body: dict[str, Any], epoch: str, seq: int) -> Iterator[StreamItem]:
        told, before = decode.snapshot(body.get("state", {})), self.position
        self.position, self.state, self.ended = (epoch, seq), told.state, body.get("ended") is True
        if before is not None:
            yield Restarted(epoch) if before[0] != epoch else Lagged(epoch, EventSeq(before[1]))
        yield told

    def _go_on(self, kind: str, body: dict[str, Any], epoch: str, seq: EventSeq) -> Iterator[StreamItem]:
        assert self.position is not None
        if seq > self.position[1] + 1:
            yield Lagged(epoch, EventSeq(self.position[1]))
        fact = decode.fact(kind, body, self.state)
        self.position = (epoch, seq)
        if isinstance(fact, StateChanged):
            self.state = fact.current
        self.ended = isinstance(fact, SessionEnded)
        yield UnknownEvent(seq, epoch, kind, body) if fact is None else Event(seq, epoch, self._clock(), fact)


def state_in(item: StreamItem) -> AgentState | None:
    """The state that an item tells, when it tells one."""
    match item:
        case Snapshot(state=state) | Event(fact=StateChanged(current=state)):
            return state
        case _:
            return None


def _body(frame: Frame) -> dict[str, Any]:
    try:
        return msgspec.json.decode(frame.data, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise Internal(f"expected a JSON object in an event of coop: {error}") from None


def _identity(frame: Frame) -> Position:
    epoch, _, seq = frame.id.rpartition("-")
    if not epoch or not seq.isdecimal():
        raise Internal(f"expected an event with an id like EPOCH-SEQ, got {frame.id!r}")
    return epoch, int(seq)
