"""The prompt box, and what Enter makes of it."""

from pathlib import Path

import pytest

from coop_sim.claude.composer import Command, Composer, Prompt, Shell, Submission, Unknown, submission, without_invisible
from coop_sim.claude.keys import Named, Paste, Text

CURSOR = "\x1b[7m \x1b[27m"
NOWHERE = Path("/nonexistent")


def test_it_takes_text_and_gives_it_up_line_by_line() -> None:
    box = Composer().press(Text("a")).press(Named("newline")).press(Text("b"))
    assert box.text == "a\nb"
    assert box.press(Named("ctrl+u")).text == "a\n"
    assert box.press(Named("ctrl+u")).press(Named("ctrl+u")).text == "a"
    assert box.press(Named("backspace")).text == "a\n"


def test_the_cursor_goes_to_the_edges_of_its_line() -> None:
    box = Composer("one\ntwo").press(Named("home"))
    assert box.rows(80) == ["❯\u00a0one", "  \x1b[7mt\x1b[27mwo"]
    assert box.press(Text("a ")).text == "one\na two"
    assert box.press(Named("ctrl+u")).press(Named("home")).rows(80) == ["❯\u00a0\x1b[7mo\x1b[27mnetwo"]
    assert box.press(Named("end")) == Composer("one\ntwo")


def test_what_stands_behind_the_cursor_is_given_up_line_by_line() -> None:
    box = Composer("one\ntwo", behind=7)
    assert box.press(Named("ctrl+k")).rows(80) == ["❯\u00a0" + CURSOR, "  two"]
    assert box.press(Named("ctrl+k")).press(Named("ctrl+k")).text == "two"
    assert box.press(Named("ctrl+u")) == box


def test_what_comes_back_stands_above_what_is_there() -> None:
    assert Composer("mine", behind=2).over(["one", "two"]) == Composer("one\ntwo\nmine", behind=2)
    assert Composer().over(["one"]) == Composer("one")


def test_a_long_paste_is_put_before_what_stands_there() -> None:
    box = Composer("mine", behind=4).press(Paste("x" * 800))
    assert box.rows(80) == ["❯\u00a0[Pasted text #1]\x1b[7mm\x1b[27mine"]
    assert box.text == "x" * 800 + "mine"


def test_a_long_paste_is_shown_short_and_kept_whole() -> None:
    box = Composer().press(Paste("line\n" * 200))
    assert box.rows(80) == ["❯\u00a0[Pasted text #1 +200 lines]" + CURSOR]
    assert box.text == "line\n" * 200
    assert Composer().press(Paste("x" * 800)).rows(80) == ["❯\u00a0[Pasted text #1]" + CURSOR]


def test_an_empty_box_has_the_glyph_and_a_space_that_does_not_break() -> None:
    assert Composer("hi").rows(80) == ["❯\u00a0hi" + CURSOR]


def test_a_shell_command_has_its_own_glyph() -> None:
    assert Composer("!ls").rows(80) == ["!\u00a0ls" + CURSOR]


def test_what_cannot_be_seen_is_left_out() -> None:
    assert without_invisible("a\u200bb\x03\nc") == "ab\nc"


def test_enter_completes_a_command_before_it_submits() -> None:
    assert Composer("/stat").entered(NOWHERE, completes_files=True) == Composer("/status")
    assert Composer("/status").entered(NOWHERE, completes_files=True) is None


def test_enter_after_a_backslash_is_a_newline() -> None:
    assert Composer("a\\").entered(NOWHERE, completes_files=True) == Composer("a\n")


def test_enter_completes_a_file_only_in_the_old_version(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    assert Composer("see @no").entered(tmp_path, completes_files=True) == Composer("see @notes.txt ")
    assert Composer("see @no ").entered(tmp_path, completes_files=True) is None
    assert Composer("see @no").entered(tmp_path, completes_files=False) is None


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("hello ", Prompt("hello"), Prompt("hello")),
        ("!ls", Shell("ls"), Shell("ls")),
        (" !ls", Prompt(" !ls"), Prompt(" !ls")),
        ("/status", Command("/status"), Command("/status")),
        (" /status", Prompt(" /status"), Command("/status")),
        ("\u00a0/status", Prompt("\u00a0/status"), Command("/status")),
        ("//status", Prompt("//status"), Prompt("//status")),
        ("/nosuch abc", Unknown("/nosuch"), Unknown("/nosuch")),
        (" /nosuch abc", Prompt(" /nosuch abc"), Prompt(" /nosuch abc")),
        ("/tmp is a path here", Prompt("/tmp is a path here"), Prompt("/tmp is a path here")),
        ("exit", Command("/exit"), Command("/exit")),
        (" :wq ", Command("/exit"), Command("/exit")),
        ("Exit", Prompt("Exit"), Prompt("Exit")),
    ],
)
def test_only_the_first_characters_decide(text: str, old: Submission, new: Submission) -> None:
    assert submission(text, runs_command_after_space=False) == old
    assert submission(text, runs_command_after_space=True) == new
