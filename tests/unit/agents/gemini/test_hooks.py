import json
from collections.abc import Mapping

import pytest

from coop.agents.gemini.hooks import UNNUMBERED, block_stop, read_hook
from coop.model.prompt import Choice, Permission, Plan, Query, Question
from coop.model.readings import Announces, Begins, Heard, Learned, Reading, Says, Stops, Waits
from coop.model.state import Idle, Working
from tests.support.captured import CAPTURED


def captured(name: str) -> Mapping[str, object]:
    found: Mapping[str, object] = json.loads((CAPTURED / f"gemini/hooks/{name}.json").read_text())
    return found


def read(name: str) -> tuple[Reading, ...]:
    """What it says, but for what every hook does."""
    learned, *own = read_hook(name.partition(".")[0], captured(name))
    assert isinstance(learned, Learned)
    return tuple(own)


def test_every_hook_tells_where_it_is() -> None:
    record = captured("BeforeAgent")
    learned = read_hook("BeforeAgent", record)[0]
    expected = {key: record[key] for key in ("session_id", "transcript_path", "cwd")}
    assert learned == Learned(**expected)  # type: ignore[arg-type]


def test_a_resumed_session_names_a_log_it_will_not_write() -> None:
    learned = read_hook("SessionStart", {"source": "resume", "session_id": "s", "transcript_path": "/new.jsonl"})[0]
    assert learned == Learned(session_id="s")


def test_a_turn_begins_with_what_was_heard_and_ends_with_a_question_whether_it_may() -> None:
    begins = read("BeforeAgent")
    assert begins == (Says(Working()), Heard(str(captured("BeforeAgent")["prompt"])))
    assert read("AfterAgent") == (Says(Idle(), final=False), Stops())
    assert read_hook("AfterAgent", {"prompt_response": "x", "stop_hook_active": True})[-1] == Stops(again=True)


def test_a_run_begins_but_not_by_what_goes_on_after_a_clear() -> None:
    assert read("SessionStart.startup") == (Begins(), Says(Idle(), final=False))
    assert read_hook("SessionStart", {"source": "resume"})[1:] == (Begins(), Says(Idle(), final=False))
    assert read_hook("SessionStart", {"source": "clear"})[1:] == (Says(Idle(), final=False),)


def test_a_turn_that_failed_is_not_sent_back() -> None:
    assert read("AfterAgent.failed") == (Says(Idle(), final=False),)


def test_a_permission_is_announced_with_its_whole_input() -> None:
    command = "echo hi-there > out.txt; ls"
    waits = Says(Waits("permission"))
    assert read("Notification.exec") == (waits, Announces(Permission(UNNUMBERED, "run_shell_command", {"command": command})))
    says, announces = read("Notification.edit")
    assert says == waits
    assert isinstance(announces, Announces)
    assert isinstance(announces.prompt, Permission)
    assert set(announces.prompt.input) == {"file_path", "diff", "content"}


@pytest.mark.parametrize("name", ["Notification.ask_user", "Notification.exit_plan_mode", "Notification.info"])
def test_other_dialogs_are_only_told_to_come(name: str) -> None:
    assert read(name) == (Says(Waits("permission")),)


def test_a_question_is_announced_by_its_tool() -> None:
    _, announces = read("BeforeTool.ask_user")
    assert isinstance(announces, Announces)
    assert isinstance(announces.prompt, Question)
    first = announces.prompt.queries[0]
    assert (first.text, first.header, first.choices[0]) == (
        "Which database should we use?",
        "Database",
        Choice("PostgreSQL", "Robust"),
    )
    assert announces.prompt.options == ("PostgreSQL", "SQLite", "MySQL")


def test_yes_or_no_and_many_are_known() -> None:
    questions = [{"question": "Go?", "type": "yesno"}, {"question": "Which?", "multiSelect": True, "options": [{"label": "A"}]}]
    announces = read_hook("BeforeTool", {"tool_name": "ask_user", "tool_input": {"questions": questions}})[-1]
    assert isinstance(announces, Announces)
    assert isinstance(announces.prompt, Question)
    assert announces.prompt.queries == (
        Query("Go?", (Choice("Yes"), Choice("No"))),
        Query("Which?", (Choice("A"),), takes_many=True),
    )


def test_a_plan_is_announced_with_its_file() -> None:
    _, announces = read("BeforeTool.exit_plan_mode")
    assert isinstance(announces, Announces)
    assert isinstance(announces.prompt, Plan)
    assert (announces.prompt.file or "").endswith(".md")


def test_another_tool_is_work() -> None:
    assert read("BeforeTool.run_shell_command") == (Says(Working()),)


def test_what_is_not_understood_says_nothing_of_the_state() -> None:
    for event, record in (("Unheard", {}), ("BeforeTool", {"tool_input": 3}), ("Notification", {"details": []})):
        assert not any(isinstance(each, Announces | Heard) for each in read_hook(event, record))


def test_the_reply_that_sends_it_back_gives_the_reason() -> None:
    assert json.loads(block_stop("not yet")) == {"decision": "deny", "reason": "not yet"}
