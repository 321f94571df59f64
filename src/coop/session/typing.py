"""Typing as it is asked for: by a person, or by a program that takes care of itself. One writer at a time."""

from collections.abc import Iterator

from coop.agents import typed
from coop.errors import BadRequest
from coop.model.commands import Keys, LeaseAction, Leased, Reason, Refused, Stroke, Type, TypeRaw
from coop.model.records import Asked
from coop.session.effects import Effect, Reply
from coop.session.lane import Lane
from coop.session.lease import LASTS, WriteLease
from coop.terminal.keys import encode_keys
from coop.terminal.screen import Screen


class Typing:
    def __init__(self, screen: Screen, lane: Lane) -> None:
        self._screen = screen
        self._lane = lane
        self.lease = WriteLease()
        self.at = float("-inf")
        """When somebody last pressed keys."""

    def refusal(self, asked: Asked, now: float) -> Refused | None:
        """While somebody else holds the lock."""
        return None if self.lease.permits(asked.connection, now) else _held(self.lease.until - now)

    def on_asked(self, asked: Asked, typing: Type | TypeRaw | Keys, now: float) -> Iterator[Effect]:
        try:
            data = self._encode(typing)
        except BadRequest as error:
            yield Reply(asked.id, Refused(Reason.BAD_COMMAND, error.message))
            return
        self.lease.renew(asked.connection, now)
        self.at = now
        self._lane.offer(
            asked.id, typed((Stroke(data),) if data else ()), now, has_eyes=False
        )  # a key must not wait for a look

    def _encode(self, typing: Type | TypeRaw | Keys) -> bytes:
        match typing:
            case Type(text, enter):
                return text.encode(errors="replace") + (b"\r" if enter else b"")
            case TypeRaw(data):
                return data
            case Keys(keys):
                return encode_keys(keys, self._screen.modes())

    def on_lease(self, asked: Asked, action: LeaseAction, now: float) -> Leased | Refused:
        if asked.connection is None:
            return Refused(Reason.BAD_COMMAND, "lock: only a connection that lasts, a WebSocket, can hold it")
        if action is LeaseAction.RELEASE:
            self.lease.release(asked.connection)
            return Leased(held=False)
        if self.lease.acquire(asked.connection, now):
            return Leased(held=True, expires_in=LASTS)
        return _held(self.lease.until - now)


def _held(seconds: float) -> Refused:
    return Refused(Reason.WRITER_BUSY, f"another connection holds the write lock for {seconds:.0f} s more")
