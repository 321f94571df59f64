"""Server-sent events: the session's events, caught up on from where a reader left off."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from coop.errors import BadRequest
from coop.model.events import Event, SessionEnded
from coop.server.facade import Served
from coop.session.bus import Subscription
from coop.wire import ws as wire

MOST_DIGITS = 18
KEEP_ALIVE = 15.0
"""A comment is sent this often, so that proxies and readers see the stream live."""


async def events(served: Served, request: Request) -> Response:
    last = request.headers.get("last-event-id") or request.query_params.get("last_event_id")
    position = _position(last) if last else None
    served.require_started()
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_stream(served, position), media_type="text/event-stream", headers=headers)


def _position(last: str) -> tuple[str, int]:
    epoch, _, seq = last.rpartition("-")
    if not epoch or not (seq.isascii() and seq.isdigit() and len(seq) <= MOST_DIGITS):
        raise BadRequest(f"Last-Event-ID: expected EPOCH-SEQ, as this stream sends it, got {last!r}")
    return epoch, int(seq)


async def _stream(served: Served, position: tuple[str, int] | None) -> AsyncIterator[bytes]:
    with served.session.bus.subscribed(to_output=False) as subscription:
        caught_up, is_over = _caught_up(served, position), served.core.ended is not None
        for event in caught_up:
            yield event
        if is_over and not served.keep_alive:
            return
        async for event in _live(served, subscription):
            yield event


def _caught_up(served: Served, position: tuple[str, int] | None) -> list[bytes]:
    if position is None:
        return [_snapshot(served, "start")]
    if position[0] != served.core.settings.epoch:
        return [_snapshot(served, "restarted")]
    missed = served.session.bus.since(position[1])
    return [_snapshot(served, "lagged")] if missed is None else [_encode(event) for event in missed]


async def _live(served: Served, subscription: Subscription) -> AsyncIterator[bytes]:
    while True:
        dropped, fresh = subscription.take()
        if dropped:
            yield _snapshot(served, "lagged")
            fresh = tuple(event for event in fresh if isinstance(event.fact, SessionEnded))
        for event in fresh:
            yield _encode(event)
            if isinstance(event.fact, SessionEnded) and not served.keep_alive:
                return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(KEEP_ALIVE):
                await subscription.wait()
                continue
        yield b": still here\n\n"


def _snapshot(served: Served, reason: wire.SnapshotReason) -> bytes:
    core = served.core
    message = wire.SnapshotMessage(reason, served.state(), core.ended is not None)
    return _frame("snapshot", f"{core.settings.epoch}-{core.counters.events}", wire.encode(message))


def _encode(event: Event) -> bytes:
    message = wire.event(event)
    return _frame(str(message.__struct_config__.tag), f"{event.epoch}-{event.seq}", wire.encode(message))


def _frame(kind: str, identity: str, data: bytes) -> bytes:
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (identity.encode(), kind.encode(), data)
