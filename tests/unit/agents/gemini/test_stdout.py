from collections.abc import Mapping

import pytest

from coop.agents.gemini.stdout import StdoutReader
from coop.model.readings import Learned, Reading, Says
from coop.model.state import ErrorKind, Failed, Idle, Working


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"type": "init", "session_id": "s", "model": "auto"}, (Learned(session_id="s", model="auto"), Says(Working()))),
        ({"type": "message", "role": "user", "content": "hi"}, (Says(Working()),)),
        ({"type": "message", "role": "assistant", "content": "a", "delta": True}, (Says(Working()),)),
        ({"type": "message", "role": "assistant", "content": "all"}, (Learned(last_message="all"), Says(Working()))),
        ({"type": "tool_use", "tool_name": "x"}, (Says(Working()),)),
        ({"type": "tool_result", "status": "error"}, (Says(Working()),)),
        ({"type": "result", "status": "success"}, (Says(Idle()),)),
        ({"type": "result", "status": "error"}, (Says(Failed("")),)),
        ({"type": "else"}, ()),
        ({}, ()),
    ],
)
def test_a_printed_line_tells_the_state(record: dict[str, object], said: tuple[Reading, ...]) -> None:
    assert StdoutReader().read(record) == said


def test_an_error_is_classified() -> None:
    message = '[API Error: {"error":{"code":401}}]'
    (said,) = StdoutReader().read({"type": "result", "status": "error", "error": {"type": "unknown", "message": message}})
    assert said == Says(Failed(message, ErrorKind.UNAUTHORIZED))


USED, RESULT = {"type": "tool_use", "tool_name": "x"}, {"type": "result", "status": "success"}


def piece(text: str) -> Mapping[str, object]:
    return {"type": "message", "role": "assistant", "content": text, "delta": True}


def messages(*records: Mapping[str, object]) -> list[str | None]:
    reader = StdoutReader()
    said = [reading for record in records for reading in reader.read(record)]
    return [reading.last_message for reading in said if isinstance(reading, Learned)]


def test_a_message_that_comes_in_pieces_is_whole_when_something_else_comes() -> None:
    assert messages(piece("Hello "), piece("there.")) == []
    assert messages(piece("Hello "), piece("there."), RESULT) == ["Hello there."]
    assert messages(piece("One."), USED, piece("Two."), RESULT) == ["One.", "Two."]
    assert messages(piece("One."), {"type": "else"}, piece(" Two."), RESULT, RESULT) == ["One. Two."]


def test_what_was_said_before_an_error_is_a_message_too() -> None:
    assert messages(piece("Half a"), {"type": "result", "status": "error"}) == ["Half a"]
