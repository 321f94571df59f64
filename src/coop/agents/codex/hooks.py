"""What a hook of Codex says."""

from collections.abc import Callable, Mapping
from typing import cast

from coop.agents.codex.asking import permission_of
from coop.agents.records import Record, text_of
from coop.model.readings import Asks, Heard, Learned, Readings, Says, Stops, Waits
from coop.model.state import Working


def read_hook(event: str, record: Record) -> Readings:
    reader = _READERS.get(event)
    return (_learned(record), *(reader(record) if reader else ()))


def _learned(record: Record) -> Learned:
    return Learned(
        session_id=text_of(record, "session_id"),
        transcript_path=text_of(record, "transcript_path"),
        cwd=text_of(record, "cwd"),
        model=text_of(record, "model"),
        permission_mode=text_of(record, "permission_mode"),
        last_message=text_of(record, "last_assistant_message"),
    )


def _on_prompt(record: Record) -> Readings:
    return Says(Working()), Heard(text_of(record, "prompt") or "")


def _on_permission_request(record: Record) -> Readings:
    given = record.get("tool_input")
    known: Record = cast("Record", given) if isinstance(given, Mapping) else {}
    prompt = permission_of(text_of(record, "tool_name") or "", known)
    return Says(Waits("permission")), Asks(prompt)


def _on_stop(record: Record) -> Readings:
    """The end of the turn is for the log to tell: another hook may still send it on."""
    return (Stops(again=record.get("stop_hook_active") is True),)


_READERS: dict[str, Callable[[Record], Readings]] = {
    "UserPromptSubmit": _on_prompt,
    "PermissionRequest": _on_permission_request,
    "Stop": _on_stop,
}
