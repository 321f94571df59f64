import pytest

from coop.cli.console.rows import BEYOND, Row, Window, redrawn
from coop.model.screen import PLAIN, XTERM, Run, Size, Style
from coop.terminal.ghostty import GhosttyScreen

RED = Style(fg=1)
WIDE = Run(2, "你", 2, is_odd=True)
FAMILY = Run(0, "👨‍👩‍👧", 2, is_odd=True)


def row(*runs: Run) -> Row:
    return runs


def shown(*writes: bytes, cols: int = 10) -> str:
    screen = GhosttyScreen(Size(cols, 2), XTERM)
    for data in writes:
        screen.feed(data)
    return screen.snapshot().lines[0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (row(), row(Run(0, "abc", 3))),
        (row(Run(0, "abc", 3)), row()),
        (row(Run(0, "abc", 3)), row(Run(0, "ab", 2))),
        (row(Run(0, "abc", 3)), row(Run(0, "axc", 3))),
        (row(Run(0, "ab", 2), WIDE), row(Run(0, "abcde", 5))),
        (row(Run(0, "abcde", 5)), row(Run(0, "ab", 2), WIDE, Run(4, "e", 1))),
        (row(Run(0, "0123456789", 10)), row(Run(0, "012345678", 9))),
        (row(Run(0, "012345678", 9)), row(Run(0, "0123456789", 10))),
        (row(FAMILY, Run(2, "xyz", 3)), row(FAMILY, Run(2, "xy", 2))),
        (None, row(Run(0, "abc", 3))),
    ],
)
def test_a_row_becomes_the_other_whatever_it_was(old: Row | None, new: Row) -> None:
    before = redrawn(0, None, old or (), 10)
    after = redrawn(0, old, new, 10)
    assert shown(before, after) == shown(redrawn(0, None, new, 10))
    assert shown(before, after) == "".join(run.text for run in new)


def test_nothing_is_drawn_where_nothing_changes() -> None:
    same = row(Run(0, "abc", 3, RED), WIDE._replace(col=3))
    assert redrawn(3, same, same, 10) == b""


def test_a_letter_more_is_one_letter() -> None:
    drawn = redrawn(4, row(Run(0, "abc", 3)), row(Run(0, "abcd", 4)), 10)
    assert drawn == b"\x1b[5;4Hd\x1b[0m\x1b[K"


def test_the_last_column_is_not_erased_behind_the_cursor_that_waits_there() -> None:
    assert b"\x1b[K" not in redrawn(0, None, row(Run(0, "0123456789", 10)), 10)


def test_what_follows_an_odd_character_is_put_where_it_belongs() -> None:
    drawn = redrawn(0, None, row(FAMILY, Run(2, "x", 1)), 10)
    assert b"\x1b[3Gx" in drawn


def test_styles_end_with_the_row() -> None:
    assert redrawn(0, None, row(Run(0, "x" * 10, 10, RED)), 10).endswith(b"\x1b[0m")
    assert redrawn(0, None, row(Run(0, "x", 1, RED), Run(1, "y", 1, PLAIN)), 10).endswith(b"\x1b[0m\x1b[K")


@pytest.mark.parametrize(
    ("left", "width", "expected"),
    [
        (0, 3, row(Run(0, "ab", 2), Run(2, " ", 1))),
        (3, 4, row(Run(0, " ", 1), Run(1, "cde", 3))),
        (0, 4, row(Run(0, "ab", 2), WIDE)),
        (4, 3, row(Run(0, "cde", 3))),
    ],
)
def test_half_a_wide_character_is_a_blank(left: int, width: int, expected: Row) -> None:
    whole = row(Run(0, "ab", 2), WIDE, Run(4, "cdefgh", 6))
    assert Window(0, left, Size(width, 5)).cut(whole, 10) == expected


def test_what_the_session_does_not_reach_is_filled() -> None:
    window = Window(0, 0, Size(8, 5))
    assert window.cut(row(Run(0, "ab", 2)), 5) == row(Run(0, "ab", 2), Run(2, "   ", 3), Run(5, "···", 3, BEYOND))
    assert window.outside() == row(Run(0, "········", 8, BEYOND))
