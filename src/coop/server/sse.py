"""Server-sent events: the session's events, caught up on from where a reader left off."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from coop.errors import BadRequest
from coop.model.events import Event
from coop.server import streams
from coop.server.facade import Served
from coop.server.routes import query_of
from coop.wire import ws as wire
from coop.wire.http import EventsQuery

MOST_DIGITS = 18
KEEP_ALIVE = 15.0
"""A comment is sent this often, so that proxies and readers see the stream live."""
_STILL_HERE = b": still here\n\n"


async def events(served: Served, request: Request) -> Response:
    query = query_of(request, EventsQuery)
    last = request.headers.get("last-event-id") or query.last_event_id
    position = _position(last) if last else None
    served.require_started()
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    if request.method == "HEAD":  # there is no end to wait for
        return Response(media_type="text/event-stream", headers=headers)
    return StreamingResponse(_stream(served, position), media_type="text/event-stream", headers=headers)


def _position(last: str) -> streams.Position:
    epoch, _, seq = last.rpartition("-")
    if not epoch or not (seq.isascii() and seq.isdigit() and len(seq) <= MOST_DIGITS):
        raise BadRequest(f"Last-Event-ID: expected EPOCH-SEQ, as this stream sends it, got {last!r}")
    return epoch, int(seq)


async def _stream(served: Served, position: streams.Position | None) -> AsyncIterator[bytes]:
    async with aclosing(streams.events(served, position, quiet=KEEP_ALIVE)) as items:
        async for item in items:
            yield _STILL_HERE if item is None else _encode(item)
    while served.keep_alive:
        await asyncio.sleep(KEEP_ALIVE)
        yield _STILL_HERE


def _encode(item: Event | wire.SnapshotMessage) -> bytes:
    if isinstance(item, Event):
        message = wire.event(item)
        return _frame(str(message.__struct_config__.tag), f"{item.epoch}-{item.seq}", wire.encode(message))
    return _frame("snapshot", f"{item.state.epoch}-{item.state.event_seq}", wire.encode(item))


def _frame(kind: str, identity: str, data: bytes) -> bytes:
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (identity.encode(), kind.encode(), data)
