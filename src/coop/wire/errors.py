"""Codes to HTTP statuses and WebSocket closes, and refusals to errors."""

from typing import Annotated, Literal

import msgspec

from coop.errors import BadRequest, CoopError, Exited, NoDriver, NotReady, WriterBusy
from coop.model.commands import Reason, Refused

ErrorCode = Literal[
    "BAD_REQUEST",
    "UNAUTHORIZED",
    "FORBIDDEN",
    "SELF_ANSWER",
    "NOT_FOUND",
    "METHOD_NOT_ALLOWED",
    "TOO_LARGE",
    "NOT_READY",
    "EXITED",
    "WRITER_BUSY",
    "NO_DRIVER",
    "AGENT_BUSY",
    "NO_PROMPT",
    "INTERNAL",
]

HTTP_STATUS: dict[str, int] = {
    "BAD_REQUEST": 400,
    "UNAUTHORIZED": 401,
    "FORBIDDEN": 403,
    "SELF_ANSWER": 403,
    "NOT_FOUND": 404,
    "NO_DRIVER": 404,
    "METHOD_NOT_ALLOWED": 405,
    "AGENT_BUSY": 409,
    "NO_PROMPT": 409,
    "WRITER_BUSY": 409,
    "EXITED": 410,
    "TOO_LARGE": 413,
    "INTERNAL": 500,
    "NOT_READY": 503,
}
CLOSE_CODE = {"UNAUTHORIZED": 4401, "NOT_READY": 4503}
"""What ends a WebSocket; everything else is an `error` message on it."""

_ERRORS: dict[Reason, type[CoopError]] = {
    Reason.NOT_STARTED: NotReady,
    Reason.EXITED: Exited,
    Reason.WRITER_BUSY: WriterBusy,
    Reason.NO_DRIVER: NoDriver,
    Reason.BAD_COMMAND: BadRequest,
}


class ErrorBody(msgspec.Struct):
    code: Annotated[ErrorCode, msgspec.Meta(description="stable; programs decide by it")]
    message: Annotated[str, msgspec.Meta(description="for people: what was expected, what came, what to do")]


class ErrorReply(msgspec.Struct):
    error: ErrorBody


def as_error(refused: Refused) -> CoopError:
    return _ERRORS[refused.reason](refused.detail)


def encode_error(error: CoopError) -> bytes:
    return msgspec.json.encode({"error": {"code": error.code, "message": error.message}})
