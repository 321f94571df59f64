from typing import Any

import pytest

from coop.session.timeline import Row, changed_fields, side_by_side, words
from coop.wire.recording import Published


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"type": "state_change", "next": "working", "prompt": None, "detail": "retrying 2/10"}, "working  retrying 2/10"),
        (
            {"type": "state_change", "next": "permission_prompt", "prompt": {"type": "permission", "tool": "Bash", "input_preview": "ls"}},
            "permission_prompt  Bash: ls",
        ),
        ({"type": "state_change", "next": "setup_prompt", "prompt": {"type": "setup", "subtype": "trust"}}, "setup_prompt  trust"),
        (
            {"type": "state_change", "next": "ask_user", "prompt": {"type": "question", "subtype": "unrecognized", "question": "So?"}},
            "ask_user  unrecognized: So?",
        ),
        ({"type": "answered", "prompt": {"type": "plan", "summary": "Plan"}, "by": "api", "outcome": None}, "answered by api: nothing shows how  Plan"),
        ({"type": "resize", "cols": 10, "rows": 4}, "resized to 10×4"),
        ({"type": "exit", "code": None, "signal": 9}, "ended with signal 9"),
        ({"type": "shutdown", "grace_secs": 10.0}, "shutting down within 10 s"),
        ({"type": "stop", "result": "blocked"}, "stop blocked"),
    ],
)  # fmt: skip
def test_an_event_is_one_line(message: dict[str, Any], said: str) -> None:
    assert words(message) == said


def test_long_words_are_cut() -> None:
    assert len(words({"type": "state_change", "next": "working", "detail": "x" * 500})) < 80


def resized(at: float, seq: int, cols: int) -> Published:
    return Published(at, seq, {"type": "resize", "cols": cols, "rows": 1})


def test_two_tellings_stand_side_by_side_by_time() -> None:
    one, other = [resized(1.0, 1, 5), resized(3.0, 2, 7)], [resized(1.0, 1, 5), resized(2.0, 2, 6)]
    assert list(side_by_side(one, other)) == [
        Row(1.0, "resized to 5×1", "resized to 5×1"),
        Row(2.0, None, "resized to 6×1"),
        Row(3.0, "resized to 7×1", None),
    ]
    assert [row.is_same for row in side_by_side(one, other)] == [True, False, False]


def test_the_fields_that_changed_are_named() -> None:
    assert list(changed_fields({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": 4})) == ["b: 2 → 3", "c: None → 4"]
