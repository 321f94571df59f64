from collections.abc import Sequence
from dataclasses import replace

import pytest

from coop.agents import Script
from coop.agents.claude.answer import DRAWN_WITHIN, SETTLED
from coop.errors import BadRequest
from coop.model.commands import Answer, Reason, Respond
from coop.model.ids import PromptId
from coop.model.prompt import Choice, Permission, Plan, Prompt, Query, Question, Setup
from coop.model.screen import ScreenSnapshot
from coop.model.state import AgentState, Idle, Prompted
from tests.unit.agents.claude.keyboard import Menu, Pages, Typed
from tests.unit.agents.claude.screens import CLAUDE, RULE, VERSIONS, composer, dialog_screens, drawn, read

P = PromptId("p1")
BASH, EDIT = Permission(P, "Bash", {"command": "mkdir -p build"}), Permission(P, "Edit", {"file_path": "app.py"})
PLAN, TRUST = Plan(P, "Greeting plan"), Setup(P, "trust", "Accessing workspace:")
DATABASE = Query("Which database should we use?", (Choice("PostgreSQL"), Choice("SQLite"), Choice("MySQL")), "Database")
LANGUAGE = Query("Which language?", (Choice("Python"), Choice("Go")), "Language")
FEATURES = Query("Which features?", (Choice("Auth"), Choice("Search"), Choice("Billing")), "Features", takes_many=True)
BOTH = Question(P, DATABASE.text, queries=(DATABASE, LANGUAGE))
UP, DOWN, ESCAPE = b"\x1b[A", b"\x1b[B", b"\x1b"
AFTER = composer("", "● going on")


def script(respond: Respond, prompt: Prompt) -> Script:
    assert CLAUDE.type_answer is not None
    return CLAUDE.type_answer(respond, prompt)


def pasted(text: str) -> bytes:
    return b"\x1b[200~" + text.encode() + b"\x1b[201~"


def typed(respond: Respond, prompt: Prompt, *pages: tuple[ScreenSnapshot, bytes | None]) -> Typed:
    return Typed(script(respond, offered(prompt, pages[0][0])), Pages(*pages))


def offered(prompt: Prompt, screen: ScreenSnapshot) -> Prompt:
    """With the options that are drawn, as the session has them."""
    says = read(screen).says
    if prompt.options or says is None or not isinstance(says.claim, Prompted):
        return prompt
    return replace(prompt, options=says.claim.prompt.options)


def on_recorded(respond: Respond, prompt: Prompt, version: str, name: str) -> list[bytes]:
    """The keys for a recorded dialog; whatever is pressed, it stays."""
    answer = typed(respond, prompt, (dialog_screens(version, name)[0], None))
    assert answer.refused is None
    return answer.keys


# By label


@pytest.mark.parametrize(
    ("name", "prompt", "respond", "old", "new"),
    [
        ("shell-permission", BASH, Respond(accept=True), b"1", b"1"),
        ("shell-permission", BASH, Respond(accept=True, always=True), b"2", b"2"),
        ("shell-permission", BASH, Respond(option=3), b"3", b"3"),
        ("edit-permission-resize", EDIT, Respond(accept=True), b"1", b"1"),
        ("edit-permission-resize", EDIT, Respond(accept=True, always=True), b"2", b"2"),
        ("plan", PLAN, Respond(accept=True), b"2", b"2"),
        ("plan", PLAN, Respond(accept=True, always=True), b"1", b"1"),
    ],
)
def test_an_option_is_chosen_by_the_digit_before_its_label(
    name: str, prompt: Prompt, respond: Respond, old: bytes, new: bytes
) -> None:
    for version, digit in zip(VERSIONS, (old, new), strict=True):
        assert on_recorded(respond, prompt, version, name) == [digit]


