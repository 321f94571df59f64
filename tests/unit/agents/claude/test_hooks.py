import json
from pathlib import Path
from typing import cast

import pytest

from coop.agents.claude.hooks import failure, prompt_of, read_hook
from coop.model.prompt import Choice, Guise, Permission, Plan, Query, Question
from coop.model.readings import Asks, Heard, Learned, Reading, Says, Stops
from coop.model.state import ErrorKind, Failed, Idle, Working
from tests.support.captured import CAPTURED

EDIT_OF = "Do you want to make this edit to {}?"
RECORDED = sorted((CAPTURED / "claude/hooks").glob("*.json"))


def record(name: str) -> dict[str, object]:
    return cast("dict[str, object]", json.loads((CAPTURED / f"claude/hooks/{name}.json").read_text()))


def own(name: str) -> tuple[Reading, ...]:
    """What a recorded hook says, but for what every hook tells of the session."""
    learned, *others = read_hook(name.partition(".")[0], record(name))
    assert isinstance(learned, Learned)
    return tuple(others)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_every_hook_tells_which_session_it_is_of(path: Path) -> None:
    given = record(path.stem)
    learned = read_hook(path.stem.partition(".")[0], given)[0]
    assert isinstance(learned, Learned)
    assert learned.session_id == given["session_id"]
    assert learned.transcript_path == given["transcript_path"]
    assert learned.cwd == given["cwd"]
    assert (learned.permission_mode, learned.model) == (given.get("permission_mode"), given.get("model"))


def test_a_prompt_is_work_and_what_was_heard() -> None:
    assert read_hook("UserPromptSubmit", {"prompt": "fix it"})[1:] == (Says(Working()), Heard("fix it"))


def test_what_it_tells_itself_of_its_background_tasks_was_heard_from_nobody() -> None:
    assert str(record("UserPromptSubmit")["prompt"]).startswith("<task-notification>")
    assert own("UserPromptSubmit") == (Says(Working()),)


@pytest.mark.parametrize("source", ["startup", "resume", "clear"])
def test_a_session_that_starts_rests_until_somebody_says_otherwise(source: str) -> None:
    assert own(f"SessionStart.{source}") == (Says(Idle(), final=False),)


def test_a_compaction_says_nothing_of_the_state() -> None:
    assert own("SessionStart.compact") == ()


@pytest.mark.parametrize("name", ["PreToolUse.Bash", "PostToolUse.Bash", "PreCompact"])
def test_a_tool_is_work(name: str) -> None:
    assert own(name) == (Says(Working()),)


@pytest.mark.parametrize("name", ["Notification.idle_prompt", "SessionEnd.other", "SubagentStop"])
def test_other_hooks_say_nothing_of_the_state(name: str) -> None:
    assert own(name) == ()


def test_a_stop_can_be_overruled() -> None:
    assert own("Stop") == (Says(Idle(), final=False), Stops())
    assert own("Stop.stop_hook_active") == (Says(Idle(), final=False), Stops(again=True))


def test_a_stop_tells_what_goes_on_in_the_background() -> None:
    assert own("Stop.background_tasks") == (Says(Idle(), final=False), Stops(background=1))


def test_the_last_message_comes_with_the_stop() -> None:
    learned = read_hook("Stop", record("Stop"))[0]
    assert isinstance(learned, Learned)
    assert learned.last_message == "bg finished noticed"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("authentication_failed", ErrorKind.UNAUTHORIZED),
        ("billing_error", ErrorKind.OUT_OF_CREDITS),
        ("rate_limit", ErrorKind.RATE_LIMITED),
        ("server_error", ErrorKind.OVERLOADED),
        ("unknown", ErrorKind.OVERLOADED),
        ("invalid_request", ErrorKind.OTHER),
        ("max_output_tokens", ErrorKind.OTHER),
    ],
)
def test_a_failure_has_its_kind_and_its_words(name: str, kind: ErrorKind) -> None:
    words = record(f"StopFailure.{name}")["last_assistant_message"]
    assert own(f"StopFailure.{name}") == (Says(Failed(str(words), kind)),)


def test_the_failure_of_a_subagent_is_not_the_agents() -> None:
    given = {"agent_id": "a1", "error": "server_error", "last_assistant_message": "API Error"}
    learned, *others = read_hook("StopFailure", given)
    assert isinstance(learned, Learned)
    assert (learned.last_message, others) == (None, [])


