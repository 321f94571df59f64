import pytest

from coop.agents.codex.stdout import read_stdout
from coop.model.readings import Learned, Says
from coop.model.state import ErrorKind, Failed, Idle, Working


@pytest.mark.parametrize(
    ("record", "readings"),
    [
        ({"type": "thread.started", "thread_id": "t1"}, (Learned(session_id="t1"),)),
        ({"type": "turn.started"}, (Says(Working()),)),
        (
            {"type": "item.completed", "item": {"type": "agent_message", "text": "Hi"}},
            (Learned(last_message="Hi"), Says(Working())),
        ),
        ({"type": "item.started", "item": {"type": "command_execution"}}, (Says(Working()),)),
        ({"type": "turn.completed", "usage": {}}, (Says(Idle()),)),
        ({"type": "error", "message": "Reconnecting... 1/5 (oops)"}, (Says(Working("retrying 1/5")),)),
        ({"type": "error", "message": "oops"}, ()),
        ({"type": "turn.failed", "error": {"message": "no"}}, (Says(Failed("no", ErrorKind.OTHER)),)),
        ({"type": "item.completed", "item": {"type": "error", "message": "a warning"}}, ()),
        ({"type": 7}, ()),
        ({}, ()),
    ],
)
def test_a_printed_line_is_read(record: dict[str, object], readings: tuple[object, ...]) -> None:
    assert read_stdout(record) == readings
