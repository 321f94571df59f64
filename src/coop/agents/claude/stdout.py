"""What a line of `claude -p --output-format stream-json` says."""

from collections.abc import Iterator
from typing import cast

from coop.agents.claude.hooks import failure
from coop.agents.claude.log import read_message
from coop.agents.records import Record, text_of
from coop.model.readings import Learned, Reading, Readings, Says
from coop.model.state import Idle, Working


def read_stdout(record: Record) -> Readings:
    """What a subagent says carries no state."""
    if record.get("parent_tool_use_id"):
        return ()
    return tuple(_read(record))


def _read(record: Record) -> Iterator[Reading]:
    match record:
        case {"type": "system", "subtype": "init"}:
            yield Learned(
                session_id=text_of(record, "session_id"),
                cwd=text_of(record, "cwd"),
                model=text_of(record, "model"),
                permission_mode=text_of(record, "permissionMode"),
                version=text_of(record, "claude_code_version"),
            )
            yield Says(Working())
        case {"type": "system", "subtype": "api_retry", "attempt": int(attempt)}:
            yield Says(Working(f"retrying {attempt}/{record.get('max_retries') or record.get('max_attempts') or '?'}"))
        case {"type": "assistant", "message": {"model": str(model), "id": str(message_id)} as message}:
            said = read_message(cast("Record", message), model, message_id, None)
            yield from (each for each in said if not isinstance(each, Says))  # the result says when it ends
            yield Says(Working())
        case {"type": "user"}:
            yield Says(Working())
        case {"type": "result", "is_error": True}:
            yield Says(failure("", text_of(record, "result") or str(record.get("subtype") or "")))
        case {"type": "result"}:
            yield Learned(last_message=text_of(record, "result"))
            yield Says(Idle())
        case _:
            return