@pytest.mark.parametrize(("version", "no"), [("2.1.197", 2), ("2.1.325", 3)])
def test_no_with_words_goes_by_label_as_its_place_differs(version: str, no: int) -> None:
    """The digit of 2.1.197's No is `switch to auto mode` in 2.1.325."""
    screen = dialog_screens(version, "shell-permission")[0]
    rows = [row for row in screen.lines if row.strip().startswith(("❯ 1.", "2.", "3.", "4."))]
    labels = [row.replace("❯", " ").strip().partition(". ")[2] for row in rows]

    def draw(options: object, at: int) -> ScreenSnapshot:
        body = [f" {'❯' if n == at else ' '} {n + 1}. {label}" for n, label in enumerate(labels)]
        return drawn(RULE, " Bash command", "   ls", " Do you want to proceed?", *body, " Esc to cancel")

    answer = Typed(script(Respond(accept=False, text="use mv"), BASH), Menu(labels, draw))
    assert answer.keys == [*[DOWN] * no, b"\t", pasted("use mv"), b"\r"]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("name", "prompt"), [("shell-permission", BASH), ("edit-permission-resize", EDIT), ("plan", PLAN)])
def test_a_plain_no_is_escape(version: str, name: str, prompt: Prompt) -> None:
    assert on_recorded(Respond(accept=False), prompt, version, name) == [ESCAPE]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_plan_is_sent_back_with_words(version: str) -> None:
    keys = on_recorded(Respond(accept=False, text="smaller"), PLAN, version, "plan")
    assert keys == [b"3", pasted("smaller"), b"\r"]


def test_an_option_that_is_not_there_is_refused_and_nothing_is_typed() -> None:
    answer = typed(Respond(option=9), BASH, (dialog_screens("2.1.325", "shell-permission")[0], None))
    assert answer.keys == []
    assert answer.refused is not None
    assert answer.refused.reason is Reason.DIALOG_UNRECOGNIZED
    assert any("Do you want to proceed?" in line for line in answer.refused.lines)


def test_nothing_is_typed_into_an_unknown_dialog() -> None:
    screen = drawn(RULE, " Shall the moon be moved?", " ❯ 1. Aye", "   2. Nay")
    unknown = Question(P, "Shall the moon be moved?", ("Aye", "Nay"), subtype="unrecognized")
    for respond in (Respond(option=2), Respond(accept=True), Respond(accept=False)):
        answer = typed(respond, unknown, (screen, None))
        assert answer.keys == []
        assert answer.refused is not None
        assert answer.refused.reason is Reason.DIALOG_UNRECOGNIZED


def test_nothing_is_typed_into_the_dialog_of_another_prompt() -> None:
    screen = dialog_screens("2.1.197", "shell-permission")[0]
    answer = Typed(script(Respond(accept=True), replace(BASH, id=PromptId("p9"))), Pages((screen, None), state=None))
    assert answer.keys == [b"1"]  # no hook told of it, and it looks like another now: it is the same
    other = Pages((screen, None))
    other.open = (replace(BASH, id=PromptId("p9")),)
    answer = Typed(script(Respond(accept=True), replace(BASH, id=PromptId("p9"))), other)
    assert answer.keys == []
    assert answer.refused is not None
    assert answer.refused.reason is Reason.PROMPT_CHANGED


def test_words_that_come_with_the_number_of_no_are_typed() -> None:
    labels = ("Yes", "Yes, and don't ask again", "No")
    menu = Menu(labels, lambda _, at: asked_otherwise(*labels, at=at))
    answer = Typed(script(Respond(option=3, text="use mv"), replace(BASH, options=labels)), menu)
    assert (answer.keys, menu.chosen) == ([DOWN, DOWN, b"\t", pasted("use mv"), b"\r"], "No")


# In a release we have not seen

UNTESTED = "9.9.9"


def in_untested(respond: Respond, prompt: Prompt, screen: ScreenSnapshot) -> Typed:
    return Typed(script(respond, offered(prompt, screen)), Pages((screen, None)), version=UNTESTED)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("name", "prompt", "respond", "key"),
    [
        ("shell-permission", BASH, Respond(accept=True), b"1"),
        ("shell-permission", BASH, Respond(accept=False), ESCAPE),
        ("edit-permission-resize", EDIT, Respond(accept=True), b"1"),
        ("edit-permission-resize", EDIT, Respond(accept=False), ESCAPE),
        ("plan", PLAN, Respond(accept=True), b"2"),
        ("plan", PLAN, Respond(accept=True, always=True), b"1"),
        ("plan", PLAN, Respond(accept=False), ESCAPE),
    ],
)
def test_untested_what_is_labelled_exactly_so_is_still_answered(
    version: str, name: str, prompt: Prompt, respond: Respond, key: bytes
) -> None:
    answer = in_untested(respond, prompt, dialog_screens(version, name)[0])
    assert (answer.keys, answer.refused) == ([key], None)


