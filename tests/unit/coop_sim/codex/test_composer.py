"""The composer: editing, and what is sent."""

import pytest

from coop_sim.codex.composer import Command, Composer, Prompt, Shell, Submission, Unknown, submission
from coop_sim.keys import Key, Named, Paste, Text


def typed(*keys: Key) -> Composer:
    composer = Composer()
    for key in keys:
        composer = composer.press(key)
    return composer


def test_a_line_is_killed_to_its_start_and_an_empty_one_joins_the_one_above() -> None:
    composer = typed(Paste("half a thought\n\nand more"), Named("up"), Named("ctrl+u"))
    assert (composer.text, composer.at) == ("half a thought\nand more", 14)
    composer = composer.press(Named("ctrl+u"))
    assert (composer.text, composer.at) == ("\nand more", 0)
    assert composer.press(Named("ctrl+u")) == composer
    composer = composer.press(Named("ctrl+k")).press(Named("ctrl+k"))
    assert composer.is_empty


def test_the_cursor_is_where_the_next_character_goes() -> None:
    composer = typed(Paste("one\n四 two"), Named("left"), Named("left"))
    rows, cursor = composer.rows(80, 10)
    assert rows == ["› one", "  四 two"]
    assert cursor == (1, 6)
    assert typed(Paste("x" * 30)).rows(24, 10) == (["› " + "x" * 20, "  " + "x" * 10], (1, 12))
    assert typed(Paste("1\n2\n3\n4")).rows(80, 2) == (["  3", "  4"], (1, 3))


def test_a_mark_at_the_start_is_a_mode_and_not_a_character() -> None:
    shell = typed(Text("!"), Text("l"), Text("s"))
    assert (shell.text, shell.is_shell) == ("ls", True)
    assert shell.rows(80, 5)[0] == ["! ls"]
    emptied = shell.press(Named("ctrl+u"))
    assert emptied.is_shell
    assert emptied.press(Named("backspace")).is_empty


def test_a_long_paste_is_folded_and_sent_whole() -> None:
    long, other = "x" * 1001, "y" * 1001
    composer = typed(Text("a"), Paste(long), Paste(other))
    assert composer.text == "a[Pasted Content 1001 chars][Pasted Content 1001 chars] #2"
    assert submission(composer) == Prompt(f"a{long}{other}")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("  words  ", Prompt("words")),
        ("/clear", Command("/clear")),
        (" /clear", Prompt("/clear")),
        ("/tmp/x is full", Prompt("/tmp/x is full")),
        ("/nosuch thing", Unknown("/nosuch")),
        ("!ls", Shell("ls")),
        (" \u00a0\n!ls", Shell("ls")),
        ("\\!ls", Prompt("\\!ls")),
        ("?", Prompt("?")),
    ],
)
def test_only_the_beginning_decides_what_is_meant(text: str, meant: Submission) -> None:
    assert submission(typed(Paste(text))) == meant


@pytest.mark.parametrize(("text", "has_list"), [("use $x", True), ("use $x ", False), ("look at @x", False), ("a$x", False)])
def test_a_skill_at_the_end_takes_the_enter(text: str, *, has_list: bool) -> None:
    assert typed(Paste(text)).has_list() == has_list
