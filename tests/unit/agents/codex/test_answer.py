from collections.abc import Sequence

import pytest

from coop.errors import BadRequest
from coop.model.commands import Answer, Reason, Respond
from coop.model.ids import PromptId
from coop.model.prompt import Choice, Permission, Plan, Prompt, Query, Question, Setup
from coop.model.screen import Cursor, ScreenSnapshot
from tests.unit.agents.claude.keyboard import Menu, Pages, Typed
from tests.unit.agents.claude.keyboard import Terminal as Keyboard
from tests.unit.agents.codex.screens import CODEX, VERSION, composer, drawn, exec_dialog, options, question_page, read

ID = PromptId("p1")
BASH = Permission(ID, "Bash", {"command": "touch made"}, options=("Yes, proceed (y)", "Yes, and…", "No, and…"))
DATABASES = Query("Which database?", (Choice("PostgreSQL"), Choice("SQLite")))
LANGUAGES = Query("Which language?", (Choice("Python"), Choice("Go")))
ONE = Question(ID, DATABASES.text, ("PostgreSQL", "SQLite"), queries=(DATABASES,))
TWO = Question(ID, DATABASES.text, ("PostgreSQL", "SQLite"), queries=(DATABASES, LANGUAGES))
ENTER, TAB, ESCAPE, DOWN = b"\r", b"\t", b"\x1b", b"\x1b[B"


def typed(respond: Respond, prompt: Prompt, terminal: Keyboard, *, version: str = VERSION) -> Typed:
    assert CODEX.type_answer is not None
    return Typed(CODEX.type_answer(respond, prompt), terminal, version=version, read=read)


@pytest.mark.parametrize(
    ("respond", "key"),
    [
        (Respond(accept=True), b"1"),
        (Respond(accept=True, always=True), b"2"),
        (Respond(accept=False), b"3"),
        (Respond(option=1), b"1"),
    ],
)
def test_a_permission_takes_one_key_and_no_more(respond: Respond, key: bytes) -> None:
    terminal = Pages((exec_dialog("touch made"), key), (exec_dialog("touch other"), None))
    assert typed(respond, BASH, terminal).keys == [key]
    assert terminal.is_at_end


def test_the_digit_is_that_of_the_label_wherever_it_stands() -> None:
    labels = ("No, and tell Codex what to do differently (esc)", "Yes, proceed (y)")
    screen = drawn("  Would you like to run the following command?", "", "  $ touch made", "", *options(*labels))
    assert typed(Respond(accept=True), BASH, Pages((screen, None))).keys == [b"2"]


def test_in_a_release_we_have_not_seen_only_exact_labels_count() -> None:
    result = typed(Respond(accept=True, always=True), BASH, Pages((exec_dialog("touch made"), None)), version="9.9")
    assert result.refused is not None
    assert (result.refused.reason, result.keys) == (Reason.DIALOG_UNRECOGNIZED, [])
    assert typed(Respond(accept=True), BASH, Pages((exec_dialog("touch made"), None)), version="9.9").keys == [b"1"]


def test_a_dialog_that_never_comes_is_told() -> None:
    result = typed(Respond(accept=True), BASH, Pages((composer(), None)))
    assert result.refused is not None
    assert (result.refused.reason, result.keys) == (Reason.DIALOG_UNRECOGNIZED, [])


def test_an_answer_is_not_typed_into_anothers_dialog() -> None:
    result = typed(Respond(accept=True), Permission(PromptId("p7"), "Bash"), Pages((exec_dialog("touch made"), None)))
    assert result.refused is not None
    assert (result.refused.reason, result.keys) == (Reason.PROMPT_CHANGED, [])


def test_words_that_go_with_a_denial_are_a_message_once_the_input_is_free() -> None:
    pasted = b"\x1b[200~use another\x1b[201~"
    terminal = Pages(
        (exec_dialog("touch made"), b"3"), (composer(), pasted), (composer("use another"), ENTER), (composer(), None)
    )
    assert typed(Respond(accept=False, text="use another"), BASH, terminal).keys == [b"3", pasted, ENTER]


def test_words_do_not_go_over_somebodys_draft() -> None:
    terminal = Pages((exec_dialog("touch made"), b"3"), (composer("a draft"), None))
    result = typed(Respond(accept=False, text="use another"), BASH, terminal)
    assert result.refused is not None
    assert (result.refused.reason, result.keys) == (Reason.UNVERIFIED, [b"3"])


def trust(labels: Sequence[str], at: int) -> ScreenSnapshot:
    return drawn(
        "  Folder access", "  Trust this folder?", "", *options(*labels, marked=at + 1), "", "  enter continue · esc quit"
    )


@pytest.mark.parametrize(("accept", "label"), [(True, "Trust and continue"), (False, "Quit")])
def test_in_a_startup_dialog_the_highlight_is_brought_there_first(label: str, *, accept: bool) -> None:
    menu = Menu(("Trust and continue", "Quit"), trust)
    setup = Setup(ID, "trust", "", ("Trust and continue", "Quit"))
    assert typed(Respond(accept=accept), setup, menu).keys == ([ENTER] if accept else [DOWN, ENTER])
    assert menu.chosen == label


