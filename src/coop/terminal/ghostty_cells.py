"""Cells of the engine's grid, decoded from its packed words.

The library's own formatter lets a style run on over cells that were never written, and leaves coloured blank rows out;
so rows with styles are put together here. The layout of a word is the one `ghostty_type_json` documents.
"""

from collections.abc import Callable, Iterator
from itertools import groupby, takewhile
from typing import Any

from coop.model.screen import PLAIN, Cell, Color, Run, Style
from coop.terminal.ghostty_abi import ffi, lib

Ref = Callable[[int, int], Any]
"""A grid reference for a row and a column."""

_CONTENT = 0xFFFFFF << 2
_CODEPOINT = 0x1FFFFF
_STYLE = 0xFFFF << 26
_IS_BACKGROUND = 0b10  # of the content tag: the cell holds a colour instead of a character
_GRAPHEME = 1
_RGB = 3
_WIDE, _TAIL = 1, 2
_SPECIAL = 0b11 | 0b11 << 42  # anything but one narrow character
_WIDTH = {_WIDE: 2, _TAIL: 0}
_SHAPES = {
    lib.GHOSTTY_RENDER_STATE_CURSOR_VISUAL_STYLE_BLOCK: 2,
    lib.GHOSTTY_RENDER_STATE_CURSOR_VISUAL_STYLE_UNDERLINE: 4,
    lib.GHOSTTY_RENDER_STATE_CURSOR_VISUAL_STYLE_BAR: 6,
}
_FLAGS = ("bold", "faint", "italic", "blink", "inverse", "invisible", "strikethrough", "overline")
_SGR = {"bold": 1, "faint": 2, "italic": 3, "blink": 5, "inverse": 7, "invisible": 8, "strikethrough": 9, "overline": 53}


