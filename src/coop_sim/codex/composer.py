"""The composer: what is typed and not yet sent, where the cursor is in it, and what Enter makes of it."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from coop_sim.cells import width
from coop_sim.keys import Key, Named, Paste, Text

PLACEHOLDER = "Ask Codex to do anything"
COMMANDS = ("/clear", "/compact", "/exit", "/new", "/quit", "/stop")
_LONG_PASTE = 1000


def _is_picture(text: str) -> bool:
    path = text.strip()
    return path.endswith((".png", ".jpg")) and "\n" not in path and os.path.isfile(path)


@dataclass(frozen=True, slots=True)
class Command:
    name: str


@dataclass(frozen=True, slots=True)
class Shell:
    command: str


@dataclass(frozen=True, slots=True)
class Prompt:
    text: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A slash command that does not exist: it is said, and the text stays."""

    name: str


Submission = Command | Shell | Prompt | Unknown


@dataclass(frozen=True, slots=True)
class Composer:
    text: str = ""
    at: int = 0
    """Where the cursor is."""
    is_shell: bool = False
    pastes: Mapping[str, str] = field(default_factory=dict[str, str])
    """Long ones, by what stands for them."""

    @property
    def is_empty(self) -> bool:
        return not self.text and not self.is_shell

    def press(self, key: Key) -> "Composer":
        match key:
            case Text(text):
                return self.typed(text)
            case Paste(text):
                return self._pasted(text)
            case Named("newline"):
                return self.typed("\n")
            case Named("backspace"):
                return self._back()
            case Named("ctrl+u"):
                return self._cut(self._line_start() if self._line_start() < self.at else max(self.at - 1, 0), self.at)
            case Named("ctrl+k"):
                return self._cut(self.at, self._line_end() if self._line_end() > self.at else self.at + 1)
            case Named("left" | "right" as way):
                return replace(self, at=min(max(self.at + (1 if way == "right" else -1), 0), len(self.text)))
            case Named("up" | "down" as way):
                return self._moved(way)
            case _:
                return self

    def typed(self, text: str) -> "Composer":
        if self.is_empty and text.startswith("!"):
            return replace(self, is_shell=True).typed(text[1:])
        return replace(self, text=self.text[: self.at] + text + self.text[self.at :], at=self.at + len(text))

    def _pasted(self, text: str) -> "Composer":
        if _is_picture(text):
            return self.typed("[Image #1] ")
        if len(text) <= _LONG_PASTE:
            return self.typed(text)
        name = f"[Pasted Content {len(text)} chars]"
        if name in self.pastes:
            name = f"[Pasted Content {len(text)} chars] #{len(self.pastes) + 1}"
        return replace(self, pastes={**self.pastes, name: text}).typed(name)

    def _back(self) -> "Composer":
        if self.at == 0:
            return replace(self, is_shell=False)
        return self._cut(self.at - 1, self.at)

    def _cut(self, start: int, end: int) -> "Composer":
        return replace(self, text=self.text[:start] + self.text[end:], at=start)

    def _line_start(self) -> int:
        return self.text.rfind("\n", 0, self.at) + 1

    def _line_end(self) -> int:
        found = self.text.find("\n", self.at)
        return found if found >= 0 else len(self.text)

    def _moved(self, way: str) -> "Composer":
        start, end, column = self._line_start(), self._line_end(), self.at - self._line_start()
        if way == "up" and start > 0:
            above = self.text.rfind("\n", 0, start - 1) + 1
            return replace(self, at=min(above + column, start - 1))
        if way == "down" and end < len(self.text):
            below = self.text.find("\n", end + 1)
            return replace(self, at=min(end + 1 + column, below if below >= 0 else len(self.text)))
        return self

    def whole(self) -> str:
        """With what was pasted in its place."""
        text = self.text
        for name, paste in self.pastes.items():
            text = text.replace(name, paste, 1)
        return text

    def has_list(self) -> bool:
        """Does a list of skills take the Enter?"""
        return re.search(r"(?:^|\s)\$\w+$", self.text) is not None and self.at == len(self.text)

    def rows(self, columns: int, most: int) -> tuple[list[str], tuple[int, int]]:
        """At most so many, around the cursor; and where that is."""
        if not self.text:
            return ["! " if self.is_shell else f"› {PLACEHOLDER}"], (0, 2)
        rows, cursor = self._broken(columns)
        first = max(0, cursor[0] - most + 1)
        shown = [f"{('! ' if self.is_shell else '› ') if n == 0 else '  '}{row}" for n, row in enumerate(rows)]
        return shown[first : first + most], (cursor[0] - first, cursor[1] + 2)

    def _broken(self, columns: int) -> tuple[list[str], tuple[int, int]]:
        rows, cursor, seen = list[str](), (0, 0), 0
        for row, taken in _rows(self.text, max(columns - 4, 1)):
            if seen <= self.at <= seen + len(row):
                cursor = (len(rows), width(row[: self.at - seen].expandtabs(4)))
            rows.append(row.expandtabs(4))
            seen += taken
        return rows, cursor


def _rows(text: str, columns: int) -> Iterator[tuple[str, int]]:
    """Each with how many characters of the text it takes, the end of its line included."""
    lines = text.split("\n")
    for line in lines:
        while width(line) > columns:
            cut = next(n for n in range(len(line), 0, -1) if width(line[:n]) <= columns)
            yield line[:cut], cut
            line = line[cut:]  # what is left of it
        yield line, len(line) + 1


def submission(composer: Composer) -> Submission:
    """What Codex does with what is sent; it is trimmed at both ends."""
    text = composer.whole()
    bare = text.strip()
    if composer.is_shell:
        return Shell(bare)
    if bare.startswith("!"):
        return Shell(bare[1:].strip())
    name = text.split()[0] if text.startswith("/") and bare else ""
    if name in COMMANDS:
        return Command(name)
    # A path is not a command.
    if name and "/" not in name[1:]:
        return Unknown(name)
    return Prompt(bare)
