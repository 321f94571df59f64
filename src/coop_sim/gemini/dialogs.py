"""A dialog takes the place of the input: keys go in, an answer comes out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from coop_sim.cells import width
from coop_sim.gemini.boxes import box, split, wrapped
from coop_sim.gemini.keys import ENTER, ESC, Key, Named, Text


@dataclass(frozen=True, slots=True)
class Chosen:
    label: str


@dataclass(frozen=True, slots=True)
class Typed:
    text: str


@dataclass(frozen=True, slots=True)
class Answers:
    """By the question's number."""

    given: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Cancelled:
    """By Esc."""


Answer = Chosen | Typed | Answers | Cancelled


class Dialog(Protocol):
    def rows(self, columns: int, count: str) -> list[str]:
        """`count`: which of several it is; empty when it is the only one."""
        ...

    def press(self, key: Key) -> Answer | None:
        """`None` while it is not answered."""
        ...


def moved(at: int, key: Key, count: int) -> int:
    match key:
        case Named("down"):
            return (at + 1) % count
        case Named("up"):
            return (at - 1) % count
        case _:
            return at


def digit(key: Key, count: int) -> int | None:
    """The option that a digit names."""
    match key:
        case Text(text) if text.isdigit() and 1 <= int(text) <= count:
            return int(text) - 1
        case _:
            return None


_AROUND_BOX = 8
"""So many rows of the screen are neither in the box within the box nor below it."""
_GROWS_BY = 8
_NARROW = 80


@dataclass
class Menu:
    """A digit chooses at once; `y` and `n` do nothing. Esc is no."""

    heading: Sequence[str]
    body: Sequence[str]
    """Below the first row, which may name how many dialogs there are."""
    labels: Sequence[str]
    at: int = 0
    indent: int = 0
    boxed: Sequence[str] = ()
    """Shown in a box within the box, under the heading."""
    height: int = 1000
    """Of the screen: of what is boxed the end is shown, as far as there is room."""
    unsettled: int = 0
    """How often it is drawn anew before it is as it stays: without its last row at first, and smaller."""

    def rows(self, columns: int, count: str) -> list[str]:
        inside = columns - 2 * self.indent - 4
        first = [split(self.heading[0], count, inside)] if count else list(self.heading[:1])
        inner = box(self._shown(inside - 4), inside) if self.boxed else []
        options = [f"{'●' if n == self.at else ' '} {n + 1}. {label}" for n, label in enumerate(self.labels)]
        return box([*first, *self.heading[1:], *inner, *self.body, *options], columns, indent=self.indent)

    def is_cut(self, columns: int) -> bool:
        return len(self._broken(columns - 2 * self.indent - 8)) > self._room

    @property
    def _room(self) -> int:
        return self.height - _AROUND_BOX - len(self.body) - len(self.labels)

    def _broken(self, inside: int) -> list[str]:
        return [each for row in self.boxed for each in (wrapped(row, inside) if width(row) > inside else [row])]

    def _shown(self, inside: int) -> list[str]:
        rows, room = self._broken(inside), max(2, self._room)
        if len(rows) <= room:
            return rows
        there = rows[:-1] if self.unsettled else rows
        shown = max(1, room - 1 - _GROWS_BY * (self.unsettled > 1))
        hidden = len(there) - shown
        narrow = inside + 8 <= _NARROW
        words = f"... {hidden} hidden (Ctrl+O) ..." if narrow else f"... first {hidden} lines hidden (Ctrl+O to show) ..."
        return [words, *there[hidden:]]

    def press(self, key: Key) -> Answer | None:
        self.at = moved(self.at, key, len(self.labels))
        if key == ESC:
            return Cancelled()
        chosen = digit(key, len(self.labels))
        if chosen is None and key != ENTER:
            return None
        self.at = self.at if chosen is None else chosen
        return Chosen(self.labels[self.at])