class CellReader:
    """Reads the visible rows of one terminal."""

    def __init__(self, terminal: Any, ref: Ref) -> None:
        self._terminal = terminal
        self._ref = ref
        state = ffi.new("GhosttyRenderState*")
        rows = ffi.new("GhosttyRenderStateRowIterator*")
        lib.ghostty_render_state_new(ffi.NULL, state)
        lib.ghostty_render_state_row_iterator_new(ffi.NULL, rows)
        self._state = ffi.gc(state[0], lib.ghostty_render_state_free)
        self._rows = ffi.gc(rows[0], lib.ghostty_render_state_row_iterator_free)
        self._flag = ffi.new("bool*")
        self._view = ffi.new("GhosttyCellsView*")

    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        styles: dict[int, Style] = {}
        rows = enumerate(self._words(trimmed=False))
        return tuple(tuple(self._cell(word, row, col, styles) for col, word in enumerate(words)) for row, words in rows)

    def styled_rows(self) -> tuple[str, ...]:
        """Every row with its styles as SGR sequences, each beginning and ending without any."""
        styles: dict[int, Style] = {}
        return tuple(self._styled(row, words, styles) for row, words in enumerate(self._words(trimmed=True)))

    def changed(self, *, everything: bool) -> Iterator[tuple[int, tuple[Run, ...]]]:
        """The rows that changed since last asked, without the blanks at their ends."""
        styles: dict[int, Style] = {}
        everything = self._was_all_changed() or everything
        for row in self._rows_in_turn() if everything else self._changed_rows():
            yield row, tuple(self._runs(row, self._row_words(trimmed=True), styles))

    def is_faint_after(self, row: int, col: int) -> bool:
        """Is the first character of that row behind that column faint?"""
        lib.ghostty_render_state_update(self._state, self._terminal)
        for _ in takewhile(lambda at: at < row, self._rows_in_turn()):
            pass  # the iterator stands at the row now
        words = self._row_words(trimmed=True)
        there = next((at for at in range(col + 1, len(words)) if self._text(words[at], row, at).strip()), None)
        return there is not None and self._style(words[there], row, there, {}).faint

    def cursor_shape(self) -> int:
        """As DECSCUSR numbers them, from 1 on."""
        lib.ghostty_render_state_update(self._state, self._terminal)
        shape = self._state_value("CURSOR_VISUAL_STYLE", "GhosttyRenderStateCursorVisualStyle")
        return _SHAPES.get(shape, 2) - bool(self._state_value("CURSOR_BLINKING", "bool"))

    def _was_all_changed(self) -> bool:
        lib.ghostty_render_state_update(self._state, self._terminal)
        changed = self._state_value("DIRTY", "GhosttyRenderStateDirty")
        unchanged = ffi.new("GhosttyRenderStateDirty*", lib.GHOSTTY_RENDER_STATE_DIRTY_FALSE)
        lib.ghostty_render_state_set(self._state, lib.GHOSTTY_RENDER_STATE_OPTION_DIRTY, unchanged)
        return bool(changed == lib.GHOSTTY_RENDER_STATE_DIRTY_FULL)

    def _changed_rows(self) -> Iterator[int]:
        """Brings the iterator to each row that was not told of since it changed. Called for every frame: hence the short names."""
        rows, flag, get = self._rows, self._flag, lib.ghostty_render_state_row_get
        is_changed = lib.GHOSTTY_RENDER_STATE_ROW_DATA_DIRTY
        for row in self._rows_in_turn():
            get(rows, is_changed, flag)
            if flag[0]:
                flag[0] = False
                lib.ghostty_render_state_row_set(rows, lib.GHOSTTY_RENDER_STATE_ROW_OPTION_DIRTY, flag)
                yield row

    def _state_value(self, key: str, ctype: str) -> Any:
        out = ffi.new(ctype + "*")
        lib.ghostty_render_state_get(self._state, getattr(lib, f"GHOSTTY_RENDER_STATE_DATA_{key}"), out)
        return out[0]

    def _runs(self, row: int, words: list[int], styles: dict[int, Style]) -> Iterator[Run]:
        col = 0
        for _, neighbours in groupby(words, _kind):
            cells = list(neighbours)
            style = self._style(cells[0], row, col, styles)
            if cells[0] & _SPECIAL and not cells[0] & _IS_BACKGROUND:
                yield from (
                    Run(at, self._text(word, row, at) or " " * _width(word), _width(word), style, is_odd=True)
                    for at, word in enumerate(cells, col)
                    if _width(word)
                )
            else:
                yield Run(col, self._run(cells, row, col), len(cells), style)
            col += len(cells)

    def _words(self, *, trimmed: bool) -> Iterator[list[int]]:
        """The packed cells of each row; `trimmed` leaves out what was never written at its end."""
        lib.ghostty_render_state_update(self._state, self._terminal)
        return (self._row_words(trimmed=trimmed) for _ in self._rows_in_turn())

    def _rows_in_turn(self) -> Iterator[int]:
        """Brings the iterator to each row, as of the last update."""
        rows = ffi.new("GhosttyRenderStateRowIterator*", self._rows)
        lib.ghostty_render_state_get(self._state, lib.GHOSTTY_RENDER_STATE_DATA_ROW_ITERATOR, rows)
        row, these, has_next = 0, self._rows, lib.ghostty_render_state_row_iterator_next
        while has_next(these):
            yield row
            row += 1

    def _row_words(self, *, trimmed: bool) -> list[int]:
        view = self._view
        lib.ghostty_render_state_row_get(self._rows, lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS_RAW, view)
        count = view.len
        if trimmed:
            count = -(-len(bytes(ffi.buffer(view.ptr, 8 * count)).rstrip(b"\0")) // 8)
        return ffi.unpack(view.ptr, count) if count else []

    def _styled(self, row: int, words: list[int], styles: dict[int, Style]) -> str:
        pieces: list[str] = []
        col, pen = 0, PLAIN
        for _, run in groupby(words, _look):
            cells = list(run)
            style = self._style(cells[0], row, col, styles)
            if style != pen:
                pieces.append(sgr(style))
                pen = style
            pieces.append(self._run(cells, row, col))
            col += len(cells)
        if pen == PLAIN:
            return "".join(pieces).rstrip(" ")
        return "".join((*pieces, "\x1b[0m"))

    def _run(self, cells: list[int], row: int, col: int) -> str:
        if not any(word & _SPECIAL for word in cells):
            return "".join([chr((word >> 2) & _CODEPOINT or 32) for word in cells])
        return "".join([self._text(word, row, at) or " " for at, word in enumerate(cells, col) if _width(word)])

    def _cell(self, word: int, row: int, col: int, styles: dict[int, Style]) -> Cell:
        text = self._text(word, row, col)
        style = self._style(word, row, col, styles)
        return Cell("", _width(word), style.on_blank()) if text in ("", " ") else Cell(text, _width(word), style)

    def _text(self, word: int, row: int, col: int) -> str:
        if word & _IS_BACKGROUND:
            return ""
        if word & 0b11 == _GRAPHEME:
            return _graphemes(self._ref(row, col))
        codepoint = (word >> 2) & _CODEPOINT
        return chr(codepoint) if codepoint else ""

    def _style(self, word: int, row: int, col: int, styles: dict[int, Style]) -> Style:
        if word & _IS_BACKGROUND:
            return Style(bg=_background(word))
        key = word & _STYLE
        if not key:
            return PLAIN
        if key not in styles:
            styles[key] = _style_at(self._ref(row, col))
        return styles[key]


def sgr(style: Style) -> str:
    """From any style to this one."""
    codes = ["0", *(str(code) for flag, code in _SGR.items() if getattr(style, flag))]
    if style.underline:
        codes.append("4" if style.underline == 1 else f"4:{style.underline}")
    for base, color in ((38, style.fg), (48, style.bg), (58, style.underline_color)):
        if isinstance(color, int):
            codes.append(f"{base};5;{color}")
        elif color is not None:
            codes.append(f"{base};2;{color[0]};{color[1]};{color[2]}")
    return f"\x1b[{';'.join(codes)}m"


def _look(word: int) -> int:
    """What two neighbours must have in common to be drawn in one go."""
    return word & (_CONTENT | 0b11) if word & _IS_BACKGROUND else word & _STYLE


def _kind(word: int) -> int:
    """What two neighbours must have in common to be one run."""
    return word & (_CONTENT | 0b11) if word & _IS_BACKGROUND else word & (_STYLE | _SPECIAL)


def _width(word: int) -> int:
    return _WIDTH.get((word >> 42) & 0b11, 1)


def _background(word: int) -> Color:
    content = (word & _CONTENT) >> 2
    if word & 0b11 == _RGB:
        return (content & 0xFF, (content >> 8) & 0xFF, content >> 16)
    return content & 0xFF


def _graphemes(ref: Any) -> str:
    size, length = 16, ffi.new("size_t*")
    points = ffi.new("uint32_t[]", size)
    while (result := lib.ghostty_grid_ref_graphemes(ref, points, size, length)) == lib.GHOSTTY_OUT_OF_SPACE:
        size = max(2 * size, int(length[0]))
        points = ffi.new("uint32_t[]", size)
    return "" if result != 0 else "".join(chr(points[n]) for n in range(length[0]))


def _style_at(ref: Any) -> Style:
    style = ffi.new("GhosttyStyle*")
    style.size = ffi.sizeof("GhosttyStyle")
    lib.ghostty_grid_ref_style(ref, style)
    flags = {flag: bool(getattr(style, flag)) for flag in _FLAGS}
    fg, bg, line = (_color(color) for color in (style.fg_color, style.bg_color, style.underline_color))
    return Style(fg, bg, line, underline=style.underline, **flags)


def _color(color: Any) -> Color:
    if color.tag == lib.GHOSTTY_STYLE_COLOR_PALETTE:
        return int(color.value.palette)
    if color.tag == lib.GHOSTTY_STYLE_COLOR_RGB:
        return (color.value.rgb.r, color.value.rgb.g, color.value.rgb.b)
    return None
