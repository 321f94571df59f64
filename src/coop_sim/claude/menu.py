"""A dialog that is a list of options: one is highlighted, some have numbers, some take text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from coop_sim.cells import wrap
from coop_sim.claude.answers import Allow, Answer, Deny
from coop_sim.claude.keys import ENTER, ESC, Key, Named, Paste, Text


class Dialog(Protocol):
    """A value that takes a key and becomes another dialog, or an answer."""

    def press(self, key: Key) -> "Dialog | Answer": ...

    def rows(self, columns: int) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Option:
    label: str
    answer: Answer
    under: str = ""
    """A line shown below the label."""
    takes_text: bool = False
    """Choosing it begins typing; only then does Enter answer."""


@dataclass(frozen=True, slots=True)
class Menu:
    heading: tuple[str, ...]
    options: tuple[Option, ...]
    hints: str
    cancel: Answer
    focus: int = 0
    numbered: bool = True
    amendable: bool = False
    indent: int = 1
    shift_tab: Answer | None = None
    enter_confirms: bool = True
    """Does Enter answer when there is nothing to choose?"""
    typed: str | None = None
    """The text being typed for the highlighted option; `None` when none is."""

    def press(self, key: Key) -> "Menu | Answer":
        if self.typed is not None:
            return self._type(key, self.typed)
        match key:
            case Text(digit) if self.numbered and digit in "123456789" and int(digit) <= len(self.options):
                return self._choose(int(digit) - 1)
            case Named("up" | "down" as direction):
                return self._moved(1 if direction == "down" else -1)
            case Named("tab") if self.amendable:
                return replace(self, typed="")
            case Named("shift+tab") if self.shift_tab is not None:
                return self.shift_tab
            case Named("enter"):
                return self._choose(self.focus)
            case Named("esc"):
                return self.cancel
            case _:
                return self

    def _moved(self, step: int) -> "Menu":
        """Where text is taken, what comes is text."""
        focus = (self.focus + step) % max(len(self.options), 1)
        takes_text = bool(self.options) and self.options[focus].takes_text
        return replace(self, focus=focus, typed="" if takes_text else None)

    def _choose(self, index: int) -> "Menu | Answer":
        if not self.options:
            return Allow() if self.enter_confirms else self
        chosen = self.options[index]
        return replace(self, focus=index, typed="") if chosen.takes_text else chosen.answer

    def _type(self, key: Key, typed: str) -> "Menu | Answer":
        match key:
            case Text(text) | Paste(text):
                return replace(self, typed=typed + text)
            case Named("newline"):
                return replace(self, typed=typed + "\n")
            case Named("up" | "down" as direction) if self.options[self.focus].takes_text:
                return self._moved(1 if direction == "down" else -1)
            case Named("backspace"):
                return replace(self, typed=typed[:-1])
            case Named("esc") | Named("tab"):
                return self.cancel if key == ESC and self.options[self.focus].takes_text else replace(self, typed=None)
            case Named("enter"):
                return self._with_text(typed)
            case _:
                return self

    def _with_text(self, typed: str) -> "Menu | Answer":
        chosen = self.options[self.focus]
        if chosen.takes_text and not typed:
            return self
        match chosen.answer:
            case Allow() as allow:
                return replace(allow, feedback=typed)
            case Deny():
                return Deny(typed, ends_turn=not typed)
            case answer:
                return answer

    def rows(self, columns: int) -> list[str]:
        options = [row for index in range(len(self.options)) for row in self._option(index, columns)]
        hints = ["", " " * self.indent + self.hints] if self.hints else []
        return [*self.heading, *options, *hints]

    def _option(self, index: int, columns: int) -> list[str]:
        option, is_focused = self.options[index], index == self.focus
        number = f"{index + 1}. " if self.numbered else ""
        margin = " " * self.indent
        text = f"{option.label}, {self.typed}" if is_focused and self.typed and not option.takes_text else option.label
        if is_focused and self.typed and option.takes_text:
            text = self.typed
        first, rest = f"{margin}{'❯' if is_focused else ' '} {number}", margin + " " * (2 + len(number))
        return [*wrap(text, columns, first=first, rest=rest), *([rest + option.under] if option.under else [])]


def press_all(dialog: Dialog, keys: Sequence[Key], *, has_stale_focus: bool) -> tuple[Dialog | Answer, tuple[Key, ...]]:
    """The dialog after the keys of one write, or its answer and the keys left over."""
    at_start = dialog
    for index, key in enumerate(keys):
        seen = at_start if has_stale_focus and key == ENTER else dialog
        pressed = seen.press(key)
        if isinstance(pressed, Answer):
            return pressed, tuple(keys[index + 1 :])
        dialog = pressed
    return dialog, ()
