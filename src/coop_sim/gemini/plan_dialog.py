"""The dialog that asks whether a plan is good."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from coop_sim.gemini.boxes import box, split
from coop_sim.gemini.dialogs import Answer, Cancelled, Chosen, Typed, digit, moved
from coop_sim.gemini.keys import ENTER, ESC, Key, Named, Paste, Text

AUTO, MANUAL, FEEDBACK = "Yes, automatically accept edits", "Yes, manually accept edits", "Type your feedback..."
_LABELS = (AUTO, MANUAL, FEEDBACK)
_MORE = (
    "Approves plan and allows tools to run automatically",
    "Approves plan but requires confirmation for each tool",
    "",
)
_HINT = "Enter to select · ↑/↓ to navigate · Ctrl+G to edit plan · Esc to cancel"
_SUBMIT = "Enter to submit · Ctrl+G to edit plan · Esc to cancel"


@dataclass
class PlanDialog:
    """Drawn with its first row alone until the plan is read."""

    plan: Sequence[str] = field(default=())
    is_read: bool = False
    at: int = 0
    words: str = ""

    def rows(self, columns: int, count: str) -> list[str]:
        title = split("Ready to start implementation?", count, columns - 4)
        if not self.is_read:
            return box([title, ""], columns)
        return box([title, "", *self.plan, "", *self._options(), "", _SUBMIT if self.words else _HINT], columns)

    def _options(self) -> list[str]:
        labels = (AUTO, MANUAL, self.words or FEEDBACK)
        shown: list[str] = []
        for n, label in enumerate(labels):
            shown += [f"{'●' if n == self.at else ' '} {n + 1}.  {label}", *([f"      {_MORE[n]}"] if _MORE[n] else [])]
        return shown

    def press(self, key: Key) -> Answer | None:
        if key == ESC:
            return Cancelled()
        if not self.is_read:
            return None
        match key:
            case Text(text) | Paste(text) if self.at == 2 or isinstance(key, Paste):
                self.at, self.words = 2, self.words + text
            case Named("backspace"):
                self.words = self.words[:-1]
            case _ if (chosen := digit(key, 3)) is not None:
                self.at = chosen
                return Chosen(_LABELS[chosen]) if chosen < 2 else None
            case _ if key == ENTER:
                return self._entered()
            case _:
                self.at = moved(self.at, key, 3)
        return None

    def _entered(self) -> Answer | None:
        if self.at < 2:
            return Chosen(_LABELS[self.at])
        return Typed(self.words.strip()) if self.words.strip() else None


def shown(plan: str) -> list[str]:
    """As the plan's Markdown is drawn: headings without their marks, lists a little to the right."""
    rows = [
        line.lstrip("# ") if line.startswith("#") else f" {line}" if line.startswith("- ") else line
        for line in plan.split("\n")
    ]
    return rows[:-1] if rows and not rows[-1] else rows
