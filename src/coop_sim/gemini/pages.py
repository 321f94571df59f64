"""One question of `ask_user`: a choice, several, yes or no, or words."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from coop_sim.gemini.dialogs import digit, moved
from coop_sim.gemini.keys import ENTER, Key, Named, Paste, Text
from coop_sim.shapes import Table, as_list, as_table, as_text

CUSTOM, ALL, DONE = "Enter a custom value", "All of the above", "Done"
_SHOWN = 3
"""So many options are seen at a time; the rest is out of sight, above and below."""


@dataclass
class Page:
    question: str
    header: str
    options: Sequence[tuple[str, str]]
    """Label and description; none when only words are asked for."""
    takes_many: bool = False
    placeholder: str = ""
    at: int = 0
    words: str = ""
    ticked: set[int] = field(default_factory=set[int])

    @property
    def labels(self) -> list[tuple[str, str]]:
        """With what is added to the options."""
        if not self.options:
            return []
        if self.takes_many:
            return [*self.options, (ALL, "Select all options"), (CUSTOM, ""), (DONE, "Finish selection")]
        return [*self.options, (CUSTOM, "")]

    @property
    def label(self) -> str:
        return self.labels[self.at][0] if self.options else CUSTOM

    def rows(self) -> list[str]:
        if not self.options:
            return [self.question, "", f"> {self.words or self.placeholder}"]
        many = ["(Select all that apply)"] if self.takes_many else []
        first = max(0, min(self.at - _SHOWN + 1, len(self.labels) - _SHOWN))
        shown = [row for n in range(first, min(first + _SHOWN, len(self.labels))) for row in self._option(n)]
        scrolls = len(self.labels) > _SHOWN
        return [self.question, *many, "", *(["▲"] if scrolls else []), *shown, *(["▼"] if scrolls else [])]

    def _option(self, n: int) -> list[str]:
        label, more = self.labels[n]
        mark = "●" if n == self.at else " "
        if label == DONE:
            return [f"{mark}  {label}", f"   {more}"]
        shown = self.words or label if label == CUSTOM else label
        tick = f" [{'x' if n in self.ticked else ' '}] " if self.takes_many else "  "
        column = 9 if self.takes_many else 6
        return [f"{mark} {n + 1}.{tick}{shown}", *([" " * column + more] if more else [])]

    def hint(self, *, is_one_of_many: bool) -> str:
        if not self.options or self.label in (CUSTOM, DONE):
            return "Enter to submit · Esc to cancel"
        moves = "←/→ to switch questions" if is_one_of_many else "↑/↓ to navigate"
        return f"Enter to select · {moves} · Esc to cancel"

    def press(self, key: Key) -> str | None:
        """The answer, once there is one."""
        match key:
            case Paste(text):
                self._type(text)
            case Text(text) if self.label == CUSTOM:
                self._type(text)
            case Named("backspace"):
                self.words = self.words[:-1]
            case _ if key == ENTER:
                return self._entered()
            case _ if (chosen := digit(key, len(self.labels) - self.takes_many)) is not None:  # `Done` has no number
                self.at = chosen
                return self._entered() if self.label != CUSTOM else None
            case _:
                self.at = moved(self.at, key, max(1, len(self.labels)))
        return None

    def _type(self, text: str) -> None:
        """A paste is for the custom value, whatever is highlighted."""
        self.words += text
        self.at = next((n for n, (label, _) in enumerate(self.labels) if label == CUSTOM), 0)
        self.ticked |= {self.at} if self.takes_many else set()

    def _entered(self) -> str | None:
        if self.label == CUSTOM and not self.takes_many:
            return self.words.strip() or None
        if not self.takes_many:
            return self.label
        if self.label == DONE:
            return ", ".join(self._chosen())
        self._tick()
        return None

    def _tick(self) -> None:
        if self.label == ALL:
            self.ticked |= set(range(len(self.options) + 1))
        else:
            self.ticked ^= {self.at}

    def _chosen(self) -> list[str]:
        labels = [label for n, (label, _) in enumerate(self.options) if n in self.ticked]
        return [*labels, *([self.words.strip()] if self.words.strip() else [])]


def page_of(question: Table) -> Page:
    listed = [as_table(each) for each in as_list(question.get("options"))]
    options = [(as_text(each.get("label")), as_text(each.get("description"))) for each in listed]
    kind = as_text(question.get("type"), "choice")
    fixed: dict[str, list[tuple[str, str]]] = {"yesno": [("Yes", ""), ("No", "")], "text": []}
    return Page(
        as_text(question.get("question")),
        as_text(question.get("header")),
        fixed.get(kind, options),
        question.get("multiSelect") is True,
        as_text(question.get("placeholder")),
    )
