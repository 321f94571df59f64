import json

from coop.agents.gemini.log import LogReader
from coop.model.readings import Decided, Heard, Learned, Reading, Says, Used
from coop.model.state import ErrorKind, Failed, Idle, Working
from tests.support.captured import CAPTURED

AT = "2026-11-15T07:05:00.000Z"
STAMP = 1794726300.0


def read(**record: object) -> tuple[Reading, ...]:
    return LogReader().read({"timestamp": AT, **record})


def captured(name: str) -> list[Reading]:
    reader = LogReader()
    lines = (CAPTURED / f"gemini/logs/{name}.jsonl").read_text().splitlines()
    return [reading for line in lines for reading in reader.read(json.loads(line))]


def test_a_header_names_the_session() -> None:
    assert read(sessionId="5937d3a5", kind="main") == (Learned(session_id="5937d3a5"),)


def test_what_the_user_says_is_heard_and_begins_a_turn() -> None:
    assert read(type="user", content=[{"text": "hello"}]) == (Says(Working(), stamp=STAMP), Heard("hello"))


def test_a_tools_result_is_no_message() -> None:
    assert read(type="user", content=[{"functionResponse": {"name": "x"}}]) == ()


def test_a_mode_chosen_by_key_begins_no_turn() -> None:
    own = "User has manually exited Plan Mode. Switching to Auto-Edit mode (edits will be applied automatically)."
    assert read(type="user", content=[{"text": own}]) == ()
    assert read(type="user", content=[{"text": f"{own} Why?"}])


def test_words_end_a_turn_unless_something_else_says_no() -> None:
    tokens = {"input": 12, "output": 20, "cached": 0, "thoughts": 0, "tool": 0, "total": 32}
    said = read(type="gemini", id="m1", content="Hello.", tokens=tokens, model="pretend")
    counted = {"input_tokens": 12, "output_tokens": 20, "cached_tokens": 0, "thought_tokens": 0}
    assert said == (
        Learned(model="pretend", last_message="Hello."),
        Used("m1", counted),
        Says(Idle(), final=False, stamp=STAMP),
    )


def test_a_message_without_words_is_a_tool_that_is_asked_for() -> None:
    assert read(type="gemini", id="m1", content="")[-1] == Says(Working(), stamp=STAMP)


def test_what_became_of_a_tool_is_told_afterwards() -> None:
    calls = [{"name": "one", "status": "success"}, {"name": "two", "status": "cancelled"}, "what?"]
    said = read(type="gemini", id="m1", content="I will.", toolCalls=calls)
    assert said[1:] == (Decided("one", accepted=True), Decided("two", accepted=False))
    assert read(type="gemini", id="m1", content="", toolCalls=calls[:1])[1:] == (Decided("one", accepted=True), Says(Working()))


def test_an_error_is_a_failure_and_a_cancelled_turn_is_over() -> None:
    assert read(type="info", content="Request cancelled.") == (Says(Idle(), stamp=STAMP),)
    assert read(type="info", content="A potential loop was detected. This can") == (Says(Idle(), stamp=STAMP),)
    assert read(type="info", content="Something else") == ()
    (said,) = read(type="error", content='[API Error: {"error":{"code":401}}]')
    assert isinstance(said, Says)
    assert isinstance(said.claim, Failed)


def test_the_history_that_is_written_again_after_a_denial_is_passed_over() -> None:
    said = captured("denials")
    heard = [each.text for each in said if isinstance(each, Heard)]
    assert heard
    assert len(heard) == len(set(heard))
    ends = [n for n, each in enumerate(said) if each == Says(Idle(), stamp=each.stamp if isinstance(each, Says) else None)]
    assert ends
    after = said[ends[0] + 1]
    assert isinstance(after, Says)
    assert isinstance(after.claim, Working)
    assert isinstance(said[ends[0] + 2], Heard)  # the next message, not an old one


def test_the_errors_of_a_recorded_session_are_told_by_kind() -> None:
    kinds = [each.claim.kind for each in captured("errors") if isinstance(each, Says) and isinstance(each.claim, Failed)]
    assert kinds == [ErrorKind.UNAUTHORIZED, ErrorKind.OTHER, ErrorKind.UNAUTHORIZED]


def test_a_line_that_is_something_else_says_nothing() -> None:
    for record in (
        {},
        {"$set": {"lastUpdated": AT}},
        {"type": "user"},
        {"type": "gemini"},
        {"type": "warning", "content": "x"},
    ):
        assert LogReader().read(record) == ()
