"""How wide text is, and how it is broken."""

import pytest

from coop_sim.cells import cut, width, wrap


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("挨拶", 4), ("👋", 2), ("e\u0301", 1), ("👨‍👩‍👧", 2), ("🗄️", 2)])
def test_width_is_in_columns(text: str, columns: int) -> None:
    assert width(text) == columns


def test_words_are_kept_whole_and_indents_kept() -> None:
    assert wrap("one two three", 9, first="● ", rest="  ") == ["● one two", "  three"]
    assert wrap("  indented text", 40) == ["  indented text"]
    assert wrap("a\n\nb", 10) == ["a", "", "b"]


def test_a_word_too_long_is_broken() -> None:
    assert wrap("abcdef", 4) == ["abcd", "ef"]


def test_a_wide_character_is_not_cut_in_two() -> None:
    assert cut("a挨拶", 4) == "a挨"
