"""What a hook of Codex says."""

from collections.abc import Callable, Mapping
from typing import cast

from coop.agents.codex.asking import permission_of
from coop.model.readings import Asks, Heard, Learned, Readings, Says, Stops, Waits
from coop.model.state import Working

Record = Mapping[str, object]


def read_hook(event: str, record: Record) -> Readings:
    reader = _READERS.get(event)
    return (_learned(record), *(reader(record) if reader else ()))


def _learned(record: Record) -> Learned:
    return Learned(
        session_id=_text(record, "session_id"),
        transcript_path=_text(record, "transcript_path"),
        cwd=_text(record, "cwd"),
        model=_text(record, "model"),
        permission_mode=_text(record, "permission_mode"),
        last_message=_text(record, "last_assistant_message"),
    )


def _on_prompt(record: Record) -> Readings:
    return Says(Working()), Heard(_text(record, "prompt") or "")


def _on_permission_request(record: Record) -> Readings:
    given = record.get("tool_input")
    known: Record = cast("Record", given) if isinstance(given, Mapping) else {}
    prompt = permission_of(_text(record, "tool_name") or "", known)
    return Says(Waits("permission")), Asks(prompt)


def _on_stop(record: Record) -> Readings:
    """The end of the turn is for the log to tell: another hook may still send it on."""
    return (Stops(again=record.get("stop_hook_active") is True),)


_READERS: dict[str, Callable[[Record], Readings]] = {
    "UserPromptSubmit": _on_prompt,
    "PermissionRequest": _on_permission_request,
    "Stop": _on_stop,
}


def _text(record: Record, key: str) -> str | None:
    value = record.get(key)
    return value if isinstance(value, str) and value else None
