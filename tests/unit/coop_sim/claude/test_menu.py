"""A list of options and the keys it understands."""

from coop_sim.claude.answers import Allow, Deny
from coop_sim.claude.keys import ENTER, ESC, Key, Keyboard, Named, Text
from coop_sim.claude.menu import Dialog, Menu, Option, press_all

MENU = Menu(
    (" Do you want to proceed?",),
    (Option("Yes", Allow()), Option("Yes, always", Allow(mode="auto")), Option("No", Deny())),
    "Esc to cancel",
    Deny("cancelled"),
    amendable=True,
)
PLAN = Menu((), (Option("Yes", Allow()), Option("Tell", Deny(), takes_text=True)), "", Deny())


def pressed(dialog: Dialog, data: bytes, *, stale: bool = False) -> object:
    return press_all(dialog, Keyboard().receive(data), has_stale_focus=stale)[0]


def test_a_digit_answers_and_leaves_the_rest() -> None:
    keys: tuple[Key, ...] = (Text("2"), ENTER)
    assert press_all(MENU, keys, has_stale_focus=False) == (Allow(mode="auto"), (ENTER,))


def test_a_letter_does_nothing_and_enter_takes_the_highlighted() -> None:
    assert pressed(MENU, b"n") == MENU
    assert pressed(MENU, b"n\r") == Allow()


def test_there_are_no_digits_beyond_the_options_or_without_numbers() -> None:
    assert pressed(MENU, b"4") == MENU
    unnumbered = Menu(MENU.heading, MENU.options, "", Deny(), numbered=False)
    assert pressed(unnumbered, b"1") == unnumbered


def test_arrows_and_enter_in_one_write_see_the_old_focus_in_the_old_version() -> None:
    assert pressed(MENU, b"\x1b[B\x1b[B\r", stale=True) == Allow()
    assert pressed(MENU, b"\x1b[B\x1b[B\r") == Deny()


def test_tab_amends_an_answer() -> None:
    assert pressed(MENU, b"\tand more\r") == Allow(feedback="and more")
    assert pressed(MENU, b"\x1b[A\tnot so\r") == Deny("not so", ends_turn=False)


def test_an_option_that_takes_text_waits_for_it() -> None:
    typing = pressed(PLAN, b"2")
    assert isinstance(typing, Menu)
    assert pressed(typing, b"\r") == typing
    assert pressed(typing, b"else\r") == Deny("else", ends_turn=False)
    assert pressed(typing, b"else\r", stale=True) != Deny("else", ends_turn=False)


def test_escape_cancels() -> None:
    assert MENU.press(ESC) == Deny("cancelled")
    assert MENU.press(Named("ctrl+c")) == MENU


def test_it_is_drawn_with_numbers_and_the_mark() -> None:
    expected = [" Do you want to proceed?", " ❯ 1. Yes", "   2. Yes, always", "   3. No", "", " Esc to cancel"]
    assert MENU.rows(80) == expected


def test_a_long_label_goes_on_below_itself() -> None:
    assert MENU.rows(12)[2:4] == ["   2. Yes,", "      always"]
