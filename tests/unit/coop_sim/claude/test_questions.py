"""The AskUserQuestion dialog."""

import pytest

from coop_sim.claude.answers import Answered, Deny
from coop_sim.claude.keys import Keyboard
from coop_sim.claude.menu import Dialog, press_all
from coop_sim.claude.question import Question
from coop_sim.claude.questions import NOTHING_TYPED, Questions

DATABASE = Question("Which database?", "Database", (("PostgreSQL", "Robust"), ("SQLite", "Simple"), ("MySQL", "Common")))
LANGUAGE = Question("Which language?", "Language", (("Python", "py"), ("Go", "go")))
FEATURES = Question("Which features?", "Features", (("Auth", "a"), ("Search", "s"), ("Billing", "b")), is_multiple=True)
ONE, TWO, MANY = Questions((DATABASE,)), Questions((DATABASE, LANGUAGE)), Questions((FEATURES,))


def play(dialog: Dialog, *writes: bytes, stale: bool = False) -> object:
    for write in writes:
        after = press_all(dialog, Keyboard().receive(write), has_stale_focus=stale)[0]
        if isinstance(after, Answered | Deny):
            return after
        assert isinstance(after, Questions)
        dialog = after
    return dialog


@pytest.mark.parametrize("writes", [(b"2",), (b"2\r",), (b"\x1b[B", b"\r")])
def test_one_question_is_answered_by_its_option(writes: tuple[bytes, ...]) -> None:
    assert play(ONE, *writes) == Answered({"Which database?": "SQLite"})


LAYOUT = Question("Which layout?", "Layout", (("Wide", ""), ("Narrow", "")), previews=("[    ]", "[]"))


def test_beside_a_preview_a_digit_only_moves_the_highlight() -> None:
    moved = play(Questions((LAYOUT,)), b"2")
    assert isinstance(moved, Questions)
    assert any("❯ 2. Narrow" in row and "│ []" in row for row in moved.rows(120))
    assert play(moved, b"\r") == Answered({"Which layout?": "Narrow"}, {"Which layout?": "[]"})


def test_free_text_without_its_digit_picks_the_first() -> None:
    assert play(ONE, b"use oracle\r") == Answered({"Which database?": "PostgreSQL"})


def test_other_takes_text_that_old_versions_lose_in_one_write() -> None:
    oracle = Answered({"Which database?": "oracle"})
    assert play(ONE, b"4", b"oracle", b"\r", stale=True) == oracle
    assert play(ONE, b"4", b"oracle\r") == oracle
    assert play(ONE, b"4", b"oracle\r", stale=True) == Answered({"Which database?": NOTHING_TYPED})


@pytest.mark.parametrize("writes", [(b"2", b"1", b"\r"), (b"2", b"1", b"1"), (b"2\r", b"1\r")])
def test_two_questions_end_with_a_review(writes: tuple[bytes, ...]) -> None:
    both = Answered({"Which database?": "SQLite", "Which language?": "Python"})
    after = play(TWO, *writes)
    assert (after if isinstance(after, Answered) else play(TWO, *writes, b"\r")) == both


def test_digits_and_enters_together_are_wrong_in_the_old_version() -> None:
    after = play(TWO, b"2\r", b"1\r", stale=True)
    assert isinstance(after, Questions)
    assert after.answers[0] == ("PostgreSQL",)


@pytest.mark.parametrize("writes", [(b"1", b"3", b"\t", b"\r"), (b"1", b"3", b"\x1b[C", b"1")])
def test_several_are_toggled_and_submitted(writes: tuple[bytes, ...]) -> None:
    assert play(MANY, *writes) == Answered({"Which features?": "Auth, Billing"})


def test_enter_toggles_where_several_may_be_chosen() -> None:
    after = play(MANY, b"1", b"\r")
    assert isinstance(after, Questions)
    assert after.answers == ((),)


def test_other_of_several_is_reached_by_arrows() -> None:
    down = b"\x1b[B"
    assert play(MANY, b"1", down, down, down, b"mine", down, b"\r", b"\r") == Answered({"Which features?": "Auth, mine"})


def test_escape_declines() -> None:
    assert play(TWO, b"\x1b") == Deny()


def test_it_is_drawn_as_the_real_one() -> None:
    rows = ONE.rows(20)
    assert rows[1] == " ☐ Database"
    assert rows[5:11] == ["❯ 1. PostgreSQL", "     Robust", "  2. SQLite", "     Simple", "  3. MySQL", "     Common"]
    assert rows[11:14] == ["  4. Type something.", "─" * 20, "  5. Chat about this"]
    assert MANY.rows(20)[5] == "❯ 1. [ ] Auth"
    assert MANY.rows(20)[12:14] == ["     Submit", "─" * 20]