def test_a_plan_is_chosen_by_its_digit() -> None:
    labels = ("Yes, implement this plan  Switch", "Yes, clear context and implement  Fresh", "No, stay in Plan mode  Go on")
    screen = drawn("  Implement this plan?", "", "", *options(*labels), "", "  enter select · esc back")
    plan = Plan(ID, "", options=("Yes, implement this plan", "Yes, clear context and implement", "No, stay in Plan mode"))
    assert typed(Respond(accept=True), plan, Pages((screen, None))).keys == [b"1"]
    assert typed(Respond(accept=False), plan, Pages((screen, None))).keys == [b"3"]


FIRST = question_page(1, 2, "Which database?", "PostgreSQL  Robust", "SQLite  Simple")
SECOND = question_page(2, 2, "Which language?", "Python  py", "Go  go")


def test_each_page_is_answered_once_it_is_there() -> None:
    terminal = Pages((FIRST, b"2"), (SECOND, b"1"), (composer(), None))
    result = typed(Respond(answers=(Answer((2,)), Answer(("Python",)))), TWO, terminal)
    assert (result.keys, result.refused) == ([b"2", b"1"], None)


@pytest.mark.parametrize("order", [1, -1])
def test_a_page_that_quotes_another_is_told_from_it(order: int) -> None:
    texts = ("Which to use", "Which to use in tests?")[::order]
    queries = tuple(Query(text, DATABASES.choices) for text in texts)
    first, second = (question_page(n, 2, text, "PostgreSQL", "SQLite") for n, text in enumerate(texts, 1))
    terminal = Pages((first, b"2"), (second, b"1"), (composer(), None))
    asked = Question(ID, texts[0], ("PostgreSQL", "SQLite"), queries=queries)
    result = typed(Respond(answers=(Answer((2,)), Answer((1,)))), asked, terminal)
    assert (result.keys, result.refused) == ([b"2", b"1"], None)


def test_a_page_that_is_not_turned_gets_no_second_key() -> None:
    result = typed(Respond(answers=(Answer((2,)), Answer((1,)))), TWO, Pages((FIRST, None)))
    assert result.refused is not None
    assert (result.refused.reason, result.keys) == (Reason.DIALOG_UNRECOGNIZED, [b"2"])


def test_words_of_ones_own_go_into_the_notes() -> None:
    labels = ("PostgreSQL", "SQLite")
    notes = drawn(
        "  Question 1/1 (1 unanswered)",
        "  Which database?",
        "",
        "  › 3. None of the above",
        "",
        "  › Add notes",
        "",
        "  tab or esc to clear notes | enter to submit answer",
        cursor=Cursor(37, 4),
    )
    pasted = b"\x1b[200~an old file\x1b[201~"
    terminal = Pages(
        (question_page(1, 1, "Which database?", *labels), DOWN),
        (question_page(1, 1, "Which database?", *labels, marked=2), DOWN),
        (question_page(1, 1, "Which database?", *labels, marked=3), TAB),
        (notes, ENTER),
        (composer(), None),
    )
    assert typed(Respond(text="an old file"), ONE, terminal).keys == [DOWN, DOWN, TAB, pasted, ENTER]


def test_in_a_release_we_have_not_seen_a_question_is_not_declined_by_a_key_that_it_does_not_name() -> None:
    page = question_page(1, 1, "Which database?", "PostgreSQL", "SQLite")
    result = typed(Respond(accept=False), ONE, Pages((page, None)), version="9.9")
    assert result.refused is not None
    assert (result.refused.reason, result.keys) == (Reason.DIALOG_UNRECOGNIZED, [])


def test_a_question_that_is_only_seen_is_never_declined_by_a_yes() -> None:
    page = question_page(1, 1, "Which database?", "PostgreSQL", "SQLite")
    result = typed(Respond(accept=True), Question(ID, DATABASES.text, ("PostgreSQL", "SQLite")), Pages((page, None)))
    assert result.refused is not None
    assert (result.refused.reason, result.keys) == (Reason.DIALOG_UNRECOGNIZED, [])


def test_a_question_is_declined_by_escape() -> None:
    terminal = Pages((question_page(1, 1, "Which database?", "PostgreSQL", "SQLite"), ESCAPE), (composer(), None))
    assert typed(Respond(accept=False), ONE, terminal).keys == [ESCAPE]


@pytest.mark.parametrize(
    ("respond", "prompt"),
    [
        (Respond(answers=(Answer((1,)),)), BASH),
        (Respond(), BASH),
        (Respond(accept=True, text="and mind the gap"), BASH),
        (Respond(option=7), ONE),
        (Respond(answers=(Answer((1,)),)), TWO),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(respond: Respond, prompt: Prompt) -> None:
    assert CODEX.type_answer is not None
    with pytest.raises(BadRequest):
        CODEX.type_answer(respond, prompt)
