"""One terminal of libghostty-vt, spoken to in the library's own terms. Whoever makes it frees it."""

import re
from collections.abc import Callable
from typing import Any

from coop.model.screen import Cursor, Size
from coop.terminal import queries
from coop.terminal.ghostty_abi import ffi, lib

_PLAIN_TEXT = lib.GHOSTTY_FORMATTER_FORMAT_PLAIN
_VT = lib.GHOSTTY_FORMATTER_FORMAT_VT
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # of a title, which would end the sequence it is put into


class Engine:
    def __init__(self, size: Size) -> None:
        self.size = size
        handle = ffi.new("GhosttyTerminal*")
        _check(lib.ghostty_terminal_new(ffi.NULL, handle, size.cols, size.rows), "new")
        self.handle = handle[0]
        self._buffer = ffi.new("uint8_t[]", 64 * 1024)

    def write(self, data: bytes) -> None:
        lib.ghostty_terminal_vt_write(self.handle, data, len(data))

    def resize(self, size: Size) -> None:
        self.size = size
        _check(lib.ghostty_terminal_resize(self.handle, size.cols, size.rows, *queries.CELL), "resize")

    def set(self, option: str, value: Any) -> None:
        _check(lib.ghostty_terminal_set(self.handle, getattr(lib, f"GHOSTTY_TERMINAL_OPT_{option}"), value), option)

    def get(self, key: str, ctype: str) -> Any:
        out = ffi.new(ctype + "*")
        _check(lib.ghostty_terminal_get(self.handle, getattr(lib, f"GHOSTTY_TERMINAL_DATA_{key}"), out), key)
        return out[0]

    def mode(self, number: int, *, ansi: bool = False) -> bool:
        config = ffi.new("GhosttyTerminalModeConfig*", {"mode": number | (ansi << 15)})
        _check(lib.ghostty_terminal_get(self.handle, lib.GHOSTTY_TERMINAL_DATA_MODE, config), f"mode {number}")
        return bool(config.value)

    def set_mode(self, number: int, *, to: bool, option: str = "MODE") -> None:
        """Of the mode alone: nothing that comes with it is done."""
        self.set(option, ffi.new("GhosttyTerminalModeConfig*", {"mode": number, "value": to}))

    def kitty_flags(self) -> int:
        return int(self.get("KITTY_KEYBOARD_FLAGS", "uint8_t"))

    def string(self, key: str) -> str:
        found = self.get(key, "GhosttyString")
        return _CONTROLS.sub("", ffi.buffer(found.ptr, found.len)[:].decode(errors="replace")) if found.len else ""

    def cursor(self) -> Cursor:
        row, col = self.get("CURSOR_Y", "uint16_t"), self.get("CURSOR_X", "uint16_t")
        return Cursor(row, col, visible=bool(self.get("CURSOR_VISIBLE", "bool")))

    def on_alternate_screen(self) -> bool:
        return bool(self.get("ACTIVE_SCREEN", "GhosttyTerminalScreen") == lib.GHOSTTY_TERMINAL_SCREEN_ALTERNATE)

    def pending_wrap(self) -> bool:
        return bool(self.get("CURSOR_PENDING_WRAP", "bool"))

    def select(self, tag: str, first: int, last: int) -> Any:
        selection = sized("GhosttySelection")
        selection.start = self.ref(tag, first, 0)[0]
        selection.end = self.ref(tag, last, self.size.cols - 1)[0]
        return selection

    def ref(self, tag: str, row: int, col: int) -> Any:
        point = ffi.new("CoopPoint*", {"tag": getattr(lib, f"GHOSTTY_POINT_TAG_{tag}"), "value": {"x": col, "y": row}})
        ref = sized("GhosttyGridRef")
        _check(_grid_ref(self.handle, point[0], ref), "grid_ref")
        return ref

    def plain(self, selection: Any) -> str:
        return self._format(_PLAIN_TEXT, selection)

    def styled(self, selection: Any, *, extra: bool = False) -> str:
        """As sequences; `extra` has the margins, the tab stops, and what is written next looks like."""
        return self._format(_VT, selection, extra=extra)

    def continuation(self) -> bytes:
        """The beginning of the sequence the program is in the middle of."""
        length = ffi.new("size_t*")
        result = lib.ghostty_terminal_continuation_buf(self.handle, self._buffer, len(self._buffer), length)
        return bytes(ffi.buffer(self._buffer, length[0])) if result == lib.GHOSTTY_SUCCESS else b""

    def _format(self, emit: int, selection: Any, *, extra: bool = False) -> str:
        options = sized("GhosttyFormatterTerminalOptions")
        options.emit, options.trim, options.selection = emit, True, selection
        if extra:
            options.extra.scrolling_region = options.extra.tabstops = True
            options.extra.screen.style = options.extra.screen.charsets = options.extra.screen.protection = True
        formatter = ffi.new("GhosttyFormatter*")
        _check(lib.ghostty_formatter_terminal_new(ffi.NULL, formatter, self.handle, options[0]), "formatter")
        try:
            return self._filled(lambda buffer, size, out: lib.ghostty_formatter_format_buf(formatter[0], buffer, size, out))
        finally:
            lib.ghostty_formatter_free(formatter[0])

    def _filled(self, fill: Callable[[Any, int, Any], int]) -> str:
        length = ffi.new("size_t*")
        result = fill(self._buffer, len(self._buffer), length)
        if result == lib.GHOSTTY_OUT_OF_SPACE:
            self._buffer = ffi.new("uint8_t[]", 2 * int(length[0]))
            result = fill(self._buffer, len(self._buffer), length)
        _check(result, "format")
        return str(ffi.buffer(self._buffer, length[0])[:].decode(errors="replace"))


def _check(result: int, what: str) -> None:
    if result != 0:
        raise RuntimeError(f"libghostty-vt: {what} failed with {result}")


def sized(ctype: str) -> Any:
    """A struct that carries its own size, as do the structs inside it."""
    made = ffi.new(ctype + "*")
    _fill_sizes(made)
    return made


def _fill_sizes(pointer: Any) -> None:
    kind = ffi.typeof(pointer).item
    for name, field in kind.fields:
        if name == "size":
            pointer.size = ffi.sizeof(kind)
        elif field.type.kind == "struct":
            _fill_sizes(ffi.addressof(pointer[0], name))


_grid_ref = ffi.cast(
    "GhosttyResult(*)(GhosttyTerminal, CoopPoint, GhosttyGridRef*)", ffi.addressof(lib, "ghostty_terminal_grid_ref")
)
