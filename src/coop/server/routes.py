"""The HTTP API as a table: what serves a route is what documents it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from coop.errors import CoopError
from coop.model.commands import Command, Delivered, Done, Outcome, Typed
from coop.server.facade import Served, unexpected
from coop.server.guard import peer
from coop.wire import http as wire
from coop.wire.errors import HTTP_STATUS, encode_error
from coop.wire.states import prompt_context, state_name

Handler = Callable[[Served, Request], Awaitable[Response]]
_encode = msgspec.json.Encoder().encode
T = TypeVar("T")


class NoQuery(msgspec.Struct): ...


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    path: str
    summary: str
    handle: Handler
    reply: type | str
    """The type of the JSON reply, or the media type of another."""
    body: type | None = None
    query: type = NoQuery
    errors: tuple[str, ...] = ()


def json_reply(value: object) -> Response:
    return Response(_encode(value), media_type="application/json", headers={"cache-control": "no-store"})


def error_reply(error: CoopError) -> Response:
    return Response(encode_error(error), HTTP_STATUS.get(error.code, 500), media_type="application/json")


def query_of(request: Request, kind: type[T]) -> T:
    return wire.query(dict(request.query_params), kind)


async def _command(served: Served, request: Request, kind: type[Any]) -> Outcome:
    """What became of the command a request's body stands for."""
    served.require_started()
    command: Command = wire.decode(await request.body(), kind).command()
    return await served.ask(command, peer(request.scope))


def _typing(kind: type[Any]) -> Handler:
    async def handle(served: Served, request: Request) -> Response:
        outcome = await _command(served, request, kind)
        if not isinstance(outcome, Typed):
            raise unexpected(outcome)
        return json_reply(wire.BytesWritten(outcome.bytes_written))

    return handle


async def health(served: Served, request: Request) -> Response:
    return json_reply(served.health())


async def status(served: Served, request: Request) -> Response:
    return json_reply(served.status())


async def screen(served: Served, request: Request) -> Response:
    query = query_of(request, wire.ScreenQuery)
    served.require_started()
    return json_reply(served.screen(ansi=query.format == "ansi", cursor=query.cursor, scrollback=query.scrollback))


async def screen_text(served: Served, request: Request) -> Response:
    served.require_started()
    text = "\n".join(served.core.screen.snapshot().lines) + "\n"
    return Response(text, media_type="text/plain; charset=utf-8", headers={"cache-control": "no-store"})


async def output(served: Served, request: Request) -> Response:
    query = query_of(request, wire.OutputQuery)
    served.require_started()
    return json_reply(served.output(query.offset, query.limit))


async def resize(served: Served, request: Request) -> Response:
    outcome = await _command(served, request, wire.ResizeRequest)
    if not isinstance(outcome, Done):
        raise unexpected(outcome)
    size = served.core.screen.size
    return json_reply(wire.Terminal(size.cols, size.rows))


async def send_signal(served: Served, request: Request) -> Response:
    await _command(served, request, wire.SignalRequest)
    return json_reply(wire.Delivered(delivered=True))


async def shutdown(served: Served, request: Request) -> Response:
    served.require_started()
    asked = wire.decode(await request.body() or b"{}", wire.ShutdownRequest)
    return json_reply(served.shut_down(asked.grace_secs, peer(request.scope)))


async def agent_state(served: Served, request: Request) -> Response:
    served.require_started()
    return json_reply(served.state())


async def agent_explain(served: Served, request: Request) -> Response:
    served.require_started()
    return json_reply(served.explanation())


async def nudge(served: Served, request: Request) -> Response:
    served.require_started()
    body = wire.decode(await request.body(), wire.NudgeRequest)
    body.idempotency_key = request.headers.get("idempotency-key", body.idempotency_key)
    return json_reply(nudged(await served.ask(body.command(), peer(request.scope))))


def nudged(outcome: Outcome) -> wire.Nudged:
    if not isinstance(outcome, Delivered):
        raise unexpected(outcome)
    receipt = wire.receipt_body(outcome.receipt) if outcome.receipt else None
    return wire.Nudged(delivered=True, state_before=state_name(outcome.state_before), receipt=receipt)


async def respond(served: Served, request: Request) -> Response:
    return json_reply(responded(await _command(served, request, wire.RespondRequest)))


def responded(outcome: Outcome) -> wire.Responded:
    if not isinstance(outcome, Delivered) or outcome.prompt is None:
        raise unexpected(outcome)
    prompt = prompt_context(outcome.prompt)
    return wire.Responded(True, prompt.type, prompt.id, outcome.effect, outcome.via)


async def receipt(served: Served, request: Request) -> Response:
    return json_reply(served.receipt(request.path_params["id"]))


async def stop_config(served: Served, request: Request) -> Response:
    return json_reply(served.stop_status())


async def configure_stop(served: Served, request: Request) -> Response:
    await _command(served, request, wire.StopConfigBody)
    return json_reply(served.stop_status())


async def resolve_stop(served: Served, request: Request) -> Response:
    await _command(served, request, wire.SignalBody)
    return json_reply(served.stop_status())


