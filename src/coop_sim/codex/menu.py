"""A dialog that is a list of options: one is highlighted, each has a number, some have a key of their own."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from coop_sim.cells import width, wrap
from coop_sim.keys import Key, Named, Text


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a dialog was answered with: the name of an option, or words besides."""

    name: str
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


class Dialog(Protocol):
    """A value that takes a key and becomes another dialog, or an answer."""

    def press(self, key: Key) -> "Dialog | Chosen": ...

    def rows(self, columns: int) -> tuple[list[str], tuple[int, int] | None]:
        """And where the cursor is, when it is seen."""
        ...


@dataclass(frozen=True, slots=True)
class Option:
    name: str
    label: str
    keys: str = ""
    """Letters that choose it."""
    beside: str = ""
    """What stands behind the label, a column away."""
    under: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    heading: tuple[str, ...]
    options: tuple[Option, ...]
    hint: str
    cancel: str
    """What Esc means."""
    focus: int = 0
    acts_at_once: frozenset[int] = frozenset(range(1, 10))
    """The digits that choose; the others only move the highlight, or do nothing at all."""
    moves: bool = True
    pointer: str = "›"
    ctrl_c: str | None = None
    """What Ctrl-C means; as Esc when `None`."""

    def press(self, key: Key) -> "Menu | Chosen":
        match key:
            case Text(digit) if digit in "123456789" and int(digit) <= len(self.options):
                return self._digit(int(digit))
            case Text(letter):
                chosen = next((each for each in self.options if letter in each.keys), None)
                return Chosen(chosen.name) if chosen else self
            case Named("up" | "down" as way):
                return replace(self, focus=(self.focus + (1 if way == "down" else -1)) % len(self.options))
            case Named("enter"):
                return Chosen(self.options[self.focus].name)
            case Named("esc"):
                return Chosen(self.cancel)
            case Named("ctrl+c"):
                return Chosen(self.cancel if self.ctrl_c is None else self.ctrl_c)
            case _:
                return self

    def _digit(self, digit: int) -> "Menu | Chosen":
        if digit in self.acts_at_once:
            return Chosen(self.options[digit - 1].name)
        return replace(self, focus=digit - 1) if self.moves else self

    def rows(self, columns: int) -> tuple[list[str], tuple[int, int] | None]:
        widest = max((width(each.label) for each in self.options if each.beside), default=0)
        options = [row for n, each in enumerate(self.options) for row in self._option(n, each, widest, columns)]
        heading = [row for line in self.heading for row in wrap(line, columns - 2, first="  ", rest="  ")]
        return [*(row.rstrip() for row in heading), *options, "", f"  {self.hint}"], None

    def _option(self, index: int, option: Option, widest: int, columns: int) -> list[str]:
        first = f"{self.pointer if index == self.focus else ' '} {index + 1}. "
        label = option.label + (" " * (widest - width(option.label) + 2) + option.beside if option.beside else "")
        under = [f"     {option.under}", ""] if option.under else []
        return [*wrap(label, columns, first=first, rest="     "), *under]
