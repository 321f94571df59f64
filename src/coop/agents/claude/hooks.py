"""What a hook of Claude Code says. HTTP hooks carry all of them but SessionStart."""

import shlex
from collections.abc import Callable
from typing import cast

from coop.agents.records import Record, items_of, table_of, text_of
from coop.model.ids import PromptId
from coop.model.prompt import Choice, Guise, Permission, Plan, Prompt, Query, Question
from coop.model.readings import Asks, Heard, Learned, Readings, Says, Stops
from coop.model.state import ErrorKind, Failed, Idle, Working

ERRORS = {
    "authentication_failed": ErrorKind.UNAUTHORIZED,
    "billing_error": ErrorKind.OUT_OF_CREDITS,
    "rate_limit": ErrorKind.RATE_LIMITED,
    "overloaded": ErrorKind.OVERLOADED,
}
_ITS_OWN = "<task-notification>"
UNNUMBERED = PromptId("")
"""The session gives the id."""


def read_hook(event: str, record: Record) -> Readings:
    reader = _READERS.get(event)
    own = reader(record) if reader else ()
    return (_learned(event, record), *own)


def _learned(event: str, record: Record) -> Learned:
    return Learned(
        # A fork's first hook still carries the id of the session it was forked from.
        session_id=text_of(record, "session_id"),
        transcript_path=text_of(record, "transcript_path"),
        cwd=text_of(record, "cwd"),
        model=text_of(record, "model"),
        permission_mode=text_of(record, "permission_mode"),
        last_message=text_of(record, "last_assistant_message") if not _is_subagents(record) else None,
    )


def _is_subagents(record: Record) -> bool:
    return text_of(record, "agent_id") is not None


def _on_session_start(record: Record) -> Readings:
    """A compaction happens in the middle of a turn, too."""
    return () if record.get("source") == "compact" else (Says(Idle(), final=False),)


def _on_prompt(record: Record) -> Readings:
    """Claude also tells itself that a background task has ended: nobody gave it something new to do."""
    text = text_of(record, "prompt") or ""
    return (Says(Working()),) if text.startswith(_ITS_OWN) else (Says(Working()), Heard(text))


def _on_permission_request(record: Record) -> Readings:
    return (Asks(prompt_of(record)),)


def _on_stop(record: Record) -> Readings:
    tasks = record.get("background_tasks")
    running = len(cast("list[object]", tasks)) if isinstance(tasks, list) else 0
    return Says(Idle(), final=False), Stops(running, again=record.get("stop_hook_active") is True)


def _on_stop_failure(record: Record) -> Readings:
    """When it is a subagent that has failed, the agent itself goes on."""
    if _is_subagents(record):
        return ()
    return (Says(failure(text_of(record, "error") or "", text_of(record, "last_assistant_message") or "")),)


def _works(record: Record) -> Readings:
    return (Says(Working()),)


_READERS: dict[str, Callable[[Record], Readings]] = {
    "SessionStart": _on_session_start,
    "UserPromptSubmit": _on_prompt,
    "PermissionRequest": _on_permission_request,
    "Stop": _on_stop,
    "StopFailure": _on_stop_failure,
    "PreToolUse": _works,
    "PostToolUse": _works,
    "PreCompact": _works,
}


def failure(error: str, words: str) -> Failed:
    """The class of an error, by Claude's own name for it, and by its words where that is too broad."""
    kind = ERRORS.get(error, ErrorKind.OTHER)
    lower = words.lower()
    if error in ("server_error", "unknown") and ("overloaded" in lower or "529" in lower):
        kind = ErrorKind.OVERLOADED
    elif any(
        sign in lower for sign in ("econnrefused", "connection error", "unable to connect", "connection refused", "enotfound")
    ):
        kind = ErrorKind.NO_NETWORK
    _, resets, when = words.partition("resets ")
    return Failed(words or error, kind, when.strip() if resets else None)


def prompt_of(record: Record) -> Prompt:
    """What a PermissionRequest asks: questions and plans come the same way, and are told by the tool."""
    tool, given = text_of(record, "tool_name") or "", table_of(record.get("tool_input"))
    match tool:
        case "AskUserQuestion":
            return _question(items_of(given.get("questions")))
        case "ExitPlanMode":
            return Plan(UNNUMBERED, text_of(given, "plan") or "", text_of(given, "planFilePath"))
        case _:
            suggestions = tuple(table_of(each) for each in items_of(record.get("permission_suggestions")))
            guise = _guise(text_of(given, "command") or "") if tool == "Bash" else None
            agent = text_of(record, "agent_type")
            return Permission(UNNUMBERED, tool, given, suggestions=suggestions, subagent=agent, guise=guise)


def _guise(command: str) -> Guise | None:
    """2.1.197 draws a `sed` that changes a file as the edit that comes of it."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    match words:
        case ["sed", _, *_, path]:
            name = path.rpartition("/")[2]
            return Guise("Edit", f"Do you want to make this edit to {name}?", name)
        case _:
            return None


def _question(questions: list[object]) -> Question:
    queries = tuple(_query(table_of(each)) for each in questions)
    first = queries[0] if queries else Query("")
    return Question(UNNUMBERED, first.text, tuple(choice.label for choice in first.choices), queries=queries)


def _query(record: Record) -> Query:
    choices = tuple(_choice(table_of(each)) for each in items_of(record.get("options")))
    return Query(
        text_of(record, "question") or "",
        choices,
        text_of(record, "header") or "",
        takes_many=record.get("multiSelect") is True,
        given=record,
    )


def _choice(record: Record) -> Choice:
    return Choice(*(text_of(record, key) or "" for key in ("label", "description", "preview")))
