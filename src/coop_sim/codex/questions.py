"""The model's questions: one page for each, a list with one entry more, and room for words."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from coop_sim.cells import width, wrap
from coop_sim.codex.menu import Chosen
from coop_sim.keys import Key, Named, Paste, Text
from coop_sim.shapes import Table, as_list, as_table, as_text

OTHER = "None of the above"
_OTHER_BESIDE = "Optionally, add details in notes (tab)"
INTERRUPT = "interrupt"


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    text: str
    options: tuple[tuple[str, str], ...]
    """Labels with what they mean; `None of the above` is the last."""


def questions_in(given: Table) -> tuple[Question, ...]:
    return tuple(_question(as_table(each)) for each in as_list(given.get("questions")))


def _question(given: Table) -> Question:
    listed = [as_table(each) for each in as_list(given.get("options"))]
    options = [(as_text(each.get("label")), as_text(each.get("description"))) for each in listed]
    return Question(as_text(given.get("id")), as_text(given.get("question")), (*options, (OTHER, _OTHER_BESIDE)))


@dataclass(frozen=True, slots=True)
class Questions:
    questions: tuple[Question, ...]
    page: int = 0
    focus: int = 0
    notes: str | None = None
    """The words that go with the answer; `None` when nobody writes any."""
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def _shown(self) -> Question:
        return self.questions[self.page]

    def press(self, key: Key) -> "Questions | Chosen":
        if self.notes is not None:
            return self._write(key, self.notes)
        match key:
            case Text(digit) if digit in "123456789" and int(digit) <= len(self._shown.options):
                return replace(self, focus=int(digit) - 1).submitted()
            case Named("up" | "down" as way):
                return replace(self, focus=(self.focus + (1 if way == "down" else -1)) % len(self._shown.options))
            case Named("left" | "right" as way):
                return self._turned(1 if way == "right" else -1)
            case Named("tab"):
                return replace(self, notes="")
            case Named("enter"):
                return self.submitted()
            case Named("esc" | "ctrl+c"):
                return Chosen(INTERRUPT)
            case _:
                return self

    def _turned(self, step: int) -> "Questions":
        return replace(self, page=min(max(self.page + step, 0), len(self.questions) - 1), focus=0)

    def _write(self, key: Key, notes: str) -> "Questions | Chosen":
        match key:
            case Text(text) | Paste(text):
                return replace(self, notes=notes + text)
            case Named("backspace"):
                return replace(self, notes=notes[:-1])
            case Named("enter"):
                return self.submitted()
            case Named("esc" | "tab"):
                return replace(self, notes=None)
            case _:
                return self

    def submitted(self) -> "Questions | Chosen":
        label = self._shown.options[self.focus][0]
        noted = (f"user_note: {self.notes}",) if self.notes else ()
        answers = {**self.answers, self._shown.id: (label, *noted)}
        left = [n for n, each in enumerate(self.questions) if each.id not in answers]
        return replace(self, page=left[0], focus=0, notes=None, answers=answers) if left else Chosen("answered", answers)

    def rows(self, columns: int) -> tuple[list[str], tuple[int, int] | None]:
        left = sum(each.id not in self.answers for each in self.questions)
        head = f"  Question {self.page + 1}/{len(self.questions)}" + (f" ({left} unanswered)" if left else "")
        widest = max(width(label) for label, _ in self._shown.options)
        options = [row for n in range(len(self._shown.options)) for row in self._option(n, widest, columns)]
        above = [head, *wrap(self._shown.text, columns - 2, first="  ", rest="  "), "", *options]
        if self.notes is None:
            return [*above, "", f"  {self._hint(left)}", ""], None
        notes = wrap(self.notes or "Add notes", columns - 4, first="  › ", rest="    ")
        cursor = (len(above) + len(notes), 4 if not self.notes else width(notes[-1]))
        return [*above, "", *notes, "", f"  tab or esc to clear notes | {self._submits(left)}", ""], cursor

    def _option(self, index: int, widest: int, columns: int) -> list[str]:
        label, beside = self._shown.options[index]
        first = f"  {'›' if index == self.focus else ' '} {index + 1}. "
        text = label + (" " * (widest - width(label) + 2) + beside if beside else "")
        return wrap(text, columns - 2, first=first, rest=" " * len(first))

    def _hint(self, left: int) -> str:
        many = len(self.questions) > 1
        turns = ("←/→ to navigate questions",) if many else ()
        return " | ".join(("tab to add notes", self._submits(left), *turns, "esc to interrupt"))

    def _submits(self, left: int) -> str:
        return "enter to submit all" if len(self.questions) > 1 and left == 1 else "enter to submit answer"
