"""A reply as the events of `streamGenerateContent`. Ids are counters: the same script streams the same bytes."""

import json
from collections.abc import Iterator
from typing import Any

from coop.testing.replies import Block, Fail, Reply, Say, Think, Use

_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


def message(reply: Reply, number: int) -> dict[str, Any]:
    """The whole of it, as it is answered to a request that does not stream."""
    return _chunk([_part(block) for block in reply.blocks], number, reply, "STOP")


def events(reply: Reply, number: int) -> Iterator[bytes]:
    """All of it, but for the word that it ends; `closing` says that."""
    for block in reply.blocks:
        yield from (_event(_chunk([part], number, reply)) for part in _parts(block, reply.piece))


def closing(reply: Reply, number: int) -> bytes:
    return _event(_chunk([{"text": ""}], number, reply, reply.stop_reason or "STOP"))


def failure(fail: Fail) -> dict[str, Any]:
    """Google's own word for an error follows from its number."""
    return {"error": {"code": fail.status, "message": fail.message, "status": _STATUSES.get(fail.status, "UNKNOWN")}}


def _event(body: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(body)}\r\n\r\n".encode()


def _chunk(parts: list[dict[str, Any]], number: int, reply: Reply, finish: str | None = None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if finish is not None:
        candidate["finishReason"] = finish
    usage = {"promptTokenCount": 12, "candidatesTokenCount": 20, "totalTokenCount": 32, **reply.usage}
    return {"candidates": [candidate], "modelVersion": "pretend", "responseId": f"r{number}", "usageMetadata": usage}


def _parts(block: Block, piece: int) -> Iterator[dict[str, Any]]:
    match block:
        case Say(text):
            yield from ({"text": text[at : at + piece]} for at in range(0, len(text), piece))
        case _:
            yield _part(block)


def _part(block: Block) -> dict[str, Any]:
    match block:
        case Say(text):
            return {"text": text}
        case Think(text):
            return {"text": text, "thought": True}
        case Use(tool, given):
            return {"functionCall": {"name": tool, "args": dict(given)}}
