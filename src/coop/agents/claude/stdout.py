"""What a line of `claude -p --output-format stream-json` says."""

from collections.abc import Iterator, Mapping
from typing import cast

from coop.agents.claude.hooks import failure
from coop.agents.claude.log import read_message
from coop.model.readings import Learned, Reading, Readings, Says
from coop.model.state import Idle, Working

Record = Mapping[str, object]


def read_stdout(record: Record) -> Readings:
    """What a subagent says carries no state."""
    if record.get("parent_tool_use_id"):
        return ()
    return tuple(_read(record))


def _read(record: Record) -> Iterator[Reading]:
    match record:
        case {"type": "system", "subtype": "init"}:
            yield Learned(
                session_id=_text(record, "session_id"),
                cwd=_text(record, "cwd"),
                model=_text(record, "model"),
                permission_mode=_text(record, "permissionMode"),
                version=_text(record, "claude_code_version"),
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
            yield Says(failure("", _text(record, "result") or str(record.get("subtype") or "")))
        case {"type": "result"}:
            yield Learned(last_message=_text(record, "result"))
            yield Says(Idle())
        case _:
            return


def _text(record: Record, key: str) -> str | None:
    value = record.get(key)
    return value if isinstance(value, str) and value else None
