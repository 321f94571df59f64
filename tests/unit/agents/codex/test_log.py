import json
from collections.abc import Iterator

import pytest

from coop.agents.codex.log import read_log
from coop.model.prompt import Permission, Plan, Question
from coop.model.readings import Decided, Describes, Heard, Learned, Reading, Says, Used
from coop.model.state import ErrorKind, Failed, Idle, Working
from tests.support.captured import CAPTURED


def session() -> Iterator[Reading]:
    """What a recorded session says: a text, two permissions, a denial, a question, an error, a plan, an interrupt."""
    for line in (CAPTURED / "codex/logs/session.jsonl").read_text().splitlines():
        yield from read_log(json.loads(line))


def test_turns_begin_and_end() -> None:
    changes: list[object] = []
    for reading in session():
        if isinstance(reading, Says) and type(reading.claim) is not (type(changes[-1]) if changes else None):
            changes.append(reading.claim)
    kinds = [type(each).__name__ for each in changes]
    assert kinds == ["Working", "Idle"] * 5 + ["Working", "Failed"] + ["Working", "Idle"] * 2


def test_the_error_is_told() -> None:
    (failed,) = [each.claim for each in session() if isinstance(each, Says) and isinstance(each.claim, Failed)]
    assert isinstance(failed, Failed)
    assert failed.kind is ErrorKind.UNAUTHORIZED


def test_messages_are_heard_once_each() -> None:
    heard = [each.text for each in session() if isinstance(each, Heard)]
    assert heard[:2] == ["[[say Hello there.]]", "[[run! touch made]]"]
    assert len(heard) == len(set(heard)) == 8


def test_what_dialogs_ask_is_described() -> None:
    prompts = [each.prompt for each in session() if isinstance(each, Describes)]
    assert [type(each) for each in prompts] == [Permission, Permission, Permission, Question, Plan]
    first, second, _, question, plan = prompts
    assert isinstance(first, Permission)
    assert first.input == {"command": "touch made", "description": "Do you want to allow this fake command?"}
    assert isinstance(second, Permission)
    assert second.input["file_path"] == "made-too"
    assert isinstance(question, Question)
    assert [query.header for query in question.queries] == ["Database", "Language"]
    assert isinstance(plan, Plan)
    assert plan.text.startswith("# Auth plan")


def test_what_became_of_them_is_told() -> None:
    decided = [each.accepted for each in session() if isinstance(each, Decided)]
    assert decided == [True, True, False, False, True, False]  # a denial is told by its tool and by the end of its turn


def test_tokens_count_by_response() -> None:
    used = [each for each in session() if isinstance(each, Used)]
    assert len({each.message_id for each in used}) == len(used)
    assert all(each.tokens["output_tokens"] == 20 for each in used)


def test_the_last_message_is_learned() -> None:
    assert "Hello there." in {each.last_message for each in session() if isinstance(each, Learned)}


def test_the_first_line_says_whose_it_is() -> None:
    payload = {"id": "t1", "cwd": "/w", "cli_version": "0.166.0"}
    assert read_log({"type": "session_meta", "payload": payload}) == (Learned(session_id="t1", cwd="/w", version="0.166.0"),)
    assert read_log({"type": "turn_context", "payload": {"cwd": "/w", "model": "m"}}) == (Learned(cwd="/w", model="m"),)


def test_a_command_inside_of_the_sandbox_asks_nobody() -> None:
    call = {"type": "function_call", "name": "exec_command", "arguments": '{"cmd":"ls"}'}
    assert read_log({"type": "response_item", "payload": call}) == (Says(Working()),)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"type": "event_msg"},
        {"type": "event_msg", "payload": []},
        {"type": "event_msg", "payload": {"type": "novelty"}},
        {"type": "response_item", "payload": {"type": "message"}},
        {"type": "novelty", "payload": {}},
        {"type": "token_usage_record", "payload": {"usage": 3}},
    ],
)
def test_what_says_nothing_says_nothing(record: dict[str, object]) -> None:
    assert read_log(record) == ()


def test_broken_arguments_do_no_harm() -> None:
    for arguments in ("{", "[]", None):
        call = {"type": "function_call", "name": "request_user_input", "arguments": arguments}
        assert len(read_log({"type": "response_item", "payload": call, "timestamp": "when"})) == 2


def test_times_are_the_records_own() -> None:
    (says,) = read_log({"timestamp": "2026-11-15T06:50:42.500Z", "type": "event_msg", "payload": {"type": "task_started"}})
    assert isinstance(says, Says)
    assert (says.claim, says.stamp) == (Working(), 1794725442.5)
    assert Idle() != says.claim