async def recording(served: Served, request: Request) -> Response:
    return json_reply(served.recorded())


async def record(served: Served, request: Request) -> Response:
    served.require_started()
    body = wire.decode(await request.body(), wire.RecordingRequest)
    return json_reply(served.record(peer(request.scope), on=body.on))


WRITES = ("BAD_REQUEST", "SELF_ANSWER", "TOO_LARGE", "NOT_READY", "EXITED", "WRITER_BUSY")
DRIVES = (*WRITES, "NO_DRIVER", "UNVERIFIED")

API = (
    Route("GET", "/api/v1/health", "Is it there, and what is it?", health, wire.Health),
    Route(
        "GET",
        "/api/v1/screen",
        "The rendered screen",
        screen,
        wire.Screen,
        query=wire.ScreenQuery,
        errors=("BAD_REQUEST", "NOT_READY"),
    ),
    Route("GET", "/api/v1/screen/text", "The rendered screen as plain text", screen_text, "text/plain", errors=("NOT_READY",)),
    Route(
        "GET",
        "/api/v1/output",
        "Raw output from an offset on",
        output,
        wire.Output,
        query=wire.OutputQuery,
        errors=("BAD_REQUEST", "NOT_READY"),
    ),
    Route("GET", "/api/v1/status", "The child process", status, wire.Status),
    Route(
        "POST", "/api/v1/input", "Type text", _typing(wire.InputRequest), wire.BytesWritten, wire.InputRequest, errors=WRITES
    ),
    Route(
        "POST",
        "/api/v1/input/raw",
        "Write bytes",
        _typing(wire.RawInputRequest),
        wire.BytesWritten,
        wire.RawInputRequest,
        errors=WRITES,
    ),
    Route(
        "POST",
        "/api/v1/input/keys",
        "Press keys",
        _typing(wire.KeysRequest),
        wire.BytesWritten,
        wire.KeysRequest,
        errors=WRITES,
    ),
    Route(
        "POST",
        "/api/v1/resize",
        "Resize the terminal",
        resize,
        wire.Terminal,
        wire.ResizeRequest,
        errors=(*WRITES[:1], *WRITES[2:5], "NOT_OURS"),
    ),
    Route(
        "POST",
        "/api/v1/signal",
        "Signal the child",
        send_signal,
        wire.Delivered,
        wire.SignalRequest,
        errors=WRITES[:5],
    ),
    Route(
        "POST",
        "/api/v1/shutdown",
        "End the session",
        shutdown,
        wire.Ending,
        wire.ShutdownRequest,
        errors=("BAD_REQUEST", "SELF_ANSWER", "TOO_LARGE", "NOT_READY"),
    ),
    Route("GET", "/api/v1/agent/state", "What the agent is doing", agent_state, wire.AgentStateReply, errors=("NOT_READY",)),
    Route("GET", "/api/v1/agent/explain", "Why it is said to do that", agent_explain, wire.Explanation, errors=("NOT_READY",)),
    Route(
        "POST",
        "/api/v1/agent/nudge",
        "Tell an idle agent something",
        nudge,
        wire.Nudged,
        wire.NudgeRequest,
        errors=(*DRIVES, "AGENT_BUSY", "DRAFT_PRESENT", "MESSAGE_TOO_LONG", "KEY_REUSED"),
    ),
    Route(
        "POST",
        "/api/v1/agent/respond",
        "Answer what the agent asks",
        respond,
        wire.Responded,
        wire.RespondRequest,
        errors=(*DRIVES, "NO_PROMPT", "PROMPT_CHANGED", "DIALOG_UNRECOGNIZED"),
    ),
    Route("GET", "/api/v1/receipts/{id}", "What became of a nudge", receipt, wire.ReceiptBody, errors=("NOT_FOUND",)),
    Route("GET", "/api/v1/config/stop", "May the agent end its turn?", stop_config, wire.StopStatus),
    Route(
        "PUT",
        "/api/v1/config/stop",
        "Let the agent end its turn, or not",
        configure_stop,
        wire.StopStatus,
        wire.StopConfigBody,
        errors=("BAD_REQUEST", "SELF_ANSWER", "TOO_LARGE", "NOT_READY", "NO_DRIVER", "NOT_OURS"),
    ),
    Route(
        "POST",
        "/api/v1/stop/resolve",
        "Say that the work is done",
        resolve_stop,
        wire.StopStatus,
        wire.SignalBody,
        errors=("BAD_REQUEST", "TOO_LARGE", "NOT_READY"),
    ),
    Route("GET", "/api/v1/recording", "Is the session written down?", recording, wire.RecordingReply),
    Route(
        "PUT",
        "/api/v1/recording",
        "Begin to write the session down, or stop",
        record,
        wire.RecordingReply,
        wire.RecordingRequest,
        errors=("BAD_REQUEST", "SELF_ANSWER", "TOO_LARGE", "NOT_READY", "EXITED", "CANNOT_RECORD"),
    ),
)
