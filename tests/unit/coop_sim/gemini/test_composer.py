"""What Enter makes of what is typed."""

from pathlib import Path

import pytest

from coop_sim.gemini.composer import Composer
from coop_sim.gemini.keys import Keyboard


def typed(*writes: bytes) -> Composer:
    """Each a second after the one before."""
    composer, keyboard = Composer(), Keyboard()
    for second, data in enumerate(writes):
        for key in keyboard.receive(data):
            composer = composer.press(key, float(second))
    return composer


def test_an_enter_is_a_new_line_until_a_moment_after_a_key_or_a_paste(tmp_path: Path) -> None:
    assert typed(b"a").entered(tmp_path, 0.02) == Composer("a\n", hears_enter_from=0.03)
    assert typed(b"a").entered(tmp_path, 0.05) is None
    pasted = typed(b"\x1b[200~a\x1b[201~")
    assert pasted.entered(tmp_path, 0.05) is not None
    assert pasted.entered(tmp_path, 0.11) is None


@pytest.mark.parametrize(("text", "becomes"), [("/cl", "/clear "), ("look at @", "look at @codebase_investigator ")])
def test_what_can_be_completed_is_before_it_is_sent(tmp_path: Path, text: str, becomes: str) -> None:
    entered = Composer(text).entered(tmp_path, 1.0)
    assert entered is not None
    assert entered.text == becomes


@pytest.mark.parametrize("text", ["/clear", "/unknown words", "look at @nobody", "look at @ ", "\\/clear"])
def test_all_else_is_sent(tmp_path: Path, text: str) -> None:
    assert Composer(text).entered(tmp_path, 1.0) is None


def test_an_enter_behind_a_backslash_is_a_new_line(tmp_path: Path) -> None:
    assert Composer("one\\").entered(tmp_path, 1.0) == Composer("one\n")


def test_a_pasted_tab_is_four_blanks() -> None:
    assert typed(b"\x1b[200~a\tb\x1b[201~").text == "a    b"


def test_a_typed_bang_asks_for_a_command_and_a_pasted_one_is_text() -> None:
    assert typed(b"!").runs_shell
    assert not typed(b"\x1b[200~!ls\x1b[201~").runs_shell


def test_a_line_is_cleared_and_lines_are_joined() -> None:
    assert typed(b"\x1b[200~one\ntwo\x1b[201~", b"\x15").text == "one\n"
    assert typed(b"\x1b[200~one\ntwo\x1b[201~", b"\x15", b"\x15").text == "one\n"
    assert typed(b"\x1b[200~one\ntwo\x1b[201~", b"\x15", b"\x7f", b"\x15").text == ""


def test_a_long_paste_is_folded() -> None:
    assert typed(b"\x1b[200~" + b"x" * 600 + b"\x1b[201~").rows(120) == [" > [Pasted Text: 600 chars]"]
    assert typed(b"\x1b[200~" + b"x\n" * 29 + b"x\x1b[201~").rows(120) == [" > [Pasted Text: 30 lines]"]
