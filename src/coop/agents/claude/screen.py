"""What Claude Code's screen shows: its composer, its spinner, a dialog. Which words count is in `dialogs.toml`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from coop.agents.dialogs import Dialog, Signature, find_dialog, recognize, signatures
from coop.model.ids import PromptId
from coop.model.prompt import Permission, Plan, Prompt, Question, Setup
from coop.model.readings import Composer, Says, ScreenReading
from coop.model.screen import Cursor, ScreenSnapshot
from coop.model.state import Idle, Prompted, Working

_RULE = re.compile(r"^─{10,}")
_NEAR = 8
"""How many lines above the composer can tell of work."""
DRAWN = PromptId("screen")
"""The session gives the id."""


@dataclass(frozen=True, slots=True)
class Words:
    """What to look for."""

    dialogs: tuple[Signature, ...]
    composer: re.Pattern[str]
    working: tuple[re.Pattern[str], ...]
    retrying: re.Pattern[str]
    queued: re.Pattern[str]

    def read(self, screen: ScreenSnapshot) -> ScreenReading:
        rows = [line.rstrip(" ") for line in screen.lines]
        if (box := self._composer(rows)) is not None:
            return self._at_composer(rows, *box, screen.cursor)
        dialog = find_dialog(rows)
        if dialog is None:
            return ScreenReading()
        found = recognize(dialog, self.dialogs)
        return ScreenReading(Says(Prompted(_prompt(dialog, found)), final=found is not None))

    def dialog(self, screen: ScreenSnapshot) -> tuple[Dialog, Signature | None] | None:
        """What can be chosen on this screen, and which dialog it is; `None` when the composer is there, or nothing is."""
        rows = [line.rstrip(" ") for line in screen.lines]
        if self._composer(rows) is not None or (dialog := find_dialog(rows)) is None:
            return None
        return dialog, recognize(dialog, self.dialogs)

    def _composer(self, rows: Sequence[str]) -> tuple[int, int] | None:
        """The rows of the rules above and below it."""
        rules = [n for n, row in enumerate(rows) if _RULE.match(row)]
        for top, bottom in zip(reversed(rules[:-1]), reversed(rules[1:]), strict=True):
            if bottom > top + 1 and self.composer.match(rows[top + 1]):
                return top, bottom
        return None

    def _at_composer(self, rows: Sequence[str], top: int, bottom: int, cursor: Cursor) -> ScreenReading:
        draft = "\n".join([self.composer.sub("", rows[top + 1]), *(row.strip() for row in rows[top + 2 : bottom])])
        if (cursor.row, cursor.col) == (top + 1, 2):
            draft = ""  # a suggestion: behind what somebody typed the cursor stands at the end
        around = [row for row in (*rows[max(0, top - _NEAR) : top], *rows[bottom + 1 :]) if row.strip()]
        composer, queued = Composer(draft.strip()), any(self.queued.search(row) for row in around)
        for row in around:
            if attempt := self.retrying.search(row):
                number, of = (part for part in attempt.groups() if part is not None)
                return ScreenReading(Says(Working(f"retrying {number}/{of}")), composer, queued)
        if any(pattern.search(row) for pattern in self.working for row in around):
            return ScreenReading(Says(Working()), composer, queued)
        return ScreenReading(Says(Idle()), composer, queued)


def _prompt(dialog: Dialog, found: Signature | None) -> Prompt:
    options, lines = tuple(option.label for option in dialog.options), dialog.lines
    match found:
        case None:
            return Question(DRAWN, dialog.question, options, lines, subtype="unrecognized")
        case Signature(kind="permission", tool=tool):
            return Permission(DRAWN, tool or "", options=options, screen_lines=lines)
        case Signature(kind="plan"):
            return Plan(DRAWN, "", options=options, screen_lines=lines)
        case Signature(kind="setup", subtype=subtype):
            return Setup(DRAWN, subtype or "", " ".join((*dialog.title, dialog.question)), options, lines)
        case _:
            return Question(DRAWN, dialog.question, options, lines, subtype=found.subtype)


def words(tables: Mapping[str, object], *, source: str) -> Words:
    """From a parsed dialogs file. Raises `ConfigError`."""
    screen = cast("Mapping[str, object]", tables.get("screen") or {})
    working = cast("list[str]", screen.get("working", []))
    return Words(
        signatures(tables.get("dialog", []), source=source),
        re.compile(str(screen.get("composer", "^❯"))),
        tuple(re.compile(text) for text in working),
        re.compile(str(screen.get("retrying", "(?!)"))),
        re.compile(str(screen.get("queued", "(?!)"))),
    )
