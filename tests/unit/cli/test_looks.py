import click
import pytest

from coop.cli.looks import BOLD, PLAIN, age, cut, ended, fields, harmless, one_line, painted, place, state_word, table
from coop.model.state import ExitStatus


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(-1, "0s"), (0.9, "0s"), (59, "59s"), (60, "1m00s"), (187, "3m07s"), (7500, "2h05m"), (86400 * 4 + 3 * 3600, "4d03h")],
)
def test_an_age_has_two_units_at_most(seconds: float, told: str) -> None:
    assert age(seconds) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("plain\ttext\nof two lines", "plain\ttext\nof two lines"),
        ("\x1b[2Jrm -rf /\x1b[1A", "\\x1b[2Jrm -rf /\\x1b[1A"),
        ("a\rb\r\nc", "a\\rb\nc"),
        ("git \u202egnp.exe", "git \\u202egnp.exe"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("\x9b31m", "\\x9b31m"),
        ("a byte\udcff", "a byte\\udcff"),
        ("größe ❯ 漢字", "größe ❯ 漢字"),
    ],
)
def test_what_a_terminal_would_obey_is_spelled_out(text: str, told: str) -> None:
    assert harmless(text) == told


def test_text_for_a_list_is_one_line() -> None:
    assert one_line("  a\n\tb  \x07") == "a b \\x07"


def test_a_table_is_aligned_and_its_last_column_is_cut() -> None:
    rows = [[("NAME", BOLD), ("WHAT", PLAIN)], [("x", PLAIN), ("something long", PLAIN)]]
    assert [click.unstyle(line) for line in table(rows, width=None)] == ["NAME  WHAT", "x     something long"]
    assert [click.unstyle(line) for line in table(rows, width=12)] == ["NAME  WHAT", "x     somet…"]


def test_a_table_has_no_blanks_at_the_end_of_its_lines() -> None:
    assert table([[("a", PLAIN), ("", BOLD)]], width=None) == ["a"]


def test_fields_without_a_value_are_left_out() -> None:
    assert [click.unstyle(line) for line in fields([("a", "1"), ("longer", ""), ("bb", "2")])] == ["a   1", "bb  2"]
    assert fields([]) == []


def test_home_is_a_tilde() -> None:
    assert place("/home/me/work", "/home/me") == "~/work"
    assert place("/home/me", "/home/me") == "~"
    assert place("/home/meow", "/home/me") == "/home/meow"
    assert place("/work", None) == "/work"


def test_cutting_keeps_what_fits() -> None:
    assert (cut("abc", 3), cut("abcd", 3), cut("abcd", None), cut("abcd", 0)) == ("abc", "ab…", "abcd", "…")


def test_a_state_has_its_colour_and_an_unknown_one_none() -> None:
    assert state_word("error") == painted("error", {"fg": "red", "bold": True}) != "error"
    assert state_word("of_a_newer_coop") == "of_a_newer_coop"


@pytest.mark.parametrize(
    ("status", "told"),
    [(ExitStatus(7), "with code 7"), (ExitStatus(signal=9), "by signal 9"), (ExitStatus(), "")],
)
def test_an_end_is_told_as_far_as_it_is_known(status: ExitStatus, told: str) -> None:
    assert ended(status) == told
