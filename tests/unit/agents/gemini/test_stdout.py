import pytest

from coop.agents.gemini.stdout import read_stdout
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
    assert read_stdout(record) == said


def test_an_error_is_classified() -> None:
    message = '[API Error: {"error":{"code":401}}]'
    (said,) = read_stdout({"type": "result", "status": "error", "error": {"type": "unknown", "message": message}})
    assert said == Says(Failed(message, ErrorKind.UNAUTHORIZED))
