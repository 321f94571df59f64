import pytest

from coop.model.screen import Cursor, Size
from coop.terminal.queries import answer

AT, SIZE = Cursor(2, 4), Size(80, 24)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        (b"\x1b[?6n", b"\x1b[?3;5;1R"),
        (b"\x1b[x", b"\x1b[2;1;1;128;128;1;0x"),
        (b"\x1b[1x", b"\x1b[3;1;1;128;128;1;0x"),
        (b"\x1b[19t", b"\x1b[9;24;80t"),
        (b"\x1b[15t", b"\x1b[5;384;640t"),
        (b"text\x1b[?15n", b"\x1b[?13n"),
    ],
)
def test_a_query_at_the_end_is_answered(asked: bytes, answered: bytes) -> None:
    assert answer(asked, AT, SIZE) == answered


@pytest.mark.parametrize("tail", [b"", b"text", b"[?6n", b"\x1b[?6n and more", b"\x1b[31m", b"\x1b[2t"])
def test_anything_else_is_left_alone(tail: bytes) -> None:
    assert answer(tail, AT, SIZE) == b""
