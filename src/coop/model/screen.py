"""What a terminal shows, as values."""

from dataclasses import dataclass, replace
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Size:
    cols: int
    rows: int


@dataclass(frozen=True, slots=True)
class Cursor:
    """Counted from zero, top left."""

    row: int
    col: int
    visible: bool = True


@dataclass(frozen=True, slots=True)
class ScreenSnapshot:
    """One moment of a screen. `seq` grows with everything that was fed; equal `seq`, equal screen."""

    lines: tuple[str, ...]
    size: Size
    cursor: Cursor
    alt_screen: bool
    title: str
    seq: int
    generations: tuple[int, ...] = ()
    """For each row the `seq` at which it was last seen to change."""
    is_faint_ahead: bool = False
    """Is what stands next behind the character at the cursor, on its row, faint? So programs draw what nobody typed."""


Color = None | int | tuple[int, int, int]
"""The default colour, an index of the palette, or red, green and blue."""


@dataclass(frozen=True, slots=True)
class Style:
    fg: Color = None
    bg: Color = None
    underline_color: Color = None
    bold: bool = False
    faint: bool = False
    italic: bool = False
    underline: int = 0
    blink: bool = False
    inverse: bool = False
    invisible: bool = False
    strikethrough: bool = False
    overline: bool = False

    def on_blank(self) -> "Style":
        """What of it can be seen where there is no character: the background, and lines in their colour."""
        lines = bool(self.underline) or self.strikethrough or self.overline
        return replace(
            self,
            fg=self.fg if lines or self.inverse else None,
            underline_color=self.underline_color if self.underline else None,
            bold=False,
            faint=False,
            italic=False,
            blink=False,
            invisible=False,
        )


PLAIN = Style()


@dataclass(frozen=True, slots=True)
class Cell:
    """One character cell. A wide character has width 2, and the cell after it is empty with width 0."""

    text: str
    width: int = 1
    style: Style = PLAIN


class Run(NamedTuple):
    """Neighbouring characters of one style, from a column on. A wide or a composed character is a run of its own."""

    col: int
    text: str
    width: int
    style: Style = PLAIN
    is_odd: bool = False
    """It is such a character; terminals do not agree on how wide it is."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Which terminal we say we are: agents send, and expect, different bytes for different answers."""

    name: str
    version: str | None
    """The answer to XTVERSION; `None` stays silent."""
    primary_attributes: tuple[int, ...]
    """DA1: the conformance level, then the features."""
    secondary_attributes: tuple[int, int, int]
    foreground: tuple[int, int, int] = (0xE5, 0xE5, 0xE5)
    background: tuple[int, int, int] = (0x00, 0x00, 0x00)
    answers_kitty_keyboard: bool = False


XTERM = Identity(
    name="xterm",
    version="XTerm(390)",
    primary_attributes=(64, 1, 2, 6, 9, 15, 16, 17, 18, 21, 22, 28, 29),
    secondary_attributes=(41, 390, 0),
)
"""A present-day xterm with its default resources."""
