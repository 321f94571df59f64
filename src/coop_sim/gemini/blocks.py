"""What scrolls away above the input: what was said, what tools did, and what went wrong."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coop_sim.cells import wrap
from coop_sim.gemini.boxes import box, fence, split

FAILED = (
    'This request failed. Press F12 for diagnostics, or run /settings and change "Error Verbosity" to full for full details.'
)
CANCELLED = "Request cancelled."


@dataclass(frozen=True, slots=True)
class Asked:
    text: str
    glyph: str = ">"


@dataclass(frozen=True, slots=True)
class Said:
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """`ℹ`, `✕` or `⚠`, and words."""

    mark: str
    words: str


@dataclass(frozen=True, slots=True)
class Boxed:
    """Tools in one box: the mark, what it is, and what came of it."""

    tools: tuple[tuple[str, str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """A file that was changed, or was not."""

    heading: str
    diff: tuple[str, ...]


Block = Asked | Said | Told | Boxed | Changed


def rows(blocks: Sequence[Block], columns: int, *, is_bright: bool, after: Block | None = None) -> list[str]:
    """`after`: what stands above. What is said to a prompt stands right under it; else there is a blank row between."""
    drawn: list[str] = []
    for block in blocks:
        new = _ROWS[type(block)](block, columns, is_bright)
        drawn += new[1:] if isinstance(block, Said) and isinstance(after, Asked) else new
        after = block
    return drawn


def _asked(block: Asked, columns: int, is_bright: bool) -> list[str]:
    said = wrap(block.text, columns - 1, first=f" {block.glyph} ", rest="   ")
    return fence(said, columns, is_bright=is_bright)


def _said(block: Said, columns: int, is_bright: bool) -> list[str]:
    return ["", *wrap(block.text, columns - 1, first="✦ ", rest="  ")]


def _told(block: Told, columns: int, is_bright: bool) -> list[str]:
    return ["", *wrap(block.words, columns - 1, first=f"{block.mark} ", rest="  ")]


def _boxed(block: Boxed, columns: int, is_bright: bool) -> list[str]:
    inside = columns - 8
    shown = [row for mark, name, out in block.tools for row in (split(f"{mark}  {name}", "", inside), "", *out)]
    return ["", *box(shown, columns - 4)]


def _changed(block: Changed, columns: int, is_bright: bool) -> list[str]:
    return ["", f"  {block.heading}", "", *(f"      {row}" for row in block.diff), ""]


_ROWS: dict[type[Block], Callable[..., list[str]]] = {
    Asked: _asked,
    Said: _said,
    Told: _told,
    Boxed: _boxed,
    Changed: _changed,
}