@pytest.mark.parametrize(
    ("error", "words", "expected"),
    [
        (
            "unknown",
            "Unable to connect to API (ECONNREFUSED)",
            Failed("Unable to connect to API (ECONNREFUSED)", ErrorKind.NO_NETWORK),
        ),
        ("rate_limit", "limit reached · resets 3pm", Failed("limit reached · resets 3pm", ErrorKind.RATE_LIMITED, "3pm")),
        ("server_error", "API Error: 500", Failed("API Error: 500")),
        ("what_is_this", "", Failed("what_is_this")),
        ("", "", Failed("")),
    ],
)
def test_an_error_is_told_by_its_name_and_by_its_words(error: str, words: str, expected: Failed) -> None:
    assert failure(error, words) == expected


# What is asked


def asked(name: str) -> Permission | Plan | Question:
    (asks,) = own(f"PermissionRequest.{name}")
    assert isinstance(asks, Asks)
    assert isinstance(asks.prompt, Permission | Plan | Question)
    return asks.prompt


@pytest.mark.parametrize("tool", ["Bash", "Edit", "Write"])
def test_a_permission_carries_the_tool_its_input_and_what_could_be_permitted_for_good(tool: str) -> None:
    prompt, given = asked(tool), record(f"PermissionRequest.{tool}")
    assert isinstance(prompt, Permission)
    assert (prompt.tool, prompt.input) == (tool, given["tool_input"])
    assert list(prompt.suggestions) == given["permission_suggestions"]
    assert prompt.subagent is None


def test_a_permission_tells_for_which_subagent_it_is() -> None:
    prompt = asked("Bash.subagent")
    assert isinstance(prompt, Permission)
    assert prompt.subagent == "general-purpose"


def test_a_plan_carries_its_text_and_its_file() -> None:
    prompt = asked("ExitPlanMode")
    assert isinstance(prompt, Plan)
    assert (prompt.text, prompt.file) == ("# P\n1. A\n", "/home/dev/work/.claude/plans/plan-it-vast-donut.md")


def test_questions_carry_all_their_choices() -> None:
    prompt = asked("AskUserQuestion")
    assert isinstance(prompt, Question)
    databases = (Choice("PostgreSQL", "Robust"), Choice("SQLite", "Simple"), Choice("MySQL", "Common"))
    features = (Choice("Auth", "login"), Choice("Search", "find"), Choice("Billing", "pay"))
    assert prompt.queries == (
        Query("Which database should we use?", databases, "Database"),
        Query("Which features?", features, "Features", takes_many=True),
    )
    assert (prompt.text, prompt.options) == ("Which database should we use?", ("PostgreSQL", "SQLite", "MySQL"))


def test_a_choice_carries_what_it_would_look_like_and_the_question_what_claude_said_of_it() -> None:
    question = {"question": "Which?", "options": [{"label": "Narrow", "preview": "[]"}], "new": 1}
    (reading,) = read_hook("PermissionRequest", {"tool_name": "AskUserQuestion", "tool_input": {"questions": [question]}})[1:]
    assert isinstance(reading, Asks)
    assert isinstance(reading.prompt, Question)
    (query,) = reading.prompt.queries
    assert (query.choices, query.given) == ((Choice("Narrow", preview="[]"),), question)


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({}, Permission),
        ({"tool_name": 3, "tool_input": []}, Permission),
        ({"tool_name": "AskUserQuestion", "tool_input": {"questions": []}}, Question),
        ({"tool_name": "AskUserQuestion", "tool_input": {"questions": [1, {"options": "x"}, {"options": [None]}]}}, Question),
        ({"tool_name": "AskUserQuestion", "tool_input": {}}, Question),
        ({"tool_name": "ExitPlanMode"}, Plan),
        ({"tool_name": "Bash", "permission_suggestions": [1, "x"]}, Permission),
    ],
)
def test_a_strange_request_is_still_a_prompt(given: dict[str, object], kind: type) -> None:
    assert isinstance(prompt_of(given), kind)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("sed -i 's/a/b/' f.txt", "f.txt"),
        ("sed -i -e 's/a/b/' './some folder/f.txt'", "f.txt"),
        ("sed", None),
        ("sed -i", None),
        ("sed -i 's/a/b f.txt", None),
        ("cat f.txt", None),
    ],
)
def test_a_shell_command_that_only_changes_a_file_may_be_drawn_as_that(command: str, name: str | None) -> None:
    prompt = prompt_of({"tool_name": "Bash", "tool_input": {"command": command}})
    assert isinstance(prompt, Permission)
    assert prompt.guise == (Guise("Edit", EDIT_OF.format(name), name) if name else None)
