import pytest

from coop.agents.claude.stdout import read_stdout
from coop.model.readings import Claim, Learned, Reading, Says, Used
from coop.model.state import ErrorKind, Failed, Idle, Working

INIT: dict[str, object] = {
    "type": "system",
    "subtype": "init",
    "session_id": "s1",
    "cwd": "/w",
    "model": "claude-opus-4-8",
    "permissionMode": "default",
    "claude_code_version": "2.1.325",
}
MESSAGE = {
    "id": "m1",
    "model": "claude-opus-4-8",
    "content": [{"type": "text", "text": "hi"}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 3, "service_tier": "standard"},
}


def claims(record: dict[str, object]) -> list[Claim]:
    return [reading.claim for reading in read_stdout(record) if isinstance(reading, Says)]


def test_the_start_tells_of_the_session() -> None:
    learned = Learned("s1", None, "/w", "claude-opus-4-8", "default", "2.1.325")
    assert read_stdout(INIT) == (learned, Says(Working()))


def test_a_message_is_work_until_the_result_comes() -> None:
    expected: tuple[Reading, ...] = (
        Learned(model="claude-opus-4-8", last_message="hi"),
        Used("m1", {"input_tokens": 3}),
        Says(Working()),
    )
    assert read_stdout({"type": "assistant", "message": MESSAGE}) == expected
    assert claims({"type": "user", "message": {"content": []}}) == [Working()]


def test_the_result_ends_the_turn() -> None:
    result: dict[str, object] = {"type": "result", "subtype": "success", "is_error": False, "result": "done"}
    assert read_stdout(result) == (Learned(last_message="done"), Says(Idle()))


@pytest.mark.parametrize(
    ("record", "failed"),
    [
        ({"subtype": "success", "result": "API Error: Unable to connect (ECONNREFUSED)"}, ErrorKind.NO_NETWORK),
        ({"subtype": "error_max_turns"}, ErrorKind.OTHER),
    ],
)
def test_a_result_can_be_an_error(record: dict[str, object], failed: ErrorKind) -> None:
    (claim,) = claims({"type": "result", "is_error": True, **record})
    assert isinstance(claim, Failed)
    assert (claim.kind, claim.detail) == (failed, record.get("result") or record["subtype"])


@pytest.mark.parametrize(("given", "of"), [({"max_retries": 10}, "10"), ({"max_attempts": 3}, "3"), ({}, "?")])
def test_a_retry_is_work_with_its_number(given: dict[str, object], of: str) -> None:
    assert claims({"type": "system", "subtype": "api_retry", "attempt": 2, **given}) == [Working(f"retrying 2/{of}")]


def test_what_a_subagent_says_carries_no_state() -> None:
    assert read_stdout({"type": "assistant", "message": MESSAGE, "parent_tool_use_id": "toolu_1"}) == ()


@pytest.mark.parametrize("record", [{}, {"type": "system", "subtype": "hook_started"}, {"type": "assistant", "message": 3}])
def test_other_lines_say_nothing(record: dict[str, object]) -> None:
    assert read_stdout(record) == ()
