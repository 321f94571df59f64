"""A reply as the server-sent events of the Messages API. Ids are counters: the same script streams the same bytes."""

import json
from collections.abc import Iterator
from typing import Any

from coop.testing.replies import Block, Reply, Say, Think, Use

_USAGE = {"input_tokens": 12, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 1}
_SIGNATURE = "c2lnbmF0dXJl"


def message(reply: Reply, number: int, model: str) -> dict[str, Any]:
    """The whole message, as it is answered to a request that does not stream."""
    blocks = [_content(block, number, index) for index, block in enumerate(reply.blocks)]
    return {**_opening(reply, number, model), "content": blocks, "stop_reason": _stop_reason(reply)}


def events(reply: Reply, number: int, model: str) -> Iterator[bytes]:
    """Up to the last block; `closing` ends it."""
    yield _event("message_start", message=_opening(reply, number, model))
    yield _event("ping")
    for index, block in enumerate(reply.blocks):
        yield _event("content_block_start", index=index, content_block=_empty(block, number, index))
        for delta in _deltas(block, reply.piece):
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)


def closing(reply: Reply) -> Iterator[bytes]:
    delta = {"stop_reason": _stop_reason(reply), "stop_sequence": None}
    yield _event("message_delta", delta=delta, usage={"output_tokens": 20, **reply.usage})
    yield _event("message_stop")


def failure(kind: str, text: str) -> bytes:
    return _event("error", error={"type": kind, "message": text})


def _event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def _opening(reply: Reply, number: int, model: str) -> dict[str, Any]:
    usage = {**_USAGE, **reply.usage}
    fixed: dict[str, object] = {
        "type": "message",
        "role": "assistant",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }
    return {"id": f"msg_{number:024d}", "model": model, **fixed, "usage": usage}


def _stop_reason(reply: Reply) -> str:
    if reply.stop_reason is not None:
        return reply.stop_reason
    return "tool_use" if any(isinstance(block, Use) for block in reply.blocks) else "end_turn"


def _empty(block: Block, number: int, index: int) -> dict[str, Any]:
    match block:
        case Say():
            return {"type": "text", "text": ""}
        case Think():
            return {"type": "thinking", "thinking": "", "signature": ""}
        case Use(tool):
            return {"type": "tool_use", "id": _tool_id(number, index), "name": tool, "input": {}}


def _content(block: Block, number: int, index: int) -> dict[str, Any]:
    match block:
        case Say(text):
            return {"type": "text", "text": text}
        case Think(text):
            return {"type": "thinking", "thinking": text, "signature": _SIGNATURE}
        case Use(tool, given):
            return {"type": "tool_use", "id": _tool_id(number, index), "name": tool, "input": dict(given)}


def _tool_id(number: int, index: int) -> str:
    return f"toolu_{number:020d}{index:04d}"


def _deltas(block: Block, piece: int) -> Iterator[dict[str, str]]:
    match block:
        case Say(text):
            yield from ({"type": "text_delta", "text": part} for part in _pieces(text, piece))
        case Think(text):
            yield from ({"type": "thinking_delta", "thinking": part} for part in _pieces(text, piece))
            yield {"type": "signature_delta", "signature": _SIGNATURE}
        case Use(_, given):
            yield from ({"type": "input_json_delta", "partial_json": part} for part in _pieces(json.dumps(dict(given)), 200))


def _pieces(text: str, size: int) -> Iterator[str]:
    yield from (text[at : at + size] for at in range(0, len(text), size))
