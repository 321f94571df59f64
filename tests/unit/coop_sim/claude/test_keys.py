"""Bytes become keys by Claude's rules."""

import pytest

from coop_sim.claude.keys import ENTER, ESC, NEWLINE, Keyboard, Named, Paste, Reply, Text


def test_a_short_write_is_typed_and_submitted() -> None:
    assert Keyboard().receive(b"hi\r") == (Text("h"), Text("i"), ENTER)


@pytest.mark.parametrize(("length", "is_paste"), [(62, False), (63, True), (200, True)])
def test_a_write_of_64_characters_is_a_paste_with_its_enter(length: int, is_paste: bool) -> None:
    keys = Keyboard().receive(b"x" * length + b"\r")
    assert (keys == (Paste("x" * length),)) is is_paste
    assert (keys[-1] == ENTER) is not is_paste


def test_characters_are_counted_not_bytes() -> None:
    assert Keyboard().receive(("字" * 30 + "\r").encode())[-1] == ENTER


def test_a_very_long_write_keeps_a_stray_newline() -> None:
    assert Keyboard().receive(b"x" * 900 + b"\r") == (Paste("x" * 900 + "\n"),)


def test_a_bracketed_paste_in_two_reads_is_one() -> None:
    keyboard = Keyboard()
    assert keyboard.receive(b"\x1b[200~one\rtw") == ()
    assert keyboard.receive(b"o\x1b[201~\r") == (Paste("one\ntwo"), ENTER)


def test_a_paste_is_made_plain() -> None:
    (key,) = Keyboard().receive("\x1b[200~a\tb\r\ne\u0301\x1b[31mred\x1b[201~".encode())
    assert key == Paste("a    b\néred")


def test_escape_and_a_letter_are_one_key_that_does_nothing() -> None:
    assert Keyboard().receive(b"\x1b\x1bhello\r") == (ESC, *(Text(letter) for letter in "ello"), ENTER)


def test_newlines_do_not_submit() -> None:
    assert Keyboard().receive(b"\n") == Keyboard().receive(b"\x1b\r") == (NEWLINE,)


@pytest.mark.parametrize(
    ("sequence", "name"),
    [(b"\x1b[A", "up"), (b"\x1bOB", "down"), (b"\x1b[C", "right"), (b"\x1b[Z", "shift+tab"), (b"\t", "tab")],
)
def test_keys_have_names(sequence: bytes, name: str) -> None:
    assert Keyboard().receive(sequence) == (Named(name),)


def test_answers_of_the_terminal_are_no_keys() -> None:
    assert Keyboard().receive(b"\x1b[?62;22c\x1b]7501;?\x07") == (Reply("\x1b[?62;22c"), Reply("\x1b]7501;?\x07"))


def test_mouse_and_focus_are_dropped() -> None:
    assert Keyboard().receive(b"\x1b[<0;3;4M\x1b[I\x1b[O") == ()


def test_what_is_typed_right_behind_an_answer_of_the_terminal_is_typed() -> None:
    assert Keyboard().receive(b"\x1b[?62;22chi\x1b[?2026;2$y") == (
        Reply("\x1b[?62;22c"),
        Text("h"),
        Text("i"),
        Reply("\x1b[?2026;2$y"),
    )
