import re
from dataclasses import dataclass, field

import pytest

from coop.agents import UNKNOWN, Agent
from coop.agents.patterns import ScreenPatterns
from coop.agents.templates import AnswerTemplates, MessageTemplate, effect_of
from coop.model.commands import Nudge, Reason, Respond, When
from coop.model.ids import PromptId
from coop.model.prompt import Question
from coop.model.screen import Cursor, ScreenSnapshot, Size
from tests.support.typing import Pictures, Typed

PROMPT = (re.compile(r"^\$( |$)"),)
QUESTION = (re.compile(r"\?$"),)
OPTION = (re.compile(r"^(?P<key>\d)\) (?P<label>.+)$"),)
SHELL = ScreenPatterns(prompt=PROMPT, question=QUESTION, option=OPTION, at_cursor=True)
ANYWHERE = ScreenPatterns(prompt=PROMPT, question=QUESTION, option=OPTION)


def agent(patterns: ScreenPatterns) -> Agent:
    return Agent("shell", read_screen=patterns.read)


def screen(*lines: str) -> ScreenSnapshot:
    return ScreenSnapshot((*lines, "", ""), Size(40, len(lines) + 2), Cursor(len(lines) - 1, 0), False, "", 1)


@dataclass
class Shell:
    """Echoes, and has a new prompt at once; unless it is deaf to Enter, or runs something."""

    lines: list[str] = field(default_factory=lambda: ["$ "])
    hears_enter: bool = True
    runs: bool = False
    ran: list[str] = field(default_factory=list[str])

    def press(self, data: bytes) -> None:
        match data:
            case b"\r" if self.hears_enter:
                self.ran.append(self.lines[-1].removeprefix("$ "))
                self.lines.append("" if self.runs else "$ ")
            case b"\r":
                pass
            case b"\x15":
                self.lines[-1] = "$ "
            case b"\x03":
                self.lines.append("$ ")
            case _:
                self.lines[-1] += data.decode()

    @property
    def screen(self) -> ScreenSnapshot:
        return screen(*(line.rstrip() for line in self.lines))


def nudged(shell: Shell, nudge: Nudge, **template: str) -> Typed:
    script = MessageTemplate(SHELL, **template).type_nudge(nudge)  # type: ignore[arg-type]
    return Typed(script, agent(SHELL), shell)


def test_a_message_is_typed_sent_and_seen_to_be_taken() -> None:
    shell = Shell()
    typed = nudged(shell, Nudge("make test"))
    assert (typed.keys, typed.refused, typed.proven, shell.ran) == ([b"make test", b"\r"], None, "make test", ["make test"])


def test_a_message_that_is_at_work_was_taken() -> None:
    assert nudged(Shell(runs=True), Nudge("make")).proven == "make"


def test_a_message_that_still_stands_there_was_not_taken() -> None:
    typed = nudged(Shell(hears_enter=False), Nudge("make"))
    assert (typed.keys, typed.refused, typed.proven) == ([b"make", b"\r"], None, "")


def test_the_same_words_before_prove_nothing() -> None:
    typed = nudged(Shell(["$ make", "$ "], hears_enter=False), Nudge("make"))
    assert typed.proven == ""


def test_a_draft_is_kept_or_cleared() -> None:
    kept = nudged(Shell(["$ rm -rf"]), Nudge("x", keep_draft=True), clear="\x15")
    assert kept.refused is not None
    assert (kept.refused.reason, kept.keys) == (Reason.DRAFT_PRESENT, [])
    cleared = nudged(Shell(["$ rm -rf"]), Nudge("x"), clear="\x15")
    assert (cleared.keys, cleared.strokes[1].clears, cleared.proven) == ([b"\x15", b"x", b"\r"], "rm -rf", "x")
    unclearable = nudged(Shell(["$ rm -rf"]), Nudge("x"))
    assert unclearable.refused is not None
    assert (unclearable.refused.reason, unclearable.keys) == (Reason.DRAFT_PRESENT, [])


def test_what_works_is_interrupted_first_where_that_is_asked_for() -> None:
    shell = Shell(["$ sleep 9", ""])
    assert nudged(shell, Nudge("x", When.INTERRUPT), interrupt="\x03").keys == [b"\x03", b"x", b"\r"]
    busy = nudged(Shell(["$ sleep 9", ""]), Nudge("x"))
    assert busy.refused is not None
    assert (busy.refused.reason, busy.keys) == (Reason.AGENT_BUSY, [])


def test_nothing_is_typed_where_a_question_has_the_screen() -> None:
    typed = Typed(MessageTemplate(SHELL).type_nudge(Nudge("x")), agent(SHELL), Pictures([screen("$ rm", "Sure?")]))
    assert typed.refused is not None
    assert (typed.refused.reason, typed.keys) == (Reason.AGENT_BUSY, [])


def test_a_message_is_not_sent_into_a_question_that_has_come_up() -> None:
    pictures = Pictures([screen("$"), screen("$ x", "Sure?")])
    typed = Typed(MessageTemplate(ANYWHERE).type_nudge(Nudge("x")), agent(ANYWHERE), pictures)
    assert typed.refused is not None
    assert (typed.refused.reason, typed.keys) == (Reason.AGENT_BUSY, [b"x"])


ASKED = screen("Which?", "3) this", "4) that")
WHICH = Question(PromptId("p1"), "Which?", ("this", "that"))
TEMPLATES = {"option": "{}", "text": "{}\r", "accept": None, "deny": "\x1b"}


def answered(respond: Respond, *screens: ScreenSnapshot) -> Typed:
    script = AnswerTemplates(ANYWHERE, TEMPLATES).type_answer(respond, WHICH)
    return Typed(script, agent(ANYWHERE), Pictures(screens))


@pytest.mark.parametrize(
    ("respond", "typed"), [(Respond(option=2), b"4"), (Respond(text="mine"), b"mine\r"), (Respond(accept=False), b"\x1b")]
)
def test_an_answer_is_typed_as_its_template_says(respond: Respond, typed: bytes) -> None:
    assert answered(respond, ASKED).keys == [typed]


def test_of_equal_labels_the_one_of_that_number_is_chosen() -> None:
    prompt = Question(PromptId("p1"), "Which?", ("No", "Yes", "Yes"))
    script = AnswerTemplates(ANYWHERE, TEMPLATES).type_answer(Respond(option=3), prompt)
    assert Typed(script, agent(ANYWHERE), Pictures([screen("Which?", "1) No", "2) Yes", "3) Yes")])).keys == [b"3"]


@pytest.mark.parametrize(
    "other", [screen("$"), screen("Really?", "3) this", "4) that"), screen("Which?", "3) that", "4) this"), screen("Which?")]
)
def test_nothing_is_typed_into_another_dialog(other: ScreenSnapshot) -> None:
    typed = answered(Respond(option=1), other)
    assert typed.refused is not None
    assert (typed.refused.reason, typed.keys) == (Reason.PROMPT_CHANGED, [])


def test_an_answer_says_what_it_does() -> None:
    effects = [effect_of(each, WHICH) for each in (Respond(accept=True), Respond(accept=False), Respond(option=1))]
    assert effects == ["accepted", "denied", "answered"]


def test_the_unknown_agent_itself_is_never_typed_for() -> None:
    assert (UNKNOWN.type_nudge, UNKNOWN.type_answer) == (None, None)
