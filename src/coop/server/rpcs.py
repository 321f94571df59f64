"""The RPCs of the gRPC service as tables. Requests become the commands of the HTTP API, replies are what HTTP would answer."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Any

import msgspec
from google.protobuf.message import Message

from coop.model.commands import Outcome, Typed
from coop.model.events import Event, StateChanged
from coop.server import streams
from coop.server.facade import Served, unexpected
from coop.server.routes import nudged, responded
from coop.v1 import coop_pb2 as pb
from coop.wire import grpc as wire
from coop.wire import http

MOST_OUTPUT = 2 * 1024 * 1024
"""A client takes messages of 4 MiB, if it was not told otherwise."""


# What is read


def _screen(served: Served, request: pb.GetScreenRequest) -> http.Screen:
    query = wire.screen_query(request)
    return served.screen(ansi=query.format == "ansi", cursor=query.cursor, scrollback=query.scrollback)


def _output(served: Served, request: pb.GetOutputRequest) -> http.Output:
    query = wire.decode(request, http.OutputQuery)
    return served.output(query.offset, MOST_OUTPUT if query.limit is None else min(query.limit, MOST_OUTPUT))


ALWAYS: Mapping[str, Callable[[Served, Any], msgspec.Struct]] = {
    "GetHealth": lambda served, _: served.health(),
    "GetStatus": lambda served, _: served.status(),
    "GetReceipt": lambda served, request: served.receipt(request.id),
    "GetStopGate": lambda served, _: served.stop_status(),
}
"""What can be asked before the child has started, too."""
READS: Mapping[str, Callable[[Served, Any], msgspec.Struct]] = {
    "GetScreen": _screen,
    "GetOutput": _output,
    "GetAgentState": lambda served, _: served.state(),
    "ExplainAgentState": lambda served, _: served.explanation(),
}


# What is done


def _typed(served: Served, outcome: Outcome) -> http.BytesWritten:
    if not isinstance(outcome, Typed):
        raise unexpected(outcome)
    return http.BytesWritten(outcome.bytes_written)


def _resized(served: Served, outcome: Outcome) -> http.Terminal:
    size = served.core.screen.size
    return http.Terminal(size.cols, size.rows)


COMMANDS: Mapping[str, tuple[type[Any], Callable[[Served, Outcome], msgspec.Struct]]] = {
    "SendInput": (http.InputRequest, _typed),
    "SendRawInput": (http.RawInputRequest, _typed),
    "SendKeys": (http.KeysRequest, _typed),
    "Resize": (http.ResizeRequest, _resized),
    "SendSignal": (http.SignalRequest, lambda _, __: http.Delivered(delivered=True)),
    "Nudge": (http.NudgeRequest, lambda _, outcome: nudged(outcome)),
    "Respond": (http.RespondRequest, lambda _, outcome: responded(outcome)),
    "SetStopGate": (http.StopConfigBody, lambda served, _: served.stop_status()),
    "ResolveStop": (http.SignalBody, lambda served, _: served.stop_status()),
}


# What goes on until the child is gone


async def _output_stream(served: Served, request: pb.StreamOutputRequest) -> AsyncGenerator[Message]:
    asked = request.from_offset
    if request.from_now:
        asked = served.core.ring.total
        yield pb.OutputChunk(offset=asked, dump=served.core.screen.dump())
    async with aclosing(streams.output(served, asked)) as chunks:
        async for data, offset in chunks:
            yield wire.chunk(data, offset, asked=asked)
            asked = offset + len(data)


async def _screen_stream(served: Served, request: pb.StreamScreenRequest) -> AsyncGenerator[Message]:
    async with aclosing(streams.screens(served)) as screens:
        async for screen in screens:
            yield wire.encode(screen, pb.ScreenSnapshot)


async def _state_stream(served: Served, request: pb.StreamStateRequest) -> AsyncGenerator[Message]:
    after = wire.position(request.after) if request.HasField("after") else None
    async with aclosing(streams.events(served, after)) as items:
        async for item in items:
            if item is not None and (request.all_events or not _is_aside(item)):
                yield wire.event(item)


def _is_aside(item: object) -> bool:
    return isinstance(item, Event) and not isinstance(item.fact, StateChanged)


STREAMS: Mapping[str, Callable[[Served, Any], AsyncGenerator[Message]]] = {
    "StreamOutput": _output_stream,
    "StreamScreen": _screen_stream,
    "StreamState": _state_stream,
}