def asked_otherwise(*labels: str, at: int = 0) -> ScreenSnapshot:
    body = [f" {'❯' if n == at + 1 else ' '} {n}. {label}" for n, label in enumerate(labels, 1)]
    return drawn(RULE, " Bash command", "   ls", " Do you want to proceed?", *body, " Esc to cancel")


@pytest.mark.parametrize(
    ("respond", "prompt", "screen"),
    [
        (Respond(accept=True), BASH, asked_otherwise("Yes, once", "No")),
        (Respond(accept=False), BASH, asked_otherwise("Yes", "No, never")),
        (Respond(accept=False), BASH, asked_otherwise("Yes", "No, and tell Claude what to do differently (esc)")),
        (Respond(accept=False, text="use mv"), BASH, asked_otherwise("Yes", "No, never")),
        (Respond(accept=True, always=True), BASH, dialog_screens("2.1.197", "shell-permission")[0]),
        (Respond(accept=True, always=True), BASH, dialog_screens("2.1.325", "shell-permission")[0]),
        (Respond(accept=False), BOTH, dialog_screens("2.1.325", "question")[0]),
    ],
)
def test_untested_what_only_looks_alike_is_refused_and_nothing_is_typed(
    respond: Respond, prompt: Prompt, screen: ScreenSnapshot
) -> None:
    answer = in_untested(respond, prompt, screen)
    assert answer.keys == []
    assert answer.refused is not None
    assert answer.refused.reason is Reason.DIALOG_UNRECOGNIZED


def test_of_equal_labels_the_one_of_that_number_is_chosen_where_it_still_stands() -> None:
    offers = replace(BASH, options=("No", "Yes", "Yes"))
    answer = typed(Respond(option=3), offers, (asked_otherwise("No", "Yes", "Yes"), None))
    assert (answer.keys, answer.refused) == ([b"3"], None)
    moved = typed(Respond(option=3), offers, (asked_otherwise("Yes", "Yes", "No"), None))
    assert moved.refused is not None
    assert (moved.keys, moved.refused.reason) == ([], Reason.DIALOG_UNRECOGNIZED)


# Without digits


def trust(options: object, at: int) -> ScreenSnapshot:
    """The two recorded pictures of the dialog."""
    return dialog_screens("2.1.325", "trust-then-text")[at]


def test_a_dialog_without_digits_is_answered_by_arrows_and_enter() -> None:
    menu = Menu(("No, exit", "Yes, I trust this folder"), trust)
    answer = Typed(script(Respond(accept=True), TRUST), menu)
    assert answer.keys == [DOWN, b"\r"]
    assert menu.chosen == "Yes, I trust this folder"


@pytest.mark.parametrize("slow", [3, 8, 20])
def test_an_arrow_that_takes_long_to_be_seen_is_not_pressed_again(slow: int) -> None:
    """It would move the highlight on, and Enter would choose `No, exit`."""
    menu = Menu(("No, exit", "Yes, I trust this folder"), trust, slow=slow)
    answer = Typed(script(Respond(accept=True), TRUST), menu)
    while menu.chosen is None:
        assert menu.screen
    assert (answer.keys, menu.chosen) == ([DOWN, b"\r"], "Yes, I trust this folder")


@pytest.mark.parametrize("prompt", [BASH, TRUST])
def test_words_alone_are_no_answer_to_a_permission(prompt: Prompt) -> None:
    with pytest.raises(BadRequest, match="expected accept or option"):
        script(Respond(text="yes, go ahead"), prompt)


def test_answers_to_a_dialog_that_only_offers_options_are_refused() -> None:
    review = Question(PromptId("p1"), "Ready to submit?", ("Submit answers", "Cancel"), subtype="review")
    with pytest.raises(BadRequest, match="expected accept or option"):
        script(Respond(answers=(Answer((1,)),)), review)


def test_what_is_highlighted_already_needs_enter_alone() -> None:
    menu = Menu(("No, exit", "Yes, I trust this folder"), trust)
    assert Typed(script(Respond(accept=False), TRUST), menu).keys == [b"\r"]
    assert menu.chosen == "No, exit"


