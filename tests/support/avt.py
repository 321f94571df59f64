"""A second engine behind the seam: avt. It answers no queries and knows no titles; it keeps the contract from fitting one engine."""

import codecs
import re
from typing import Any

import avt

from coop.model.screen import Cell, Color, Cursor, ScreenSnapshot, Size, Style

_ALTERNATE = re.compile(r"\x1b\[\?1049([hl])")
_NUMBERS = re.compile(r"\d+")


class AvtScreen:
    def __init__(self, size: Size) -> None:
        self.size = size
        self.seq = 0
        self.in_synchronized_update = False
        self._vt = avt.Vt(size.cols, size.rows, 1000)
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._alternate = False
        self._last: tuple[tuple[str, ...], tuple[int, ...]] = ((), ())

    def feed(self, data: bytes) -> None:
        self.seq += 1
        text = self._decoder.decode(data)
        for switch in _ALTERNATE.findall(text):
            self._alternate = switch == "h"
        self._vt.feed_str(text)

    def take_replies(self) -> bytes:
        return b""

    def resize(self, size: Size) -> None:
        self.seq += 1
        self.size = size
        self._vt.resize(size.cols, size.rows)

    def snapshot(self) -> ScreenSnapshot:
        cursor = self._vt.cursor
        lines = tuple(line.text.rstrip() for line in self._vt.view())
        at = Cursor(cursor.row, cursor.col, cursor.visible)
        ahead = next((cell for cell in self.cells()[at.row][at.col + 1 :] if cell.text), None)
        is_faint_ahead = ahead is not None and ahead.style.faint
        return ScreenSnapshot(lines, self.size, at, self._alternate, "", self.seq, self._generations(lines), is_faint_ahead)

    def _generations(self, lines: tuple[str, ...]) -> tuple[int, ...]:
        before, generations = self._last
        if len(before) != len(lines):
            generations = (self.seq,) * len(lines)
        else:
            pairs = zip(lines, before, generations, strict=True)
            generations = tuple(generation if new == old else self.seq for new, old, generation in pairs)
        self._last = (lines, generations)
        return generations

    def ansi_lines(self) -> tuple[str, ...]:
        return tuple("".join(_sgr(chunk) for chunk in _runs(line.cells)) for line in self._vt.view())

    def scrollback(self, count: int) -> tuple[str, ...]:
        above = self._vt.lines()[: -self.size.rows]
        return tuple(line.text.rstrip() for line in above[-count:]) if count else ()

    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        return tuple(tuple(_cell(cell) for cell in line.cells) for line in self._vt.view())

    def modes(self) -> frozenset[str]:
        return frozenset({"?1"} if self._vt.cursor_key_app_mode else ())

    def dump(self) -> bytes:
        dumped: str = self._vt.dump()
        return dumped.encode()


def _cell(cell: Any) -> Cell:
    return Cell("" if cell.char == " " else cell.char, cell.width, _style(cell.pen))


def _style(pen: Any) -> Style:
    flags = {name: bool(getattr(pen, name)) for name in ("bold", "faint", "italic", "blink", "inverse", "strikethrough")}
    return Style(_color(pen.foreground), _color(pen.background), underline=int(pen.underline), **flags)


def _color(color: object) -> Color:
    if color is None:
        return None
    numbers = tuple(int(number) for number in _NUMBERS.findall(repr(color)))
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1], numbers[2])


def _runs(cells: list[Any]) -> list[tuple[Style, str]]:
    return [(_style(cell.pen), cell.char) for cell in cells if cell.width]


def _sgr(run: tuple[Style, str]) -> str:
    style, text = run
    codes = [str(code) for code, on in ((1, style.bold), (2, style.faint), (3, style.italic), (7, style.inverse)) if on]
    for base, color in ((38, style.fg), (48, style.bg)):
        if isinstance(color, int):
            codes.append(f"{base};5;{color}")
        elif color is not None:
            codes.append(f"{base};2;{color[0]};{color[1]};{color[2]}")
    return f"\x1b[0;{';'.join(codes)}m{text}" if codes else f"\x1b[0m{text}"
