"""The pages of `ask_user`, key by key."""

from coop_sim.gemini.dialogs import Answers, Cancelled
from coop_sim.gemini.keys import Keyboard
from coop_sim.gemini.questions import Questions, questions_of
from coop_sim.shapes import Table

DATABASE: Table = {
    "question": "Which database?",
    "header": "Database",
    "type": "choice",
    "options": [{"label": "PostgreSQL", "description": "Robust"}, {"label": "SQLite", "description": "Simple"}],
}
BEGIN: Table = {"question": "Begin?", "header": "Begin", "type": "yesno"}
NAME: Table = {"question": "Its name?", "header": "Name", "type": "text", "placeholder": "heron"}
FEATURES: Table = {**DATABASE, "header": "Features", "multiSelect": True}


def pressed(dialog: Questions, *keys: bytes) -> object:
    answer: object = None
    for data in keys:
        for key in Keyboard().receive(data):
            answer = dialog.press(key)
    return answer


def test_a_digit_answers_and_the_last_one_asks_for_words() -> None:
    assert pressed(questions_of([DATABASE]), b"2") == Answers({"0": "SQLite"})
    assert pressed(questions_of([DATABASE]), b"3") is None
    assert pressed(questions_of([DATABASE]), b"3", b"Redis", b"\r") == Answers({"0": "Redis"})
    assert pressed(questions_of([DATABASE]), b"\x1b[200~Redis\x1b[201~", b"\r") == Answers({"0": "Redis"})


def test_several_are_reviewed() -> None:
    dialog = questions_of([DATABASE, BEGIN])
    assert pressed(dialog, b"\x1b[B", b"\r", b"1") is None
    assert any("Review your answers:" in row for row in dialog.rows(80, ""))
    assert pressed(dialog, b"\r") == Answers({"0": "SQLite", "1": "Yes"})


def test_ticks_are_taken_together_at_the_end() -> None:
    assert pressed(questions_of([FEATURES]), b"1", b"2", b"1", b"5", b"\r") is None
    dialog = questions_of([FEATURES])
    assert pressed(dialog, b"1", b"2", *[b"\x1b[B"] * 3, b"\r") == Answers({"0": "PostgreSQL, SQLite"})


def test_words_are_typed() -> None:
    dialog = questions_of([NAME])
    assert any("> heron" in row for row in dialog.rows(80, ""))
    assert pressed(dialog, b"\r") is None
    assert pressed(dialog, b"crane", b"\r") == Answers({"0": "crane"})


def test_escape_leaves_all_of_them() -> None:
    assert pressed(questions_of([DATABASE, BEGIN]), b"1", b"\x1b") == Cancelled()