def test_enter_is_never_pressed_on_another_label() -> None:
    menu = Menu(("No, exit", "Yes, I trust this folder"), trust, takes_arrows=False)
    answer = Typed(script(Respond(accept=True), TRUST), menu)
    assert answer.keys == [DOWN]
    assert menu.chosen is None


def test_a_dialog_with_digits_needs_no_arrows() -> None:
    assert on_recorded(Respond(accept=True), TRUST, "2.1.197", "trust-then-text") == [b"1"]
    assert on_recorded(Respond(accept=False), TRUST, "2.1.197", "trust-then-text") == [b"2"]


# Not all of it in sight


OFFERED = ("Yes", "Yes, and always allow access to work/", "Yes, and switch to auto mode", "No")
NAMES = ("PostgreSQL", "SQLite", "MariaDB", "DuckDB")
LONG = Query("Which database should we use?", tuple(map(Choice, NAMES)), "Database")
ASKS_LONG = Question(P, LONG.text, NAMES, queries=(LONG,))


def window(options: Sequence[str], at: int) -> list[str]:
    """Two of them, as Claude draws them."""
    first = max(at - 1, 0)
    rows = [
        (n, "❯" if n == at else "↑" if n == first > 0 else "↓" if at < n < len(options) - 1 else " ")
        for n in (first, first + 1)
    ]
    return [f" {mark} {n + 1}. {options[n]}" for n, mark in rows]


def scrolled(options: Sequence[str], at: int) -> ScreenSnapshot:
    return drawn("   mkdir -p build", "", " Do you want to proceed?", *window(options, at), "", " Esc to cancel · Tab to amend")


def scrolled_question(options: Sequence[str], at: int) -> ScreenSnapshot:
    *listed, chat = options
    rows = window(listed, min(at, len(listed) - 1))
    last = f" {'❯' if at == len(listed) else ' '} {len(options)}. {chat}"
    return drawn("", LONG.text, "", *rows, "─" * 80, last, "", "Enter to select · ↑/↓ to navigate · Esc to cancel")


def test_a_list_is_scrolled_to_the_option_that_is_out_of_sight() -> None:
    prompt = replace(BASH, options=OFFERED[:2])
    assert Typed(script(Respond(accept=False, text="use mv"), prompt), Menu(OFFERED, scrolled)).keys == [
        *[DOWN] * 3,
        b"\t",
        pasted("use mv"),
        b"\r",
    ]
    assert Typed(script(Respond(accept=False), prompt), Menu(OFFERED, scrolled)).keys == [ESCAPE]
    assert Typed(script(Respond(option=2), prompt), Menu(OFFERED, scrolled)).keys == [b"2"]


@pytest.mark.parametrize(("number", "keys"), [(1, [b"1"]), (2, [b"2"]), (3, [DOWN, DOWN, b"3"]), (4, [DOWN, DOWN, DOWN, b"4"])])
def test_a_question_is_scrolled_to_its_option(number: int, keys: list[bytes]) -> None:
    menu = Menu((*NAMES, "Type something.", "Chat about this"), scrolled_question)
    assert Typed(script(Respond(option=number), ASKS_LONG), menu).keys[: len(keys)] == keys


def test_of_equal_labels_in_a_list_that_is_scrolled_the_one_of_that_number_is_chosen() -> None:
    prompt = replace(BASH, options=("No", "Yes", "Yes"))
    assert Typed(script(Respond(option=3), prompt), Menu(("No", "Yes", "Yes"), scrolled)).keys == [DOWN, DOWN, b"3"]


def test_an_option_that_is_nowhere_in_a_list_is_looked_for_once_around_it() -> None:
    answer = Typed(script(Respond(accept=False, text="no"), BASH), Menu(("Yes", "Yes, and always allow it", "Maybe"), scrolled))
    assert answer.refused is not None
    assert (answer.refused.reason, set(answer.keys)) == (Reason.DIALOG_UNRECOGNIZED, {DOWN, UP})
    assert len(answer.keys) == 6


CUT_OFF = ("     good choice here", "  2. SQLite", "  3. MariaDB", "  4. DuckDB", "  5. Type something.", "─" * 80)
KEYS_BELOW = ("  6. Chat about this", "", "Enter to select · ↑/↓ to navigate · Esc to cancel")


