"""Codes to HTTP statuses, WebSocket closes and gRPC statuses, and refusals to errors."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, cast

import msgspec

from coop.errors import (
    AgentBusy,
    BadRequest,
    CoopError,
    DraftPresent,
    Exited,
    ExitedMeanwhile,
    Internal,
    KeyReused,
    MessageTooLong,
    NoDriver,
    NoPrompt,
    NotNow,
    NotOurs,
    NotReady,
    PromptChanged,
    Unrecognized,
    Unverified,
    WriterBusy,
)
from coop.model.commands import Progress, Reason, Refused
from coop.wire.http import ReceiptBody, receipt_body
from coop.wire.states import state_name
from coop.wire.text import encode

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
    "UNVERIFIED",
    "DRAFT_PRESENT",
    "PROMPT_CHANGED",
    "DIALOG_UNRECOGNIZED",
    "MESSAGE_TOO_LONG",
    "KEY_REUSED",
    "NOT_OURS",
    "CANNOT_RECORD",
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
    "UNVERIFIED": 409,
    "DRAFT_PRESENT": 409,
    "PROMPT_CHANGED": 409,
    "DIALOG_UNRECOGNIZED": 409,
    "KEY_REUSED": 409,
    "NOT_OURS": 409,
    "MESSAGE_TOO_LONG": 413,
    "WRITER_BUSY": 409,
    "EXITED": 410,
    "TOO_LARGE": 413,
    "CANNOT_RECORD": 500,
    "INTERNAL": 500,
    "NOT_READY": 503,
}
CLOSE_CODE = {"UNAUTHORIZED": 4401, "NOT_READY": 4503}
"""What ends a WebSocket; everything else is an `error` message on it."""
GRPC_STATUS: dict[str, str] = {
    "BAD_REQUEST": "INVALID_ARGUMENT",
    "UNAUTHORIZED": "UNAUTHENTICATED",
    "FORBIDDEN": "PERMISSION_DENIED",
    "SELF_ANSWER": "PERMISSION_DENIED",
    "NOT_FOUND": "NOT_FOUND",
    "NO_DRIVER": "UNIMPLEMENTED",
    "METHOD_NOT_ALLOWED": "UNIMPLEMENTED",
    "AGENT_BUSY": "FAILED_PRECONDITION",
    "NO_PROMPT": "FAILED_PRECONDITION",
    "UNVERIFIED": "UNKNOWN",
    "DRAFT_PRESENT": "FAILED_PRECONDITION",
    "PROMPT_CHANGED": "FAILED_PRECONDITION",
    "DIALOG_UNRECOGNIZED": "FAILED_PRECONDITION",
    "KEY_REUSED": "ALREADY_EXISTS",
    "NOT_OURS": "FAILED_PRECONDITION",
    "MESSAGE_TOO_LONG": "INVALID_ARGUMENT",
    "WRITER_BUSY": "RESOURCE_EXHAUSTED",
    "EXITED": "NOT_FOUND",
    "TOO_LARGE": "RESOURCE_EXHAUSTED",
    "LAGGED": "DATA_LOSS",
    "CANNOT_RECORD": "INTERNAL",
    "INTERNAL": "INTERNAL",
    "NOT_READY": "UNAVAILABLE",
}
MOST_TRAILER = 3072
"""A gRPC client takes 8 KiB of metadata, and base64 makes a third more of it."""
_MOST_WORDS = 400

_ERRORS: dict[Reason, type[CoopError]] = {
    Reason.NOT_STARTED: NotReady,
    Reason.EXITED: Exited,
    Reason.WRITER_BUSY: WriterBusy,
    Reason.NO_DRIVER: NoDriver,
    Reason.BAD_COMMAND: BadRequest,
    Reason.TOO_LONG: MessageTooLong,
    Reason.KEY_REUSED: KeyReused,
    Reason.NOT_OURS: NotOurs,
}
_NOT_NOW: dict[Reason, type[NotNow]] = {
    Reason.AGENT_BUSY: AgentBusy,
    Reason.NO_PROMPT: NoPrompt,
    Reason.UNVERIFIED: Unverified,
    Reason.RETURNED: Unverified,
    Reason.BLOCKED: Unverified,
    Reason.DRAFT_PRESENT: DraftPresent,
    Reason.PROMPT_CHANGED: PromptChanged,
    Reason.DIALOG_UNRECOGNIZED: Unrecognized,
}


class ErrorBody(msgspec.Struct):
    code: Annotated[ErrorCode, msgspec.Meta(description="stable; programs decide by it")]
    message: Annotated[str, msgspec.Meta(description="for people: what was expected, what came, what to do")]


class ErrorReply(msgspec.Struct):
    error: ErrorBody


def as_error(refused: Refused) -> CoopError:
    kind = ExitedMeanwhile if refused.reason is Reason.EXITED and refused.receipt else _NOT_NOW.get(refused.reason)
    if kind is not None:
        state = state_name(refused.state) if refused.state is not None else "unknown"
        return kind(refused.detail, refused.reason.value, state, _more(refused))
    return _ERRORS[refused.reason](refused.detail)


def _more(refused: Refused) -> dict[str, object]:
    more: dict[str, object] = {}
    if refused.receipt is not None:
        more["receipt"] = receipt_body(refused.receipt)
        if refused.receipt.progress is Progress.SUBMITTED:
            more["verification"] = "pending"
    if refused.lines:
        more["screen_lines"] = refused.lines
    return more


def encode_error(error: CoopError) -> bytes:
    """The envelope; what was not delivered says so in the words of a delivery, too."""
    body = {"code": error.code, "message": error.message}
    if isinstance(error, NotNow):
        return encode({"delivered": False, "reason": error.reason, "state": error.state, **error.more, "error": body})
    return encode({"error": body})


def error_trailers(error: CoopError) -> tuple[str, dict[str, str | bytes]]:
    """The words of a gRPC status, and its metadata: the code, and the envelope as far as there is room for it."""
    words = error.message if len(error.message) <= _MOST_WORDS else f"{error.message[: _MOST_WORDS - 1]}…"
    body = encode_error(error)
    if len(body) > MOST_TRAILER:
        body = encode_error(_brief(error, words))
    return words, {"coop-code": error.code, "coop-error-bin": body}


def _brief(error: CoopError, words: str) -> CoopError:
    """What fits everywhere: of a receipt its name, by which the rest can be asked for."""
    if not isinstance(error, NotNow):
        return type(error)(words)
    receipt = error.more.get("receipt")
    kept = {"receipt": {"id": receipt.id, "progress": receipt.progress}} if isinstance(receipt, ReceiptBody) else {}
    return type(error)(words, error.reason, error.state, kept)


def decode_error(body: object) -> CoopError | None:
    """The error an envelope tells, as the class of its code; `None` when it is no envelope of ours."""
    match body:
        case {"error": {"code": str(code), "message": str(message)}}:
            return _error(code, message, cast("Mapping[str, Any]", body))
        case _:
            return None


def _error(code: str, message: str, body: Mapping[str, Any]) -> CoopError:
    kind = _exited(body) if code == Exited.code else _BY_CODE.get(code, CoopError)
    if issubclass(kind, NotNow):
        more = {key: value for key, value in body.items() if key not in ("delivered", "reason", "state", "error")}
        return kind(message, str(body.get("reason", code.lower())), str(body.get("state", "unknown")), more)
    error = kind(message)
    error.code = code  # a newer coop may have codes this one has no class for
    return error


def _exited(body: Mapping[str, Any]) -> type[CoopError]:
    return ExitedMeanwhile if "reason" in body else Exited


def _below(kind: type[CoopError]) -> Iterator[type[CoopError]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


_BY_CODE: Mapping[str, type[CoopError]] = {kind.code: kind for kind in _below(CoopError)} | {Internal.code: Internal}
