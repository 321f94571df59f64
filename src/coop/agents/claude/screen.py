"""What Claude Code's screen shows: its composer, its spinner, a dialog. Which words count is in `dialogs.toml`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from coop.agents.dialogs import Dialog, Signature, find_dialog, find_tail, recognize, screen_patterns, signatures
from coop.agents.drawn import DRAWN, prompt_of
from coop.model.prompt import Setup
from coop.model.readings import Composer, Learned, Says, ScreenReading
from coop.model.screen import ScreenSnapshot
from coop.model.state import Idle, Prompted, Working

_RULE = re.compile(r"^─{10,}")
_HINTED = re.compile(r"/\S+ (?= *[<\[])")
"""A command, and behind it what it takes, which nobody typed."""
_NEAR = 8
"""How many lines above the composer can tell of work."""


@dataclass(frozen=True, slots=True)
class Words:
    """What to look for."""

    dialogs: tuple[Signature, ...]
    composer: re.Pattern[str]
    working: re.Pattern[str]
    footer: re.Pattern[str]
    inserting: re.Pattern[str]
    retrying: re.Pattern[str]
    queued: re.Pattern[str]
    own: re.Pattern[str]
    mode: re.Pattern[str]
    signing_in: re.Pattern[str]

    def read(self, screen: ScreenSnapshot) -> ScreenReading:
        rows = [line.rstrip(" ") for line in screen.lines]
        if (box := self._composer(rows)) is not None:
            return self._at_composer(rows, *box, screen)
        if any(self.own.match(row) for row in rows):
            return ScreenReading()
        dialog = find_dialog(rows)
        if dialog is None:
            shown = tuple(row for row in rows if row.strip())
            return ScreenReading(self._signing_in(shown), unread=shown)
        found = recognize(dialog, self.dialogs)
        is_sure = found is not None and (dialog.stands_alone or found.is_bare)
        return ScreenReading(Says(Prompted(prompt_of(dialog, found)), final=is_sure))

    def _signing_in(self, rows: Sequence[str]) -> Says | None:
        """Where a person is to sign in: nothing to choose, but an address right below. Who quotes the words has none there."""
        at = next((n for n, row in enumerate(rows) if self.signing_in.search(row)), None)
        address = "".join(takewhile(lambda row: not row.startswith(" "), rows[at + 1 :])) if at is not None else ""
        if at is None or not _ADDRESS.fullmatch(address):
            return None
        return Says(Prompted(Setup(DRAWN, "login", f"{rows[at].strip()}: {address}", (), tuple(rows[at:]))))

    def dialog(self, screen: ScreenSnapshot) -> tuple[Dialog, Signature | None] | None:
        """What can be chosen on this screen, and which dialog it is; `None` when the composer is there, or nothing is."""
        rows = [line.rstrip(" ") for line in screen.lines]
        if self._composer(rows) is not None or (dialog := find_dialog(rows) or find_tail(rows)) is None:
            return None
        return dialog, recognize(dialog, self.dialogs)

    def _composer(self, rows: Sequence[str]) -> tuple[int, int] | None:
        """The rows of the rules above and below it."""
        rules = [n for n, row in enumerate(rows) if _RULE.match(row)]
        for top, bottom in zip(reversed(rules[:-1]), reversed(rules[1:]), strict=True):
            if bottom > top + 1 and self.composer.match(rows[top + 1]):
                return top, bottom
        return None

    def _at_composer(self, rows: Sequence[str], top: int, bottom: int, screen: ScreenSnapshot) -> ScreenReading:
        draft = "\n".join([self.composer.sub("", rows[top + 1]), *(row.strip() for row in rows[top + 2 : bottom])])
        at_start = (screen.cursor.row, screen.cursor.col) == (top + 1, 2)
        if (at_start and screen.is_faint_ahead) or self.queued.search(draft):
            draft = ""  # a suggestion: what somebody typed is never faint, wherever the cursor stands in it
        if (hinted := _HINTED.match(draft)) is not None and screen.cursor.col == 2 + len(hinted[0]):
            draft = hinted[0]
        glyph = self.composer.match(rows[top + 1])
        is_shell = glyph is not None and bool(glyph.groups()) and glyph[1] is not None
        above, below = [row for row in rows[max(0, top - _NEAR) : top] if row.strip()], rows[bottom + 1 :]
        inserts = any(self.inserting.match(row) for row in below)
        composer = Composer(draft.strip(), is_shell, bottom - top - 1, inserts, self._stop_key(below))
        queued = any(self.queued.search(row) for row in (*above, *below, *rows[top + 1 : bottom]))
        return ScreenReading(Says(self._work(above, below) or Idle()), composer, queued, learned=self._learned(below))

    def _stop_key(self, below: Sequence[str]) -> str | None:
        found = next((found for row in below if (found := self.footer.search(row))), None)
        return found[1] if found is not None and found.groups() else None

    def _learned(self, below: Sequence[str]) -> Learned | None:
        mode = next((found.lastgroup for row in below if (found := self.mode.match(row))), None)
        return Learned(permission_mode=mode) if mode is not None else None

    def _work(self, above: Sequence[str], below: Sequence[str]) -> Working | None:
        for row in above:
            if attempt := self.retrying.search(row):
                return Working(f"retrying {attempt[1]}/{attempt[2]}")
        is_busy = any(self.working.search(row) for row in above) or any(self.footer.search(row) for row in below)
        return Working() if is_busy else None


def words(tables: Mapping[str, object], *, source: str) -> Words:
    """From a parsed dialogs file. Raises `ConfigError` naming what is wrong."""
    patterns = screen_patterns(tables, _SCREEN_KEYS, source=source)
    return Words(signatures(tables.get("dialog", []), source=source), **patterns)


_ADDRESS = re.compile(r"https://\S+")
_SCREEN_KEYS = ("composer", "working", "footer", "inserting", "retrying", "queued", "own", "mode", "signing_in")