def test_of_a_question_that_begins_above_the_screen_what_is_in_sight_is_chosen() -> None:
    screen = drawn(*CUT_OFF, *KEYS_BELOW)
    pages = Pages((screen, b"4"), (AFTER, None), state=Prompted(ASKS_LONG))
    assert Typed(script(Respond(option=4), ASKS_LONG), pages).keys == [b"4"]
    hidden = Typed(script(Respond(option=1), ASKS_LONG), Pages((screen, None), state=Prompted(ASKS_LONG)))
    assert hidden.refused is not None
    assert (hidden.keys, hidden.refused.reason) == ([], Reason.DIALOG_UNRECOGNIZED)
    assert hidden.refused.state == Prompted(ASKS_LONG)


def test_what_begins_above_the_screen_and_lists_other_options_is_another_question() -> None:
    screen = drawn(*(row.replace("MariaDB", "Oracle") for row in CUT_OFF), *KEYS_BELOW)
    answer = Typed(script(Respond(option=4), ASKS_LONG), Pages((screen, None), state=Prompted(ASKS_LONG)))
    assert answer.refused is not None
    assert (answer.keys, answer.refused.reason) == ([], Reason.DIALOG_UNRECOGNIZED)


def test_a_question_whose_dialog_cannot_be_read_is_not_called_another() -> None:
    screen = drawn("", "  1. PostgreSQL", "     Robust")
    answer = Typed(script(Respond(option=1), ASKS_LONG), Pages((screen, None), state=Prompted(ASKS_LONG)))
    assert answer.refused is not None
    assert (answer.keys, answer.refused.reason) == ([], Reason.DIALOG_UNRECOGNIZED)


# Patience


class Late(Pages):
    """A dialog that is drawn only after some looks."""

    def __init__(self, looks: int, screen: ScreenSnapshot) -> None:
        super().__init__((screen, None))
        self._looks = looks

    @property
    def screen(self) -> ScreenSnapshot:
        self._looks -= 1
        return AFTER if self._looks >= 0 else super().screen


def test_a_dialog_is_waited_for_and_left_alone_until_it_takes_keys() -> None:
    terminal = Late(40, dialog_screens("2.1.325", "shell-permission")[0])
    answer = Typed(script(Respond(accept=True), BASH), terminal)
    assert answer.keys == [b"1"]
    before = answer.strokes[: [stroke.data for stroke in answer.strokes].index(b"1")]
    assert sum(stroke.pause for stroke in before) >= SETTLED


def test_without_a_dialog_nothing_is_typed() -> None:
    answer = typed(Respond(accept=True), BASH, (AFTER, None))
    assert answer.keys == []
    assert answer.refused is not None
    assert answer.refused.reason is Reason.DIALOG_UNRECOGNIZED
    assert DRAWN_WITHIN <= answer.now - 100.0 < DRAWN_WITHIN + 0.2


# Questions


@pytest.mark.parametrize("version", VERSIONS)
def test_questions_are_answered_page_by_page_and_submitted(version: str) -> None:
    first, second, review = dialog_screens(version, "question")
    pages = ((first, b"2"), (second, b"1"), (review, b"1"), (AFTER, None))
    answer = typed(Respond(answers=(Answer(("SQLite",)), Answer((1,)))), BOTH, *pages)
    assert answer.keys == [b"2", b"1", b"1"]
    assert answer.refused is None


def test_words_of_ones_own_go_where_something_is_typed() -> None:
    first, second, review = dialog_screens("2.1.325", "question")
    pages = ((first, b"\r"), (second, b"2"), (review, b"1"), (AFTER, None))
    answer = typed(Respond(answers=(Answer(text="DuckDB"), Answer(("Go",)))), BOTH, *pages)
    assert answer.keys == [b"4", pasted("DuckDB"), b"\r", b"2", b"1"]


def test_a_page_that_does_not_turn_is_not_submitted() -> None:
    first, _, _ = dialog_screens("2.1.325", "question")
    answer = typed(Respond(answers=(Answer((2,)), Answer((1,)))), BOTH, (first, None))
    assert b"\r" not in answer.keys
    assert set(answer.keys) == {b"2"}


