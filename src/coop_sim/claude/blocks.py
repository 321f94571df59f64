"""The conversation as blocks, and how each is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from coop_sim.cells import wrap

_CORNER = "  ⎿ \u00a0"
_UNDER = "     "


@dataclass(frozen=True, slots=True)
class Prompted:
    text: str


@dataclass(frozen=True, slots=True)
class Said:
    text: str


@dataclass(frozen=True, slots=True)
class Used:
    """A tool: what it does, and below it what came of it."""

    title: str
    outcome: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Under:
    """Lines that belong to the block above."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plain:
    text: str


Block = Prompted | Said | Used | Under | Plain

INTERRUPTED = Under(("Interrupted · What should Claude do instead?",))


def rows(blocks: Sequence[Block], columns: int) -> list[str]:
    return [row for block in blocks for row in _rows(block, columns)]


@lru_cache(maxsize=512)
def _rows(block: Block, columns: int) -> list[str]:
    match block:
        case Prompted(text):
            return ["", *wrap(text, columns, first="❯ ", rest="  ")]
        case Said(text):
            return ["", *wrap(text, columns, first="● ", rest="  ")]
        case Used(title, outcome):
            return ["", *wrap(title, columns, first="● ", rest="  "), *_under(outcome, columns)]
        case Under(lines):
            return _under(lines, columns)
        case Plain(text):
            return ["", *wrap(text, columns)]


def _under(lines: tuple[str, ...], columns: int) -> list[str]:
    return [
        row for index, line in enumerate(lines) for row in wrap(line, columns, first=_UNDER if index else _CORNER, rest=_UNDER)
    ]
