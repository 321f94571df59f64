"""A reply as the server-sent events of the Responses API. Ids are counters: the same script streams the same bytes."""

import json
from collections.abc import Collection, Iterator
from typing import Any

from coop.testing.replies import Block, Reply, Say, Think, Use

Item = dict[str, Any]
_USAGE = {
    "input_tokens": 12,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 20,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 32,
}


def events(reply: Reply, number: int, freeform: Collection[str]) -> Iterator[bytes]:
    """Up to the last item; `closing` ends it. Tools of `freeform` take plain text instead of JSON."""
    yield _event("response.created", response=_response(number, "in_progress"))
    for index, block in enumerate(reply.blocks):
        whole = _item(block, number, index, freeform)
        yield _event("response.output_item.added", output_index=index, item=_empty(whole))
        if isinstance(block, Say):
            for piece in _pieces(block.text, reply.piece):
                yield _event(
                    "response.output_text.delta", item_id=whole["id"], output_index=index, content_index=0, delta=piece
                )
        yield _event("response.output_item.done", output_index=index, item=whole)


def closing(reply: Reply, number: int, freeform: Collection[str]) -> Iterator[bytes]:
    output = [_item(block, number, index, freeform) for index, block in enumerate(reply.blocks)]
    usage = {**_USAGE, **reply.usage}
    yield _event("response.completed", response={**_response(number, "completed"), "output": output, "usage": usage})


def failure(number: int, kind: str, text: str) -> bytes:
    error = {"code": kind, "message": text}
    return _event("response.failed", response={**_response(number, "failed"), "error": error})


def _response(number: int, status: str) -> Item:
    return {"id": f"resp_{number}", "object": "response", "status": status, "output": []}


def _event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


def _item(block: Block, number: int, index: int, freeform: Collection[str]) -> Item:
    own = f"{number}_{index}"
    match block:
        case Say(text):
            said: Item = {"type": "output_text", "text": text, "annotations": []}
            return {"id": f"msg_{own}", "type": "message", "role": "assistant", "status": "completed", "content": [said]}
        case Think(text):
            return {"id": f"rs_{own}", "type": "reasoning", "summary": [{"type": "summary_text", "text": text}]}
        case Use(tool, given) if tool in freeform:
            call = {"id": f"ctc_{own}", "type": "custom_tool_call", "call_id": f"call_{own}", "status": "completed"}
            return {**call, "name": tool, "input": str(given["input"])}
        case Use(tool, given):
            call = {"id": f"fc_{own}", "type": "function_call", "call_id": f"call_{own}", "status": "completed"}
            return {**call, "name": tool, "arguments": json.dumps(dict(given))}


def _empty(item: Item) -> Item:
    """As it is announced, before any of it is there."""
    bare: dict[str, object] = {"content": [], "summary": [], "arguments": "", "input": ""}
    begun = {key: bare.get(key, value) for key, value in item.items()}
    return {**begun, "status": "in_progress"} if "status" in item else begun


def _pieces(text: str, size: int) -> Iterator[str]:
    yield from (text[at : at + size] for at in range(0, len(text), size))