def test_a_review_that_comes_too_early_is_not_submitted() -> None:
    first, _, review = dialog_screens("2.1.325", "question")
    answer = typed(Respond(answers=(Answer((2,)), Answer((1,)))), BOTH, (first, b"2"), (review, None))
    assert answer.keys == [b"2"]
    assert answer.refused is not None
    assert "not every question" in answer.refused.detail


def test_a_question_of_somebody_else_is_not_answered() -> None:
    first, _, _ = dialog_screens("2.1.325", "question")
    other = Question(P, "Which moon?", queries=(Query("Which moon?", (Choice("Io"),)),))
    answer = typed(Respond(option=1), other, (first, None))
    assert answer.keys == []
    assert answer.refused is not None
    assert answer.refused.reason is Reason.DIALOG_UNRECOGNIZED


@pytest.mark.parametrize("version", VERSIONS)
def test_questions_are_declined_with_escape(version: str) -> None:
    assert on_recorded(Respond(accept=False), BOTH, version, "question") == [ESCAPE]


def beside_a_preview(options: Sequence[str], at: int) -> ScreenSnapshot:
    rows = [f"{'❯' if n == at else ' '} {n + 1}. {label:<30}" for n, label in enumerate(options)]
    box = ("┌──────────────┐", f"│ about {options[at]:<7}│", "└──────────────┘", "Notes: press n to add notes")
    rows += [" " * len(rows[0])] * (len(box) - len(rows))
    drawn_rows = [f"{row} {right}" for row, right in zip(rows, box, strict=True)]
    hints = "Enter to select · ↑/↓ to navigate · n to add notes · Esc to cancel"
    return drawn(RULE, " ☐ Database", "", DATABASE.text, "", *drawn_rows, RULE, "  Chat about this", "", hints)


def test_beside_a_preview_the_highlight_is_brought_to_the_option_and_enter_pressed() -> None:
    """A digit would only move it."""
    menu = Menu(("PostgreSQL", "SQLite"), beside_a_preview)
    prompt = Question(P, DATABASE.text, ("PostgreSQL", "SQLite"), queries=(DATABASE,))
    assert Typed(script(Respond(option=2), prompt), menu).keys == [DOWN, b"\r"]
    assert menu.chosen == "SQLite"


def test_beside_a_preview_there_is_no_room_for_words() -> None:
    prompt = Question(P, DATABASE.text, ("PostgreSQL", "SQLite"), queries=(DATABASE,))
    answer = typed(Respond(text="Oracle"), prompt, (beside_a_preview(("PostgreSQL", "SQLite"), 0), None))
    assert answer.keys == []
    assert answer.refused is not None
    assert answer.refused.reason is Reason.DIALOG_UNRECOGNIZED


class Boxes:
    """2.1.197's page where several can be ticked, and the review behind it."""

    def __init__(self, ticked: frozenset[str] = frozenset()) -> None:
        self.ticked = set(ticked)
        self.words = ""
        self.submitted = False
        self._rows = ["Auth", "Search", "Billing", "Type something", "Submit"]
        self._at = 0
        self._page = "boxes"

    def press(self, data: bytes) -> None:
        on = self._rows[self._at]
        if self._page == "review":
            self.submitted = data == b"1"
            self._page = "gone" if self.submitted else "review"
        elif data in (UP, DOWN):
            self._at = max(0, min(len(self._rows) - 1, self._at + (1 if data == DOWN else -1)))
        elif data == b"\t" or (data == b"\r" and on == "Submit"):
            self._page = "review"
        elif data.startswith(b"\x1b[200~") and on == "Type something":
            self.words = data[6:-6].decode()
        elif data.isdigit():
            self.ticked ^= {self._rows[int(data) - 1]}
        elif data == b"\r":
            self.ticked ^= {on}

    @property
    def screen(self) -> ScreenSnapshot:
        if self._page == "gone":
            return AFTER
        if self._page == "review":
            return drawn(RULE, "Review your answers", "Ready to submit your answers?", "❯ 1. Submit answers", "  2. Cancel")
        boxes = [
            f"{'❯' if n == self._at else ' '} {n + 1}. [{'✔' if label in self.ticked else ' '}] {self.words if n == 3 and self.words else label}"
            for n, label in enumerate(self._rows[:-1])
        ]
        submit = f"{'❯' if self._at == 4 else ' '}    Submit"
        return drawn(
            RULE,
            "←  ☐ Features  ✔ Submit  →",
            "Which features?",
            *boxes,
            submit,
            RULE,
            "  5. Chat about this",
            "Enter to select",
        )

    @property
    def state(self) -> AgentState:
        return Idle()

    @property
    def is_done(self) -> bool:
        return False


