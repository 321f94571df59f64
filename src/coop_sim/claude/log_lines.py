"""The shapes of the session log's lines."""

from collections.abc import Mapping
from uuid import uuid4

from coop_sim.shapes import Table

REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed."
)
FEEDBACK = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)
INTERRUPTED_TEXT = "[Request interrupted by user]"
INTERRUPTED_TOOL = "[Request interrupted by user for tool use]"
_COUNTS = {"input_tokens": 12, "output_tokens": 20}
_DETAILS: Table = {
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
    "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
    "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
}


def usage(counts: Mapping[str, int], *, synthetic: bool = False) -> Table:
    nothing = {"input_tokens": 0, "output_tokens": 0}
    return nothing | _DETAILS | {"service_tier": None if synthetic else "standard"} | dict(counts)


def prompt_line(text: str, *, prompt_id: str, mode: str, source: str = "typed") -> Table:
    return {
        "promptId": prompt_id,
        "type": "user",
        "message": {"role": "user", "content": text},
        "permissionMode": mode,
        "origin": {"kind": "human"},
        "promptSource": source,
    }


def snapshot_line(at: str) -> Table:
    message_id = str(uuid4())
    snapshot: Table = {"messageId": message_id, "trackedFileBackups": {}, "timestamp": at}
    return {"type": "file-history-snapshot", "messageId": message_id, "snapshot": snapshot, "isSnapshotUpdate": False}


def assistant_line(block: Table, *, message_id: str, model: str, stop_reason: str | None, counts: Mapping[str, int]) -> Table:
    message: Table = {
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [block],
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": usage(counts or _COUNTS),
    }
    return {"message": message, "requestId": f"req_{uuid4().hex[:20]}", "type": "assistant"}


def synthetic_line(text: str, *, error: Mapping[str, object] | None = None) -> Table:
    """What Claude Code says in the model's place: an API error, or what was said before an interrupt."""
    message: Table = {
        "id": str(uuid4()),
        "model": "<synthetic>",
        "role": "assistant",
        "stop_reason": "stop_sequence",
        "stop_sequence": "",
        "type": "message",
        "usage": usage({}, synthetic=True),
        "content": [{"type": "text", "text": text}],
    }
    return {"type": "assistant", "message": message, "isApiErrorMessage": error is not None, **(error or {})}


def tool_result_line(content: str, *, tool_id: str, prompt_id: str, is_error: bool, response: object, feedback: str) -> Table:
    result: Table = {"tool_use_id": tool_id, "type": "tool_result", "content": content, "is_error": is_error}
    said: list[Table] = [{"type": "text", "text": feedback}] if feedback else []
    message = {"role": "user", "content": [result, *said]}
    return {"promptId": prompt_id, "type": "user", "message": message, "toolUseResult": response}


def interrupt_line(text: str, *, prompt_id: str, interrupted: str | None = None) -> Table:
    """`interrupted` is the message that was cut off; a tool that was refused cuts none off."""
    message: Table = {"role": "user", "content": [{"type": "text", "text": text}]}
    of: Table = {"interruptedMessageId": interrupted} if interrupted is not None else {}
    return {"promptId": prompt_id, "type": "user", "message": message} | of


def said_line(text: str, *, is_meta: bool = False, **besides: object) -> Table:
    """What nobody typed, and the model is told."""
    meta: Table = {"isMeta": True} if is_meta else {}
    return {"type": "user", "message": {"role": "user", "content": text}} | meta | besides


def turn_duration_line(milliseconds: int, count: int) -> Table:
    return {"type": "system", "subtype": "turn_duration", "durationMs": milliseconds, "messageCount": count, "isMeta": False}


def informational_line(text: str) -> Table:
    told: Table = {"type": "system", "subtype": "informational", "content": text}
    return told | {"isMeta": False, "level": "warning", "preventContinuation": True}


def stop_hooks_line(names: list[str], *, errors: list[str]) -> Table:
    return {
        "type": "system",
        "subtype": "stop_hook_summary",
        "hookCount": len(names),
        "hookInfos": [{"command": name} for name in names],
        "hookErrors": errors,
        "preventedContinuation": False,
        "stopReason": "",
        "hasOutput": False,
        "level": "suggestion",
    }


def queue_line(operation: str, at: str, content: str | None = None) -> Table:
    told: Table = {"content": content} if content is not None else {}
    return {"type": "queue-operation", "operation": operation, "timestamp": at} | told
