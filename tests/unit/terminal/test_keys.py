import pytest

from coop.errors import BadRequest
from coop.terminal.keys import NAMES, encode_keys

APPLICATION = frozenset({"?1"})


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("Enter", b"\r"),
        ("Return", b"\r"),
        ("Escape", b"\x1b"),
        ("Esc", b"\x1b"),
        ("Tab", b"\t"),
        ("Shift-Tab", b"\x1b[Z"),
        ("BackTab", b"\x1b[Z"),
        ("Backspace", b"\x7f"),
        ("Ctrl-Backspace", b"\x08"),
        ("Space", b" "),
        ("Ctrl-Space", b"\x00"),
        ("Ctrl-C", b"\x03"),
        ("ctrl-c", b"\x03"),
        ("C-c", b"\x03"),
        ("Control+C", b"\x03"),
        ("Ctrl-[", b"\x1b"),
        ("Ctrl--", b"\x1f"),
        ("Alt-b", b"\x1bb"),
        ("Alt-B", b"\x1bB"),
        ("Ctrl-Alt-a", b"\x1b\x01"),
        ("Alt-Enter", b"\x1b\r"),
        ("Up", b"\x1b[A"),
        ("ArrowLeft", b"\x1b[D"),
        ("Home", b"\x1b[H"),
        ("End", b"\x1b[F"),
        ("Ctrl-Right", b"\x1b[1;5C"),
        ("Ctrl-Shift-Up", b"\x1b[1;6A"),
        ("PageDown", b"\x1b[6~"),
        ("Delete", b"\x1b[3~"),
        ("Ctrl-Delete", b"\x1b[3;5~"),
        ("F1", b"\x1bOP"),
        ("Shift-F1", b"\x1b[1;2P"),
        ("F5", b"\x1b[15~"),
        ("F12", b"\x1b[24~"),
        ("F20", b"\x1b[34~"),
        ("x", b"x"),
        ("-", b"-"),
        ("é", "é".encode()),
    ],
)
def test_a_key_is_what_a_terminal_sends_for_it(key: str, expected: bytes) -> None:
    assert encode_keys([key], frozenset()) == expected


def test_application_cursor_mode_is_respected() -> None:
    assert encode_keys(["Up", "Home", "Ctrl-Up"], APPLICATION) == b"\x1bOA\x1bOH\x1b[1;5A"


def test_keys_come_in_the_order_given() -> None:
    assert encode_keys(["Escape", "Enter", "Ctrl-C"], frozenset()) == b"\x1b\r\x03"


@pytest.mark.parametrize("key", ["", "Foo", "Ctrl-", "ab", "Hyper-x", "--", "Ctrl-Foo"])
def test_a_name_nobody_knows_is_refused_by_name(key: str) -> None:
    with pytest.raises(BadRequest, match="keys: no key is named"):
        encode_keys([key], frozenset())


def test_a_character_without_a_control_code_is_refused() -> None:
    with pytest.raises(BadRequest, match="no control code"):
        encode_keys(["Ctrl-é"], frozenset())


@pytest.mark.parametrize("name", NAMES)
def test_every_name_has_bytes_alone_and_with_every_modifier(name: str) -> None:
    for modifier in ("", "Shift-", "Alt-", "Ctrl-", "Ctrl-Alt-Shift-"):
        assert encode_keys([modifier + name], frozenset())
