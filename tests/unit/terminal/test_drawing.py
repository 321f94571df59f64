from hypothesis import given
from hypothesis import strategies as st

from coop.model.screen import XTERM, Cursor, Size
from coop.terminal.drawing import Picture, drawn
from coop.terminal.ghostty import GhosttyScreen

SIZE = Size(20, 4)


def shown(picture: Picture, before: bytes = b"") -> GhosttyScreen:
    screen = GhosttyScreen(picture.size, XTERM, scrollback=100)
    screen.feed(before)
    screen.feed(drawn(picture))
    return screen


def test_what_scrolled_away_is_above_what_is_shown() -> None:
    screen = shown(Picture(SIZE, [b"gone", b"one", b"two", b"", b"four"], cursor=(2, 1)))
    assert screen.snapshot().lines == ("one", "two", "", "four")
    assert screen.snapshot().cursor == Cursor(2, 1)
    assert screen.scrollback(10) == ("gone",)


def test_the_main_screen_lies_beneath_the_alternate_one() -> None:
    screen = shown(Picture(SIZE, [b"editor", b"", b"", b""], beneath=[b"$ vi", b"", b"", b""], beneath_cursor=(1, 0)))
    assert (screen.snapshot().lines[0], screen.snapshot().alt_screen) == ("editor", True)
    screen.feed(b"\x1b[?1049l!")
    assert screen.snapshot().lines[:2] == ("$ vi", "!")


def test_colours_run_on_into_the_next_row_but_not_into_its_blanks() -> None:
    screen = shown(Picture(SIZE, [b"\x1b[44mblue", b"still", b"\x1b[0mplain", b""]))
    cells = screen.cells()
    assert [row[0].style.bg for row in cells] == [4, 4, None, None]
    assert [row[10].style.bg for row in cells] == [None, None, None, None]


def test_line_drawing_letters_are_lines_and_letters_stay_letters() -> None:
    screen = shown(Picture(SIZE, [b"\x0eqq\x0fq", b"\x0elq", b"x", b"\x0fx"]))
    assert screen.snapshot().lines == ("──q", "┌─", "│", "x")


def test_modes_title_region_and_an_unfinished_sequence_go_on() -> None:
    modes = (("?1", True), ("?25", False), ("?7", True), ("=", True))
    picture = Picture(SIZE, [b"a", b"b", b"c", b"d"], (1, 0), modes, region=(1, 2), title="work\x07\x1b", pending=b"\x1b[3")
    screen = shown(picture)
    assert (screen.snapshot().title, screen.snapshot().cursor.visible) == ("work", False)
    assert "?1" in screen.modes()
    screen.feed(b"1mR\x1b[m\x1b[3;1H\n")
    assert screen.snapshot().lines == ("a", "c", "", "d")


def test_what_nobody_tells_of_stays_as_it_was() -> None:
    screen = shown(Picture(SIZE, [b"x"] * 4), before=b"\x1b[?2004h\x1b[2;3r\x1b[?6h\x1b[41mold")
    assert screen.snapshot().lines == ("x", "x", "x", "x")
    assert "?2004" in screen.modes()
    assert screen.cells()[1][5].style.bg is None


@given(st.lists(st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126), max_size=20), min_size=4, max_size=30))
def test_any_rows_are_shown_as_they_are(rows: list[str]) -> None:
    screen = shown(Picture(SIZE, [row.encode() for row in rows]), before=b"anything\r\n" * 5)
    assert screen.snapshot().lines == tuple(rows[-4:])
    assert screen.scrollback(100) == tuple(rows[:-4])
