"""The AskUserQuestion dialog: questions one after the other, then a page to review them."""

from dataclasses import dataclass, replace
from itertools import zip_longest

from coop_sim.cells import wrap
from coop_sim.claude.answers import Answer, Answered, Deny
from coop_sim.claude.keys import Key, Named, Paste, Text
from coop_sim.claude.question import Question

DECLINED = Deny()
_LIST, _BOX = 34, 42
"""How wide the list is beside a preview, and the box with it."""
NOTHING_TYPED = "__other__"
"""What 2.1.197 answers when Enter overtakes the text."""


@dataclass(frozen=True, slots=True)
class Questions:
    """`at` is the question shown; after the last one comes the review."""

    questions: tuple[Question, ...]
    answers: tuple[tuple[str, ...], ...] = ()
    at: int = 0
    focus: int = 0
    typed: str | None = None

    def __post_init__(self) -> None:
        if not self.answers:
            object.__setattr__(self, "answers", ((),) * len(self.questions))

    @property
    def has_review(self) -> bool:
        return len(self.questions) > 1 or any(question.is_multiple for question in self.questions)

    def press(self, key: Key) -> "Questions | Answer":
        if key == Named("esc"):
            return DECLINED
        if self.at == len(self.questions):
            return self._review(key)
        if self._is_typing() and isinstance(key, Text | Paste):
            return replace(self, typed=(self.typed or "") + key.text)
        return self._navigate(key)

    def _is_typing(self) -> bool:
        return self.focus == self.questions[self.at].other and (self.typed is not None or self.questions[self.at].is_multiple)

    def _navigate(self, key: Key) -> "Questions | Answer":
        match key:
            case Text(digit) if digit in "123456789":
                return self._digit(int(digit) - 1)
            case Named("up" | "down" as direction):
                return self._moved(1 if direction == "down" else -1)
            case Named("newline") if self.typed is not None:
                return replace(self, typed=self.typed + "\n")
            case Named("backspace") if self.typed:
                return replace(self, typed=self.typed[:-1])
            case Named("tab" | "right") if self.has_review:
                return self._to(self.at + 1)
            case Named("shift+tab" | "left") if self.at:
                return self._to(self.at - 1)
            case Named("enter"):
                return self._entered()
            case _:
                return self

    def _moved(self, step: int) -> "Questions":
        question = self.questions[self.at]
        rows = question.chat + (2 if question.is_multiple else 1)
        return replace(self, focus=(self.focus + step) % rows)

    def _to(self, at: int) -> "Questions":
        kept = self._kept() if self.at < len(self.questions) and self.questions[self.at].is_multiple else self
        return replace(kept, at=min(at, len(self.questions)), focus=0, typed=None)

    def _kept(self) -> "Questions":
        """What was typed for Other, as one more of the chosen."""
        return self._answered((*self.answers[self.at], self.typed)) if self.typed else self

    def _answered(self, chosen: tuple[str, ...]) -> "Questions":
        return replace(self, answers=(*self.answers[: self.at], chosen, *self.answers[self.at + 1 :]))

    def _digit(self, index: int) -> "Questions | Answer":
        question = self.questions[self.at]
        if question.is_multiple:
            return self._toggled(index) if index < question.other else self
        if question.previews:
            return replace(self, focus=index) if index < question.other else self
        if index == question.other:
            return replace(self, focus=index, typed="")
        return self._picked(index) if index <= question.other + 1 else self

    def _toggled(self, index: int) -> "Questions":
        label, chosen = self.questions[self.at].options[index][0], self.answers[self.at]
        return self._answered(tuple(one for one in chosen if one != label) if label in chosen else (*chosen, label))

    def _picked(self, index: int) -> "Questions | Answer":
        question = self.questions[self.at]
        if index >= question.chat:
            return Deny("The user wants to chat about this instead of answering.", ends_turn=False)
        if index < question.other:
            return self._advanced(question.options[index][0])
        return self._advanced(self.typed or NOTHING_TYPED)

    def _advanced(self, answer: str) -> "Questions | Answer":
        answered = self._answered((answer,))
        return replace(answered, at=self.at + 1, focus=0, typed=None) if self.has_review else answered.submitted()

    def _entered(self) -> "Questions | Answer":
        question = self.questions[self.at]
        if not question.is_multiple:
            return self._picked(self.focus)
        if self.focus < question.other:
            return self._toggled(self.focus)
        # Below the text to type is the row "Submit", which leads on.
        return self._to(self.at + 1) if self.focus == question.other + 1 else self

    def _review(self, key: Key) -> "Questions | Answer":
        match key:
            case Text("1"):
                return self.submitted()
            case Text("2"):
                return DECLINED
            case Named("up" | "down"):
                return replace(self, focus=1 - self.focus)
            case Named("enter"):
                return DECLINED if self.focus else self.submitted()
            case Named("left" | "shift+tab"):
                return self._to(len(self.questions) - 1)
            case _:
                return self

    def submitted(self) -> Answered:
        pairs = zip(self.questions, self.answers, strict=True)
        answered = [(question, ", ".join(chosen)) for question, chosen in pairs if chosen]
        previews = {question.text: preview for question, answer in answered if (preview := question.preview(answer))}
        return Answered({question.text: answer for question, answer in answered}, previews)

    def rows(self, columns: int) -> list[str]:
        rule = "─" * columns
        if self.at == len(self.questions):
            return ["", rule, self._tabs(), "", *self._review_rows()]
        question = self.questions[self.at]
        body = wrap(question.text, columns)
        hints = "Enter to select · Tab/Arrow keys to navigate · Esc to cancel"
        if len(self.questions) == 1:
            hints = "Enter to select · ↑/↓ to navigate · Esc to cancel"
        if question.previews:
            hints = "Enter to select · ↑/↓ to navigate · n to add notes · Esc to cancel"
        return [rule, self._tabs(), "", *body, "", *self._option_rows(question), rule, self._chat(question), "", hints]

    def _tabs(self) -> str:
        boxes = [f"{'☒' if chosen else '☐'} {one.header}" for one, chosen in zip(self.questions, self.answers, strict=True)]
        return "←  " + "  ".join([*boxes, "✔ Submit"]) + "  →" if self.has_review else f" {boxes[0]}"

    def _option_rows(self, question: Question) -> list[str]:
        if question.previews:
            return self._beside_preview(question)
        rows: list[str] = []
        for index, (label, description) in enumerate(question.options):
            rows.append(f"{self._mark(index)}{index + 1}. {self._box(question, label)}{label}")
            rows.append(("  " if question.is_multiple else "     ") + description)
        placeholder = "Type something" if question.is_multiple else "Type something."
        box = ("[✔] " if self.typed else "[ ] ") if question.is_multiple else ""
        rows.append(f"{self._mark(question.other)}{question.other + 1}. {box}{self.typed or placeholder}")
        return [*rows, f"{self._mark(question.other + 1)}   Submit"] if question.is_multiple else rows

    def _beside_preview(self, question: Question) -> list[str]:
        """A picture of the option under the highlight, in a box beside them all."""
        labels = [f"{self._mark(index)}{index + 1}. {label}" for index, (label, _) in enumerate(question.options)]
        lines = question.previews[min(self.focus, question.other - 1)].split("\n")
        box = ["┌" + "─" * _BOX + "┐", *(f"│ {line:<{_BOX - 2}} │" for line in lines), "└" + "─" * _BOX + "┘"]
        pairs = zip_longest(labels, [*box, "", "Notes: press n to add notes"], fillvalue="")
        return [f"{label:<{_LIST}}{beside}".rstrip() for label, beside in pairs]

    def _mark(self, index: int) -> str:
        return "❯ " if index == self.focus else "  "

    def _box(self, question: Question, label: str) -> str:
        return ("[✔] " if label in self.answers[self.at] else "[ ] ") if question.is_multiple else ""

    def _chat(self, question: Question) -> str:
        index = question.chat + (1 if question.is_multiple else 0)
        number = "" if question.previews else f"{question.other + 2}. "
        return f"{self._mark(index)}{number}Chat about this"

    def _review_rows(self) -> list[str]:
        rows = ["Review your answers", ""]
        for question, chosen in zip(self.questions, self.answers, strict=True):
            rows += [f" ● {question.text}", *([f"   → {', '.join(chosen)}"] if chosen else [])]
        return [
            *rows,
            "",
            "Ready to submit your answers?",
            "",
            f"{self._mark(0)}1. Submit answers",
            f"{self._mark(1)}2. Cancel",
        ]
