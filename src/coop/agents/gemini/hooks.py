"""What a hook of Gemini CLI says. None of them asks us: a permission is told of just before its dialog is drawn."""

import json
from collections.abc import Callable

from coop.agents.gemini.mentions import without_files
from coop.agents.records import Record, items_of, table_of, text_of
from coop.model.ids import PromptId
from coop.model.prompt import Choice, Permission, Plan, Prompt, Query, Question
from coop.model.readings import Announces, Begins, Heard, Learned, Readings, Says, Stops, Waits
from coop.model.state import Idle, Working

UNNUMBERED = PromptId("")
"""The session gives the id."""
NOTHING_SAID = "[no response text]"
"""What a turn that failed has answered."""


def read_hook(event: str, record: Record) -> Readings:
    reader = _READERS.get(event)
    return (_learned(record), *(reader(record) if reader else ()))


def _learned(record: Record) -> Learned:
    """A resumed session first names a log that it will not write to: the one it was given is the one."""
    is_decoy = record.get("source") == "resume"
    return Learned(
        session_id=text_of(record, "session_id"),
        transcript_path=None if is_decoy else text_of(record, "transcript_path"),
        cwd=text_of(record, "cwd"),
    )


def _on_session_start(record: Record) -> Readings:
    """What goes on after `/clear` has a new id, and is no other run."""
    rests = Says(Idle(), final=False)
    return (rests,) if record.get("source") == "clear" else (Begins(), rests)


def _on_prompt(record: Record) -> Readings:
    return Says(Working()), Heard(without_files(text_of(record, "prompt") or ""))


def _on_tool(record: Record) -> Readings:
    """Before its dialog, and before a tool that needs none: those that ask something of their own are told of here."""
    prompt = asked_by(text_of(record, "tool_name") or "", table_of(record.get("tool_input")))
    return (Says(Working()), Announces(prompt)) if prompt is not None else (Says(Working()),)


def asked_by(tool: str, given: Record) -> Prompt | None:
    """What that tool asks by itself; `None` for one that asks nothing."""
    match tool:
        case "ask_user":
            return _question(items_of(given.get("questions")))
        case "exit_plan_mode":
            return Plan(UNNUMBERED, "", text_of(given, "plan_path") or text_of(given, "plan_filename"))
        case _:
            return None


def _on_notification(record: Record) -> Readings:
    details = table_of(record.get("details"))
    match details.get("type"):
        case "exec":
            return Says(Waits("permission")), Announces(Permission(UNNUMBERED, "run_shell_command", _given(details, "command")))
        case "edit":
            given = _given(details, "filePath", "fileDiff", "newContent")
            return Says(Waits("permission")), Announces(Permission(UNNUMBERED, "", given))
        case _:
            return (Says(Waits("permission")),)


_NAMES = {"filePath": "file_path", "fileDiff": "diff", "newContent": "content"}


def _given(details: Record, *keys: str) -> dict[str, object]:
    return {_NAMES.get(key, key): details[key] for key in keys if isinstance(details.get(key), str)}


def _on_turn_end(record: Record) -> Readings:
    if record.get("prompt_response") == NOTHING_SAID:  # it failed, and the log says why: nobody is sent back for that
        return (Says(Idle(), final=False),)
    return Says(Idle(), final=False), Stops(again=record.get("stop_hook_active") is True)


_READERS: dict[str, Callable[[Record], Readings]] = {
    "SessionStart": _on_session_start,
    "BeforeAgent": _on_prompt,
    "BeforeTool": _on_tool,
    "Notification": _on_notification,
    "AfterAgent": _on_turn_end,
}


def _question(questions: list[object]) -> Question:
    queries = tuple(_query(table_of(each)) for each in questions)
    first = queries[0] if queries else Query("")
    return Question(UNNUMBERED, first.text, tuple(choice.label for choice in first.choices), queries=queries)


def _query(record: Record) -> Query:
    choices = tuple(_choice(table_of(each)) for each in items_of(record.get("options")))
    if record.get("type") == "yesno":
        choices = (Choice("Yes"), Choice("No"))
    many = record.get("multiSelect") is True
    return Query(text_of(record, "question") or "", choices, text_of(record, "header") or "", takes_many=many)


def _choice(record: Record) -> Choice:
    return Choice(text_of(record, "label") or "", text_of(record, "description") or "")


def block_stop(reason: str) -> bytes:
    """What makes Gemini go on instead of ending its turn: the reason is its next prompt."""
    return json.dumps({"decision": "deny", "reason": reason}).encode()
