"""Transcripts in pages: what stands after a `$` is run, and what it prints is held against what the page shows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

MARK = "<!-- transcript"
ASKED = "> "
"""A line that begins so shows what a person types."""


@dataclass(frozen=True)
class Turn:
    """A command, and the lines the page shows below it."""

    command: str
    lines: tuple[str, ...]

    @property
    def typed(self) -> tuple[str, ...]:
        """What a person answers while it runs: such a command needs a terminal."""
        return tuple(line.removeprefix(ASKED) for line in self.lines if line.startswith(ASKED))


def turns(page: str) -> list[Turn]:
    """Of all transcripts of a page, in their order."""
    found: list[tuple[str, list[str]]] = []
    for marked in page.split(MARK)[1:]:
        for line in marked.split("```console\n", 1)[1].split("```", 1)[0].splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return [Turn(command, tuple(lines)) for command, lines in found]


@dataclass(frozen=True)
class Placeholder:
    """What differs from run to run, and what is compared instead."""

    pattern: str
    stands_for: str


def normal(lines: Sequence[str], placeholders: Sequence[Placeholder]) -> list[str]:
    """As they are compared: with the placeholders, and columns one blank apart, as wide as they may be."""
    return [_normal(line, placeholders) for line in lines]


def _normal(line: str, placeholders: Sequence[Placeholder]) -> str:
    for each in placeholders:
        line = re.sub(each.pattern, each.stands_for, line)
    return " ".join(line.split())
