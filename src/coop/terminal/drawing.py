"""A terminal's picture as bytes: fed to another terminal of that size, they make it look and behave like the first."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from coop.model.screen import Size

_BLANK = b"\x1b[?1049l\x1b[?69l\x1b[?6l\x1b[4l\x1b[?7h\x1b[r\x1b[m\x1b(B\x1b)0\x0f\x1b[H\x1b[2J\x1b[3J"
"""Nothing is shown or remembered. Modes that nobody can tell us of (bracketed paste) stay as they are."""
_PEN = re.compile(rb"\x1b\[[0-9;:]*m|[\x0e\x0f]")
_NEW_PEN = re.compile(rb"\x1b\[0*[;m]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Picture:
    size: Size
    rows: Sequence[bytes]
    """What scrolled away, if anything, and then what is shown. Colours may run on from one row to the next."""
    cursor: tuple[int, int] = (0, 0)
    """Row and column."""
    modes: Sequence[tuple[str, bool]] = ()
    """`("?25", True)`; the keypad's is `"="`."""
    beneath: Sequence[bytes] | None = None
    """The main screen's rows, while the alternate one is shown."""
    beneath_cursor: tuple[int, int] = (0, 0)
    region: tuple[int, int] | None = None
    """The first and the last row that scroll."""
    title: str = ""
    pending: bytes = b""
    """The beginning of a sequence that has not ended yet."""


def drawn(picture: Picture) -> bytes:
    return b"".join(_drawn(picture))


def _drawn(picture: Picture) -> Iterator[bytes]:
    yield _BLANK
    if picture.beneath is not None:
        yield from _rows(picture.beneath, picture.beneath_cursor)
        yield b"\x1b[?1049h\x1b[H\x1b[2J"
    yield from _rows(picture.rows, picture.cursor)
    yield b"\x1b)B"
    if picture.title:
        yield b"\x1b]2;" + _CONTROL.sub("", picture.title).encode() + b"\x07"
    top, bottom = picture.region or (0, picture.size.rows - 1)
    if (top, bottom) != (0, picture.size.rows - 1):
        yield b"\x1b[%d;%dr" % (top + 1, bottom + 1)
    yield from (_mode(name, is_on) for name, is_on in picture.modes)
    is_relative = ("?6", True) in picture.modes
    yield _to(picture.cursor[0] - (top if is_relative else 0), picture.cursor[1])
    yield picture.pending


def _rows(rows: Sequence[bytes], cursor: tuple[int, int]) -> Iterator[bytes]:
    yield b"\r\n".join(alone(rows))
    yield _to(*cursor)


def alone(rows: Iterable[bytes]) -> Iterator[bytes]:
    """Each row with the colours it begins with, and none at its end: else the next row's blanks would be coloured."""
    pen, shift = b"", b"\x0f"
    for row in rows:
        yield pen + shift + row + b"\x1b[m\x0f"
        for change in _PEN.findall(row):
            if len(change) == 1:
                shift = change
            else:
                pen = change if _NEW_PEN.match(change) else pen + change


def _to(row: int, column: int) -> bytes:
    return b"\x1b[%d;%dH" % (max(0, row) + 1, column + 1)


def _mode(name: str, is_on: bool) -> bytes:
    if name == "=":
        return b"\x1b=" if is_on else b"\x1b>"
    return f"\x1b[{name}{'h' if is_on else 'l'}".encode()