MANY = Question(P, FEATURES.text, queries=(FEATURES,))


def ticked(answer: Answer, boxes: Boxes) -> Typed:
    return Typed(script(Respond(answers=(answer,)), MANY), boxes)


def test_boxes_are_ticked_and_the_page_is_turned() -> None:
    boxes = Boxes()
    assert ticked(Answer((1, "Billing")), boxes).refused is None
    assert (boxes.ticked, boxes.submitted) == ({"Auth", "Billing"}, True)


def test_a_box_that_is_ticked_already_stays_so() -> None:
    boxes = Boxes(frozenset({"Auth"}))
    ticked(Answer((1, 3)), boxes)
    assert (boxes.ticked, boxes.submitted) == ({"Auth", "Billing"}, True)


@pytest.mark.parametrize("before", [{"Search"}, {"Auth", "Search"}, {"Auth", "Search", "Billing"}])
def test_boxes_that_somebody_else_has_ticked_are_unticked(before: set[str]) -> None:
    boxes = Boxes(frozenset(before))
    answer = ticked(Answer(("Auth",)), boxes)
    assert (boxes.ticked, boxes.submitted, answer.refused) == ({"Auth"}, True, None)
    assert len(answer.keys) == len(before ^ {"Auth"}) + 2  # and the page is turned, and sent


def refused_at(boxes: Boxes, answer: Answer) -> Typed:
    result = ticked(answer, boxes)
    assert result.refused is not None
    assert result.refused.reason is Reason.DIALOG_UNRECOGNIZED
    assert not boxes.submitted
    return result


class Blank(Boxes):
    """Boxes that cannot be read."""

    @property
    def screen(self) -> ScreenSnapshot:
        return replace(super().screen, lines=tuple(row.replace("[ ] ", "").replace("[✔] ", "") for row in super().screen.lines))


def test_boxes_that_cannot_be_read_are_not_touched() -> None:
    assert refused_at(Blank(), Answer((1,))).keys == []


def test_words_that_somebody_else_has_ticked_are_not_sent_along() -> None:
    assert refused_at(Boxes(frozenset({"Type something"})), Answer((1,))).keys == []


class Stuck(Boxes):
    """One box does not do what its key says."""

    def press(self, data: bytes) -> None:
        if data != b"3":
            super().press(data)


def test_boxes_that_are_not_as_asked_are_not_sent() -> None:
    assert refused_at(Stuck(), Answer((1, 3))).keys == [b"1", b"3"]


def test_words_come_beside_the_boxes() -> None:
    boxes = Boxes()
    ticked(Answer((2,), text="Export"), boxes)
    assert (boxes.ticked, boxes.words, boxes.submitted) == ({"Search"}, "Export", True)


# Safety


@pytest.mark.parametrize("respond", [Respond(accept=False, text="a\x1b[201~\rb")])
def test_words_cannot_end_their_own_paste(respond: Respond) -> None:
    keys = on_recorded(respond, PLAN, "2.1.325", "plan")
    (paste,) = [key for key in keys if key.startswith(b"\x1b[200~")]
    assert paste.count(b"\x1b") == 2


def test_words_beside_boxes_cannot_end_their_own_paste() -> None:
    answer = ticked(Answer((1,), text="a\x1b[201~\rb"), Boxes())
    (paste,) = [key for key in answer.keys if key.startswith(b"\x1b[200~")]
    assert paste.count(b"\x1b") == 2


@pytest.mark.parametrize(
    ("respond", "prompt"),
    [
        (Respond(answers=(Answer((1,)),)), BASH),
        (Respond(answers=(Answer((1,)),)), BOTH),
        (Respond(answers=(Answer((4,)), Answer((1,)))), BOTH),
        (Respond(option=1), BOTH),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_before_anything_is_typed(respond: Respond, prompt: Prompt) -> None:
    with pytest.raises(BadRequest):
        script(respond, prompt)
