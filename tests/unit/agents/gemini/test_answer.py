from collections.abc import Sequence

import pytest

from coop.agents.gemini.answer import effect_of
from coop.errors import BadRequest
from coop.model.commands import Answer, Reason, Respond
from coop.model.ids import PromptId
from coop.model.prompt import Permission, Plan, Prompt, Question, Setup
from coop.model.screen import ScreenSnapshot
from coop.model.state import Prompted
from tests.unit.agents.claude.keyboard import Pages, Typed
from tests.unit.agents.gemini.screens import GEMINI, PLAN, REVIEW, TRUST, box, composer, question, read, shell, writing

P = PromptId("p1")
AFTER = composer()


def prompt_on(screen: ScreenSnapshot) -> Prompt:
    says = read(screen).says
    assert says is not None
    assert isinstance(says.claim, Prompted)
    found = says.claim.prompt
    match found:
        case Permission():
            return Permission(P, found.tool, found.input, found.options, found.screen_lines)
        case Plan():
            return Plan(P, found.text, found.file, found.options, found.screen_lines)
        case Setup():
            return Setup(P, found.subtype, found.text, found.options, found.screen_lines)
        case Question():
            return Question(P, found.text, found.options, found.screen_lines, found.queries, found.subtype)


def typed(
    respond: Respond,
    *pages: tuple[ScreenSnapshot, bytes | None],
    prompt: Prompt | None = None,
    version: str = "0.61.0",
) -> Typed:
    assert GEMINI.type_answer is not None
    script = GEMINI.type_answer(respond, prompt or prompt_on(pages[0][0]))
    return Typed(script, Pages(*pages, (AFTER, None)), version=version, read=read)


@pytest.mark.parametrize(
    ("screen", "respond", "key"),
    [
        (shell(), Respond(accept=True), b"1"),
        (shell(), Respond(accept=True, always=True), b"2"),
        (shell(), Respond(accept=False), b"\x1b"),
        (shell(), Respond(option=3), b"3"),
        (writing(), Respond(accept=True), b"1"),
        (writing(), Respond(accept=False), b"\x1b"),
        (writing(), Respond(option=4), b"4"),
        (PLAN, Respond(accept=True), b"2"),
        (PLAN, Respond(accept=True, always=True), b"1"),
        (PLAN, Respond(accept=False), b"\x1b"),
        (TRUST, Respond(accept=True), b"1"),
        (TRUST, Respond(accept=False), b"3"),
        (question(), Respond(option=2), b"2"),
        (question(), Respond(accept=False), b"\x1b"),
        (REVIEW, Respond(accept=True), b"\r"),
    ],
)
def test_an_answer_is_one_key(screen: ScreenSnapshot, respond: Respond, key: bytes) -> None:
    done = typed(respond, (screen, key))
    assert done.refused is None
    assert done.keys == [key]


