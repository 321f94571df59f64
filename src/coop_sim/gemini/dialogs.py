"""A dialog takes the place of the input: keys go in, an answer comes out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from coop_sim.gemini.boxes import box, split
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
    """Shown in a box within the box, under the first row."""

    def rows(self, columns: int, count: str) -> list[str]:
        inside = columns - 2 * self.indent - 4
        first = [split(self.heading[0], count, inside)] if count else list(self.heading[:1])
        inner = box(self.boxed, inside) if self.boxed else []
        options = [f"{'●' if n == self.at else ' '} {n + 1}. {label}" for n, label in enumerate(self.labels)]
        return box([*first, *self.heading[1:], *inner, *self.body, *options], columns, indent=self.indent)

    def press(self, key: Key) -> Answer | None:
        self.at = moved(self.at, key, len(self.labels))
        if key == ESC:
            return Cancelled()
        chosen = digit(key, len(self.labels))
        if chosen is None and key != ENTER:
            return None
        self.at = self.at if chosen is None else chosen
        return Chosen(self.labels[self.at])
