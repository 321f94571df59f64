"""What Codex's screen shows: its composer, what stands above it, a dialog. Which words count is in `dialogs.toml`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from coop.agents.dialogs import Dialog, Option, Signature, find_dialog, recognize, screen_patterns, signatures
from coop.agents.drawn import prompt_of
from coop.model.readings import Composer, Learned, Says, ScreenReading
from coop.model.screen import ScreenSnapshot
from coop.model.state import Idle, Prompted, Working

_NEAR = 12
"""How many lines above the composer can tell of work."""
_VERSION = re.compile(r"^ *>_ OpenAI Codex \(v(\S+)\)$")
_QUEUED = re.compile(r"^  ↳ (.*)$")
_BEHIND = " " * 4
_EDITS_QUEUE = re.compile(r"^    \S+ edit last queued message")
_POINTER = re.compile(r"^> (?=\d)")
"""The login has another highlight than the rest."""
_CLEARS_NOTES = re.compile(r"^  tab or esc to clear notes \| ")
_DESCRIBED = re.compile(r"\s{2,}")
"""What stands behind a label, a column away."""


@dataclass(frozen=True, slots=True)
class Words:
    """What to look for."""

    dialogs: tuple[Signature, ...]
    composer: re.Pattern[str]
    placeholder: re.Pattern[str]
    footer: re.Pattern[str]
    working: re.Pattern[str]
    retrying: re.Pattern[str]
    queued: re.Pattern[str]
    background: re.Pattern[str]

    def read(self, screen: ScreenSnapshot) -> ScreenReading:
        rows = [line.rstrip(" ") for line in screen.lines]
        if (box := self._composer(rows, screen)) is not None:
            return self._at_composer(rows, *box, screen)
        shown = self.dialog(screen)
        unread = tuple(row for row in rows if row.strip())
        if shown is None:
            return ScreenReading(learned=_version(rows), unread=unread)
        dialog, found = shown
        return ScreenReading(Says(Prompted(prompt_of(dialog, found)), final=found is not None), learned=_version(rows))

    def dialog(self, screen: ScreenSnapshot) -> tuple[Dialog, Signature | None] | None:
        """What can be chosen on this screen, and which dialog it is; `None` when the composer is there, or nothing is."""
        rows = _without_notes([_POINTER.sub("› ", line.rstrip(" ")) for line in screen.lines])
        if self._composer(rows, screen) is not None:
            return None
        top = self._top(rows)
        dialog = find_dialog(rows[top or 0 :])
        if dialog is None:
            return None
        dialog = replace(dialog, options=tuple(map(_without_description, dialog.options)))
        return dialog, recognize(dialog, self.dialogs) if top is not None else None

    def _top(self, rows: Sequence[str]) -> int | None:
        """Where a dialog begins. Two such lines mean that one is a quotation, in a command say: then we cannot tell."""
        firsts = [first for each in self.dialogs if (first := each.title or each.question) is not None]
        found = [n for n, row in enumerate(rows) if any(first.search(row.strip()) for first in firsts)]
        return found[0] if len(found) == 1 else None

    def _composer(self, rows: Sequence[str], screen: ScreenSnapshot) -> tuple[int, int] | None:
        """Its first row and the one behind its last: the cursor is in it, and a footer below."""
        if not screen.cursor.visible or screen.cursor.row >= len(rows):
            return None
        at = screen.cursor.row
        top = next((n for n in range(at, -1, -1) if self.composer.match(rows[n])), None)
        if top is None or any(row and not row.startswith("  ") for row in rows[top + 1 : at + 1]):
            return None
        bottom = next((n for n in range(at + 1, len(rows)) if self.footer.match(rows[n])), None)
        return None if bottom is None else (top, bottom)

    def _at_composer(self, rows: Sequence[str], top: int, bottom: int, screen: ScreenSnapshot) -> ScreenReading:
        glyph = self.composer.match(rows[top])
        lines = [self.composer.sub("", rows[top]), *(row.strip() for row in rows[top + 1 : bottom])]
        draft = "\n".join(lines).rstrip()
        if self.placeholder.match(draft) and (screen.cursor.row, screen.cursor.col) == (top, 2):
            draft = ""
        above = rows[max(0, top - _NEAR) : top]
        return ScreenReading(
            Says(self._work(above) or Idle()),
            Composer(draft, runs_shell=glyph is not None and glyph[1] is not None),
            queued=any(self.queued.match(row) for row in above),
            queue=tuple(self._queue(above)),
            background=any(self.background.match(row) for row in above),
            learned=_version(rows),
        )

    def _queue(self, above: Sequence[str]) -> Sequence[str]:
        """A long one has several rows, and a `…` in the place of more."""
        start = next((n for n, row in enumerate(above) if self.queued.match(row)), len(above))
        queue: list[str] = []
        for row in above[start:]:
            if found := _QUEUED.match(row):
                queue.append(found[1])
            elif queue and row.startswith(_BEHIND) and not _EDITS_QUEUE.match(row):
                queue[-1] += row.removeprefix(_BEHIND[1:])
        return queue

    def _work(self, above: Sequence[str]) -> Working | None:
        for row in above:
            if attempt := self.retrying.match(row):
                return Working(f"retrying {attempt[1]}")
        return Working() if any(self.working.match(row) for row in above) else None


def _without_notes(rows: list[str]) -> list[str]:
    """The words that somebody writes besides an answer look like an option; it is the same dialog with them and without."""
    hint = next((n for n, row in enumerate(rows) if _CLEARS_NOTES.match(row)), 0)
    last = next((n for n in range(hint - 1, 0, -1) if rows[n]), 0)
    first = next((n for n in range(last, 0, -1) if not rows[n]), last)
    return [*rows[:first], *[""] * (last + 1 - first), *rows[last + 1 :]] if hint else rows


def _without_description(option: Option) -> Option:
    label, *rest = _DESCRIBED.split(option.label, maxsplit=1)
    return replace(option, label=label, more=" ".join((*rest, option.more)).strip())


def _version(rows: Sequence[str]) -> Learned | None:
    found = next((found for row in rows if (found := _VERSION.match(row))), None)
    return Learned(version=found[1]) if found else None


def words(tables: Mapping[str, object], *, source: str) -> Words:
    """From a parsed dialogs file. Raises `ConfigError` naming what is wrong."""
    patterns = screen_patterns(tables, _SCREEN_KEYS, source=source)
    return Words(signatures(tables.get("dialog", []), source=source), **patterns)


_SCREEN_KEYS = ("composer", "placeholder", "footer", "working", "retrying", "queued", "background")
