"""The dialogs that are asked at the same time: one is shown and hears the keys, the others wait behind it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from coop_sim.cells import width
from coop_sim.claude.answers import Answer
from coop_sim.claude.keys import Key
from coop_sim.claude.menu import Dialog, Menu, press_all


@dataclass
class Open:
    dialog: Dialog
    answer: "asyncio.Future[Answer]"
    hears_from: float
    """When it begins to hear keys."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A dialog that says which of how many it is, in the row of its title."""

    dialog: Dialog
    count: str

    def press(self, key: Key) -> Dialog | Answer:
        return self.dialog.press(key)

    def rows(self, columns: int) -> list[str]:
        rule, title, *rest = self.dialog.rows(columns)
        return [rule, title + " " * max(columns - 1 - width(title) - len(self.count), 1) + self.count, *rest]


@dataclass
class Dialogs:
    shows_last: bool
    has_stale_focus: bool
    counts: bool
    _open: list[Open] = field(default_factory=list[Open])
    _answered: int = 0

    @property
    def shown(self) -> Open | None:
        return None if not self._open else self._open[-1 if self.shows_last else 0]

    def view(self) -> Dialog | None:
        if (shown := self.shown) is None:
            return None
        total = self._answered + len(self._open)
        if not self.counts or total == 1 or not isinstance(shown.dialog, Menu):
            return shown.dialog
        return Counted(shown.dialog, f"{self._answered + 1} of {total}")

    def add(self, dialog: Dialog, hears_from: float) -> Open:
        opened = Open(dialog, asyncio.get_running_loop().create_future(), hears_from)
        self._open.append(opened)
        return opened

    def close(self, opened: Open) -> None:
        self._open.remove(opened)
        self._answered = self._answered + 1 if self._open else 0

    def press(self, keys: Sequence[Key], now: float) -> tuple[Key, ...]:
        """The one that is shown takes the keys of one write; those after its answer are left over."""
        shown = self.shown
        if shown is None or shown.answer.done():
            return tuple(keys)
        if now < shown.hears_from:
            return ()
        pressed, rest = press_all(shown.dialog, keys, has_stale_focus=self.has_stale_focus)
        if isinstance(pressed, Answer):
            shown.answer.set_result(pressed)
        else:
            shown.dialog = pressed
        return rest
