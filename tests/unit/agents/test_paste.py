import pytest
from hypothesis import given
from hypothesis import strategies as st

from coop.agents.paste import paste, sound


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a\r\nb\rc\n\n", "a\nb\nc"), ("a\tb", "a    b"), ("a\x1b[201~\x07b\x9bc\x7f", "a[201~bc"), ("漢字 👋", "漢字 👋")],
)
def test_text_is_made_sound(text: str, expected: str) -> None:
    assert sound(text) == expected
    assert paste(text) == b"\x1b[200~" + expected.encode() + b"\x1b[201~"


@given(st.text(st.characters() | st.sampled_from("\x1b[201~\r\n\x9b")))
def test_no_text_can_end_its_paste_or_press_a_key(text: str) -> None:
    data = paste(text)
    inside = data.removeprefix(b"\x1b[200~").removesuffix(b"\x1b[201~").decode()
    assert not any(character != "\n" and (ord(character) < 32 or 127 <= ord(character) < 160) for character in inside)
    assert sound(inside) == inside
