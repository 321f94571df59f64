"""The dialog of `ask_user`: a page for each question, and a review where there are several."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from coop_sim.gemini.boxes import box, split
from coop_sim.gemini.dialogs import Answer, Answers, Cancelled
from coop_sim.gemini.keys import ENTER, ESC, Key, Named
from coop_sim.gemini.pages import Page, page_of
from coop_sim.shapes import Table

_REVIEW = "Enter to submit · Tab/Shift+Tab to edit answers · Esc to cancel"


@dataclass
class Questions:
    pages: Sequence[Page]
    at: int = 0
    given: dict[int, str] = field(default_factory=dict[int, str])

    @property
    def has_review(self) -> bool:
        return len(self.pages) > 1

    @property
    def is_at_review(self) -> bool:
        return self.at >= len(self.pages)

    def rows(self, columns: int, count: str) -> list[str]:
        title = [split("Answer Questions", count, columns - 4), ""]
        tabs = [self._tabs(), ""] if self.has_review else []
        if self.is_at_review:
            review = [f"{page.header} → {self.given.get(n, '(not answered)')}" for n, page in enumerate(self.pages)]
            return box([*title, *tabs, "Review your answers:", "", *review, "", _REVIEW], columns)
        page = self.pages[self.at]
        return box([*title, *tabs, *page.rows(), "", page.hint(is_one_of_many=self.has_review)], columns)

    def _tabs(self) -> str:
        named = [f"{'✓' if n in self.given else '□'} {page.header}" for n, page in enumerate(self.pages)]
        return f"← {' │ '.join([*named, '≡ Review'])} →"

    def press(self, key: Key) -> Answer | None:
        if key == ESC:
            return Cancelled()
        if self.has_review and isinstance(key, Named) and (step := _STEPS.get(key.name)):
            self.at = max(0, min(self.at + step, len(self.pages)))
            return None
        if self.is_at_review:
            return self._answers() if key == ENTER else None
        answered = self.pages[self.at].press(key)
        if answered is None:
            return None
        self.given[self.at] = answered
        self.at += 1
        return None if self.has_review else self._answers()

    def _answers(self) -> Answers:
        return Answers({str(n): answer for n, answer in sorted(self.given.items())})


_STEPS = {"left": -1, "right": 1, "tab": 1, "shift+tab": -1}


def questions_of(questions: Sequence[Table]) -> Questions:
    return Questions([page_of(each) for each in questions])
