import pytest

from coop.cli.console.keyboard import Keyboard, Order, Setting
from coop.cli.console.rows import Window
from coop.model.screen import Size

SIZE = Size(80, 24)
EVERYTHING = frozenset({"?1000", "?1006", "?1004", "?2004"})
PREFIX = b"\x1c"


def typed(*reads: bytes, modes: frozenset[str] = EVERYTHING, prefix: int | None = 0x1C) -> list[bytes | Order]:
    """What came of it, with neighbouring bytes in one."""
    keyboard, setting = Keyboard(prefix), Setting(modes, Window(0, 0, SIZE), SIZE)
    found: list[bytes | Order] = []
    for piece in (piece for read in reads for piece in keyboard.receive(read, setting)):
        if found and isinstance(piece, bytes) and isinstance(last := found[-1], bytes):
            found[-1] = last + piece
        elif piece:
            found.append(piece)
    return found


@pytest.mark.parametrize(
    "data",
    [
        b"a",
        b"hello",
        b"\x1b",
        b"\x1b[A",
        b"\x1bOA",
        b"\x03\x04\x1a\x7f\r\t",
        "é👨‍👩‍👧".encode(),
        b"\x1b[",
        b"\x1b[1;5C",
        b"\x1b[97;5u",
        b"\xff",
    ],
)
def test_what_is_typed_goes_through_at_once_and_unchanged(data: bytes) -> None:
    assert typed(data) == [data]


@pytest.mark.parametrize("prefix", [PREFIX, b"\x1b[92;5u", b"\x1b[92;69u", b"\x1b[92;5:1u", b"\x1b[27;5;92~"])
@pytest.mark.parametrize("d", [b"d", b"\x1b[100u", b"\x1b[100;1:1u"])
def test_the_prefix_and_d_leave_in_whichever_way_the_keyboard_tells(prefix: bytes, d: bytes) -> None:
    assert typed(prefix, d) == [Order.HELP, Order.DETACH]
    assert typed(b"ab" + prefix + d) == [b"ab", Order.HELP, Order.DETACH]


def test_letting_go_of_the_prefix_is_not_the_key_after_it() -> None:
    assert typed(b"\x1b[92;5:1u", b"\x1b[92;5:3u", b"\x1b[100;1:1u") == [Order.HELP, Order.DETACH]


def test_the_prefix_and_r_redraw() -> None:
    assert typed(PREFIX, b"r") == [Order.HELP, Order.REDRAW]


def test_the_prefix_twice_is_the_prefix() -> None:
    assert typed(PREFIX, PREFIX, b"d") == [Order.HELP, PREFIX + b"d"]


def test_what_is_no_order_goes_on_with_the_prefix() -> None:
    assert typed(PREFIX, b"\x0e") == [Order.HELP, PREFIX + b"\x0e"]
    assert typed(PREFIX, b"\x1b[A") == [Order.HELP, PREFIX + b"\x1b[A"]


def test_without_a_prefix_every_key_is_the_programs() -> None:
    assert typed(PREFIX, b"d", prefix=None) == [PREFIX + b"d"]


def test_another_prefix_leaves_the_default_alone() -> None:
    assert typed(PREFIX, b"\x02", b"d", prefix=2) == [PREFIX, Order.HELP, Order.DETACH]


@pytest.mark.parametrize("cut", range(1, 25))
def test_a_paste_ends_wherever_it_is_torn(cut: int) -> None:
    """Else no key after it would be an order."""
    pasted = b"\x1b[200~a paste\x1b[201~"
    assert typed(pasted[:cut], pasted[cut:], PREFIX, b"d") == [pasted, Order.HELP, Order.DETACH]


def test_what_is_pasted_is_no_order() -> None:
    pasted = b"\x1b[200~x\x1cd\x1b[Iy\x1b[201~"
    assert typed(pasted) == [pasted]
    assert typed(pasted[:9], pasted[9:], PREFIX, b"d") == [pasted, Order.HELP, Order.DETACH]


def test_reports_are_for_programs_that_asked_for_them() -> None:
    reports = b"\x1b[I\x1b[<0;3;4M\x1b[200~text\x1b[201~\x1b[O"
    assert typed(reports) == [reports]
    assert typed(reports, modes=frozenset()) == [b"text"]


def test_half_a_report_of_the_mouse_is_kept_until_the_rest_has_come() -> None:
    assert typed(b"a\x1b[<0;3", b";4Mb") == [b"a\x1b[<0;3;4Mb"]


def test_plain_typing_is_known_for_what_it_is() -> None:
    keyboard, setting = Keyboard(0x1C), Setting(EVERYTHING, Window(0, 0, SIZE), SIZE)
    assert keyboard.is_plain(b"abc\r")
    assert not keyboard.is_plain(b"\x1b[A")
    assert not keyboard.is_plain(b"a\x1c")
    list(keyboard.receive(PREFIX, setting))
    assert not keyboard.is_plain(b"d")
