"""A command that is taller than the screen, as recorded of the real one."""

import pytest

from coop_sim.gemini.dialogs import Menu

LINES = [f"echo line{n}" for n in range(40)]


def rows(height: int, *, unsettled: int = 0, columns: int = 120) -> list[str]:
    menu = Menu(
        ["? Shell"], ["Allow execution of [Shell]?", ""], ("Allow once", "No"), boxed=LINES, height=height, unsettled=unsettled
    )
    return [row.strip("│ ") for row in menu.rows(columns, "")]


@pytest.mark.parametrize(
    ("unsettled", "first", "last"),
    [(2, "echo line22", "echo line38"), (1, "echo line14", "echo line38"), (0, "echo line15", "echo line39")],
)
def test_it_grows_and_shows_its_last_line_late(unsettled: int, first: str, last: str) -> None:
    drawn = rows(38, unsettled=unsettled)
    shown = [row for row in drawn if row.startswith("echo")]
    assert (shown[0], shown[-1]) == (first, last)
    assert f"... first {first.removeprefix('echo line')} lines hidden (Ctrl+O to show) ..." in drawn


def test_a_narrow_one_says_it_in_short() -> None:
    assert "... 29 hidden (Ctrl+O) ..." in rows(24, columns=80)


def test_what_has_room_is_shown_whole_at_once() -> None:
    assert rows(60) == rows(60, unsettled=2)
    assert all(line in rows(60) for line in LINES)