@pytest.mark.parametrize(
    ("screen", "respond", "says"),
    [
        (writing(), Respond(option=3), "would open an editor"),
        (shell(), Respond(accept=False, text="no"), "send the words as a message"),
        (shell(), Respond(option=4), "expected 1 to 3, got 4"),
        (shell(), Respond(answers=(Answer((1,)),)), "only a question takes them"),
        (question(), Respond(accept=True), "got 0"),
        (question(), Respond(option=3), "expected 1 to 2"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_before_anything_is_typed(
    screen: ScreenSnapshot, respond: Respond, says: str
) -> None:
    with pytest.raises(BadRequest) as told:
        typed(respond, (screen, None))
    assert says in told.value.message


def test_nothing_is_typed_until_the_dialog_is_drawn() -> None:
    assert GEMINI.type_answer is not None
    script = GEMINI.type_answer(Respond(accept=True), prompt_on(shell()))
    done = Typed(script, Pages((AFTER, None)), version="0.61.0", read=read)
    assert done.keys == []
    assert done.refused is not None


def test_another_dialog_is_not_answered() -> None:
    elsewhere = Permission(PromptId("p9"), "run_shell_command", {"command": "other"})
    done = typed(Respond(accept=True), (shell(), None), prompt=elsewhere)
    assert done.keys == []
    assert done.refused is not None
    assert done.refused.reason is Reason.PROMPT_CHANGED


def test_a_dialog_without_the_option_is_not_answered() -> None:
    screen = box("? Shell  x", "Allow execution of [Shell]?", "● 1. Allow twice", "  2. No, suggest changes (esc)")
    done = typed(Respond(accept=True), (screen, None))
    assert done.keys == []
    assert done.refused is not None
    assert done.refused.reason is Reason.DIALOG_UNRECOGNIZED


OTHERWISE = box("? Shell  x", "Allow execution of [Shell]?", "● 1. Allow once", "  2. No, stop (esc)")


@pytest.mark.parametrize(
    ("screen", "respond", "key"),
    [
        (shell(), Respond(accept=True), b"1"),
        (shell(), Respond(accept=True, always=True), b"2"),
        (shell(), Respond(accept=False), b"\x1b"),
        (PLAN, Respond(accept=False), b"\x1b"),
        (OTHERWISE, Respond(accept=True), b"1"),
        (OTHERWISE, Respond(accept=True, always=True), None),
        (OTHERWISE, Respond(accept=False), None),
        (question(), Respond(accept=False), None),
    ],
)
def test_in_a_release_we_have_not_seen_only_exact_labels_count(
    screen: ScreenSnapshot, respond: Respond, key: bytes | None
) -> None:
    done = typed(respond, (screen, key), version="9.9.9")
    assert done.keys == ([] if key is None else [key])
    assert (done.refused.reason if done.refused else None) == (Reason.DIALOG_UNRECOGNIZED if key is None else None)


def test_an_unknown_dialog_is_not_denied() -> None:
    screen = box("? Moon  x", "Shall it be moved?", "● 1. Aye", "  2. Nay")
    done = typed(Respond(accept=False), (screen, None), prompt=Permission(P, "move", {}, ("Aye", "Nay")))
    assert done.keys == []
    assert done.refused is not None
    assert done.refused.reason is Reason.DIALOG_UNRECOGNIZED


def test_a_plan_is_sent_back_with_words() -> None:
    done = typed(Respond(accept=False, text="shorter"), (PLAN, b"3"), (PLAN, b"\r"))
    assert done.keys == [b"3", b"\x1b[200~shorter\x1b[201~", b"\r"]


def test_words_of_ones_own_are_typed_at_the_end_of_the_list() -> None:
    pages = ((question(marked=1), b"\x1b[B"), (question(marked=2), b"\x1b[B"), (question(marked=3), b"\r"))
    done = typed(Respond(text="Redis"), *pages)
    assert done.keys == [b"\x1b[B", b"\x1b[B", b"\x1b[200~Redis\x1b[201~", b"\r"]


def test_several_pages_are_answered_and_the_review_is_submitted() -> None:
    first, second = question(), question(text="Which language?", labels=("Python", "Go"))
    both = prompt_on(first), prompt_on(second)
    assert isinstance(both[0], Question)
    assert isinstance(both[1], Question)
    together = Question(P, both[0].text, both[0].options, queries=(*both[0].queries, *both[1].queries))
    given = Respond(answers=(Answer((2,)), Answer(("Python",))))
    done = typed(given, (first, b"2"), (second, b"1"), (REVIEW, b"\r"), prompt=together)
    assert done.refused is None
    assert done.keys == [b"2", b"1", b"\r"]


@pytest.mark.parametrize("order", [1, -1])
def test_a_page_that_quotes_another_is_told_from_it(order: int) -> None:
    texts = ("Which to use", "Which to use in tests?")[::order]
    first, second = (question(text=text) for text in texts)
    both = prompt_on(first), prompt_on(second)
    assert isinstance(both[0], Question)
    assert isinstance(both[1], Question)
    together = Question(P, both[0].text, both[0].options, queries=(*both[0].queries, *both[1].queries))
    given = Respond(answers=(Answer((2,)), Answer((1,))))
    done = typed(given, (first, b"2"), (second, b"1"), (REVIEW, b"\r"), prompt=together)
    assert (done.keys, done.refused) == ([b"2", b"1", b"\r"], None)


def ticking(marked: str, ticked: Sequence[str] = ()) -> ScreenSnapshot:
    options = [
        f"{'●' if name == marked else ' '} {n}. [{'x' if name in ticked else ' '}] {name}"
        for n, name in enumerate(("Auth", "Search"), 1)
    ]
    done = f"{'●' if marked == 'Done' else ' '}  Done"
    return box("Answer Questions", "", "Which ones?", "(Select all that apply)", "", *options, done, "", "Enter to select")


def test_boxes_are_ticked_under_the_highlight() -> None:
    pages = (
        (ticking("Auth"), b"\x1b[B"),
        (ticking("Search"), b"\r"),
        (ticking("Search", ("Search",)), b"\x1b[B"),
        (ticking("Done", ("Search",)), b"\r"),
    )
    done = typed(Respond(answers=(Answer(("Search",)),)), *pages)
    assert done.refused is None
    assert done.keys == [b"\x1b[B", b"\r", b"\x1b[B", b"\r"]


def test_a_box_that_somebody_else_has_ticked_is_unticked() -> None:
    pages = (
        (ticking("Auth", ("Auth",)), b"\r"),
        (ticking("Auth"), b"\x1b[B"),
        (ticking("Search"), b"\r"),
        (ticking("Search", ("Search",)), b"\x1b[B"),
        (ticking("Done", ("Search",)), b"\r"),
    )
    done = typed(Respond(answers=(Answer(("Search",)),)), *pages)
    assert done.refused is None
    assert done.keys == [b"\r", b"\x1b[B", b"\r", b"\x1b[B", b"\r"]


@pytest.mark.parametrize(
    ("respond", "screen", "effect"),
    [
        (Respond(accept=True), shell(), "accepted"),
        (Respond(accept=False), shell(), "denied"),
        (Respond(option=3), shell(), "denied"),
        (Respond(option=1), shell(), "accepted"),
        (Respond(accept=False, text="shorter"), PLAN, "feedback"),
        (Respond(text="shorter"), PLAN, "feedback"),
        (Respond(option=1), question(), "answered"),
        (Respond(accept=False), question(), "denied"),
        (Respond(option=3), TRUST, "denied"),
    ],
)
def test_what_an_answer_does_is_told(respond: Respond, screen: ScreenSnapshot, effect: str) -> None:
    assert effect_of(respond, prompt_on(screen)) == effect
