import pytest

from coop.cli.console.mouse import translated
from coop.cli.console.rows import Window
from coop.model.screen import Size

WHOLE = Window(0, 0, Size(80, 23))
SESSION = Size(80, 23)


@pytest.mark.parametrize(
    ("modes", "report", "told"),
    [
        ({"?1000", "?1006"}, b"\x1b[<0;3;4M", b"\x1b[<0;3;4M"),
        ({"?1000", "?1006"}, b"\x1b[<0;3;4m", b"\x1b[<0;3;4m"),
        ({"?1000"}, b"\x1b[<0;3;4M", b"\x1b[M #$"),
        ({"?1000"}, b"\x1b[<2;3;4m", b"\x1b[M##$"),
        ({"?1000", "?1015"}, b"\x1b[<0;3;4M", b"\x1b[32;3;4M"),
        ({"?1000", "?1005"}, b"\x1b[<0;3;4M", b"\x1b[M #$"),
        ({"?1000", "?1016"}, b"\x1b[<0;3;4M", b"\x1b[<0;20;56M"),
        ({"?1006"}, b"\x1b[<0;3;4M", b""),
        (set[str](), b"\x1b[<0;3;4M", b""),
        ({"?1000"}, b"\x1b[<0;300;4M", b""),
    ],
)
def test_the_program_is_told_in_its_own_words(modes: set[str], report: bytes, told: bytes) -> None:
    assert translated(report, modes, WHOLE, SESSION) == told


def test_the_status_line_is_not_the_programs() -> None:
    assert translated(b"\x1b[<0;3;24M", {"?1000", "?1006"}, WHOLE, SESSION) == b""


def test_nor_is_what_lies_beyond_the_session() -> None:
    assert translated(b"\x1b[<0;41;4M", {"?1000", "?1006"}, WHOLE, Size(40, 23)) == b""


def test_a_part_of_the_session_is_counted_from_where_it_begins() -> None:
    window = Window(10, 20, Size(30, 10))
    assert translated(b"\x1b[<0;1;1M", {"?1000", "?1006"}, window, Size(80, 24)) == b"\x1b[<0;21;11M"
