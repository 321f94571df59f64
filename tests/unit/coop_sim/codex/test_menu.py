"""Dialogs: which key does what."""

from pathlib import Path

import pytest

from coop_sim.codex.menu import Chosen, Dialog
from coop_sim.codex.patch import Change
from coop_sim.codex.questions import Question, Questions
from coop_sim.codex.requests import command_dialog, patch_dialog
from coop_sim.codex.startup import hooks_dialog, model_dialog, trust_dialog
from coop_sim.keys import ENTER, ESC, Key, Named, Paste, Text

COMMAND, PATCH = command_dialog("ls", "Why?"), patch_dialog([Change("add", "x", ("+y",))], Path("/w"))
ONE = Question("q", "Which?", (("A", ""), ("B", ""), ("None of the above", "")))
DOWN, UP, TAB = Named("down"), Named("up"), Named("tab")


def pressed(dialog: Dialog, *keys: Key) -> str:
    """What it was answered with; empty while it is open."""
    for key in keys:
        after = dialog.press(key)
        if isinstance(after, Chosen):
            return after.name
        dialog = after
    return ""


@pytest.mark.parametrize(
    ("dialog", "keys", "name"),
    [
        (COMMAND, (Text("a"),), ""),
        (COMMAND, (Text("p"),), "always"),
        (COMMAND, (UP, ENTER), "no"),
        (PATCH, (Text("p"),), ""),
        (PATCH, (Text("a"),), "always"),
        (trust_dialog("/w"), (Text("1"), Text("y")), ""),
        (trust_dialog("/w"), (Text("2"),), "quit"),
        (hooks_dialog(1), (Text("2"),), ""),
        (hooks_dialog(1), (Text("2"), ENTER), "trust"),
        (hooks_dialog(1), (ESC,), "skip"),
        (model_dialog("M"), (ENTER,), "new"),
        (model_dialog("M"), (Text("2"),), "old"),
    ],
)
def test_keys_choose_as_measured(dialog: Dialog, keys: tuple[Key, ...], name: str) -> None:
    assert pressed(dialog, *keys) == name


def test_the_highlighted_option_is_marked_and_long_ones_are_broken() -> None:
    rows, cursor = command_dialog("a long word " * 8, "").press(DOWN).rows(60)  # type: ignore[union-attr]
    assert cursor is None
    assert rows[0] == "  Would you like to run the following command?"
    assert [row for row in rows if row.startswith("› ")] == ["› 2. Yes, and don't ask again for commands that start with"]
    assert rows[-1] == "  Press enter to confirm or esc to cancel"


@pytest.mark.parametrize(
    ("keys", "answers"),
    [
        ((Text("2"), Text("1")), {"q": ("B",), "r": ("A",)}),
        ((ENTER, DOWN, ENTER), {"q": ("A",), "r": ("B",)}),
        ((Text("1"), UP, TAB, Paste("my own"), ENTER), {"q": ("A",), "r": ("None of the above", "user_note: my own")}),
    ],
)
def test_questions_are_answered_page_by_page(keys: tuple[Key, ...], answers: dict[str, tuple[str, ...]]) -> None:
    dialog: Dialog = Questions((ONE, Question("r", "And?", ONE.options)))
    for key in keys[:-1]:
        after = dialog.press(key)
        assert not isinstance(after, Chosen)
        dialog = after
    assert dialog.press(keys[-1]) == Chosen("answered", answers)


def test_a_question_is_left_by_esc_and_notes_only_are_cleared_by_it() -> None:
    assert pressed(Questions((ONE,)), ESC) == "interrupt"
    assert pressed(Questions((ONE,)), TAB, Text("x"), ESC) == ""
    rows, cursor = Questions((ONE,), notes="hi").rows(80)
    assert rows[0] == "  Question 1/1 (1 unanswered)"
    assert cursor is not None
    assert rows[cursor[0]][: cursor[1]] == "  › hi"
