"""What a line of Codex's session log, the rollout, says. It is written as things happen, some 50 ms late."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import cast

from coop.agents.codex.asking import PATCH, SHELL, UNNUMBERED, patch_of, permission_of, question_of
from coop.agents.codex.errors import failure
from coop.agents.records import Record, stamp_of, text_of
from coop.model.prompt import Plan, Prompt
from coop.model.readings import Decided, Describes, Heard, Learned, Reading, Readings, Says, Settled, Unheard, Used
from coop.model.state import Idle, Working

_ABORTED = re.compile(r"(Wall time: .*\n)?aborted by user.*")


_REMEMBERED = 64
"""So many calls may be under way at once."""


class LogReader:
    """Reads line after line: of what ends, a line tells only which call, or which turn, it was."""

    def __init__(self) -> None:
        self._calls: dict[str, Prompt] = {}
        """What would be asked for those that are not over."""
        self._is_unheard = False
        """A turn has begun, and nobody was heard in it."""

    def read(self, record: Record) -> Readings:
        payload = record.get("payload")
        if not isinstance(payload, Mapping):
            return ()
        return (*read_log(record), *self._follow(cast("Record", payload), stamp_of(record)))

    def _follow(self, payload: Record, stamp: float | None) -> Iterator[Reading]:
        match payload:
            case {"type": "function_call" | "custom_tool_call", "name": str(name), "call_id": str(call)}:
                self._remember(call, _call(name, payload))
            case {"type": "function_call_output" | "custom_tool_call_output", "call_id": str(call)} | {
                "type": "item_completed",
                "item": {"type": "CommandExecution" | "FileChange", "id": str(call)},
            } if call in self._calls:
                yield Settled(self._calls.pop(call))
            case {"type": "task_started"}:
                self._is_unheard = True
            case {"type": "item_completed", "item": {"type": "UserMessage"}} | {"type": "turn_aborted"}:
                self._is_unheard = False
            case {"type": "task_complete"} if self._is_unheard:
                self._is_unheard = False
                yield Unheard(stamp)
            case _:
                return

    def _remember(self, call: str, prompt: Prompt | None) -> None:
        if prompt is not None:
            self._calls = {call: prompt, **dict(list(self._calls.items())[: _REMEMBERED - 1])}


def read_log(record: Record) -> Readings:
    payload = record.get("payload")
    if not isinstance(payload, Mapping):
        return ()
    return tuple(_read(str(record.get("type")), cast("Record", payload), stamp_of(record)))


def _read(kind: str, payload: Record, stamp: float | None) -> Iterator[Reading]:
    match kind:
        case "session_meta":
            yield Learned(
                session_id=text_of(payload, "id"), cwd=text_of(payload, "cwd"), version=text_of(payload, "cli_version")
            )
        case "turn_context":
            yield Learned(cwd=text_of(payload, "cwd"), model=text_of(payload, "model"))
        case "token_usage_record":
            yield from _used(payload)
        case "event_msg":
            yield from _event(payload, stamp)
        case "response_item":
            yield from _item(payload, stamp)
        case _:
            return


def _event(payload: Record, stamp: float | None) -> Iterator[Reading]:
    match payload:
        case {"type": "task_started"}:
            yield Says(Working(), stamp=stamp)
        case {"type": "task_complete", "error": {"message": str(message)} as error}:
            yield Says(failure(message, cast("Record", error).get("codex_error_info")), stamp=stamp)
        case {"type": "task_complete"}:
            yield Learned(last_message=text_of(payload, "last_agent_message"))
            yield Says(Idle(), stamp=stamp)
        case {"type": "turn_aborted"}:
            yield Decided("", accepted=False)
            yield Says(Idle(), stamp=stamp)
        case {"type": "item_completed", "item": {"type": "UserMessage"} as item}:
            yield Says(Working(), stamp=stamp)
            yield Heard(_words(cast("Record", item).get("content")), stamp=stamp)
        case {"type": "item_completed", "item": {"type": "Plan", "text": str(text)}}:
            yield Describes(Plan(UNNUMBERED, text))
        case _:
            return


def _item(payload: Record, stamp: float | None) -> Iterator[Reading]:
    match payload:
        case {"type": "function_call" | "custom_tool_call", "name": str(name)}:
            yield Says(Working(), stamp=stamp)
            prompt = _asked(name, payload)
            if prompt is not None:
                yield Describes(prompt)
        case {"type": "function_call_output" | "custom_tool_call_output"}:
            yield Says(Working(), stamp=stamp)
            yield Decided("", accepted=_ABORTED.fullmatch(_words(payload.get("output")).strip()) is None)
        case _:
            return


def _asked(name: str, payload: Record) -> Prompt | None:
    """What a dialog for this call would ask; most calls have none."""
    if name == PATCH:
        return patch_of(str(payload.get("input") or ""))
    given = _arguments(payload)
    match name:
        case "request_user_input":
            return question_of(given)
        case "exec_command" if given.get("sandbox_permissions") == "require_escalated":
            asked = {"command": given.get("cmd"), "description": given.get("justification")}
            return permission_of(SHELL, {key: value for key, value in asked.items() if value})
        case _:
            return None


def _call(name: str, payload: Record) -> Prompt | None:
    """What may be asked for it: also for a command that has only failed in the sandbox."""
    if name == "exec_command":
        return permission_of(SHELL, {"command": str(_arguments(payload).get("cmd") or "")})
    return _asked(name, payload)


def _arguments(payload: Record) -> Record:
    try:
        given: object = json.loads(str(payload.get("arguments") or "{}"))
    except ValueError:
        return {}
    return cast("Record", given) if isinstance(given, Mapping) else {}


def _used(payload: Record) -> Iterator[Reading]:
    usage = payload.get("usage")
    if isinstance(usage, Mapping):
        tokens = {str(key): value for key, value in cast("Record", usage).items() if isinstance(value, int)}
        yield Used(str(payload.get("response_id") or ""), tokens)


def _words(content: object) -> str:
    """Plain, or in parts."""
    if isinstance(content, list):
        return "".join(_texts(cast("list[object]", content)))
    return content if isinstance(content, str) else ""


def _texts(parts: list[object]) -> Iterator[str]:
    for part in parts:
        match part:
            case {"text": str(text)}:
                yield text
            case _:
                pass
