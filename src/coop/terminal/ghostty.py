"""The screen on libghostty-vt. The only module that knows the library."""

import re
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from coop.model.screen import Cell, Cursor, Identity, Run, ScreenSnapshot, Size
from coop.terminal import queries
from coop.terminal.ghostty_abi import ffi, lib
from coop.terminal.ghostty_cells import CellReader, sgr
from coop.terminal.mending import SOFT_RESET, is_sound, mend, split_at_soft_resets

_PLAIN_TEXT = lib.GHOSTTY_FORMATTER_FORMAT_PLAIN
_VT = lib.GHOSTTY_FORMATTER_FORMAT_VT
_NOT_XTERMS = (b"\x1b]5522;",)  # replies of this engine that no xterm gives

# Modes worth carrying over to another terminal. 1049 is not here: the active screen is dumped on its own.
_PRIVATE_MODES = tuple(
    map(
        int,
        "1 5 6 7 9 12 25 45 66 69 1000 1002 1003 1004 1005 1006 1007 1015 1016 1035 1036 1039 2004 2026 2027 2031 2048".split(),
    )
)
_ANSI_MODES = (2, 4, 12, 20)
_SET_FROM_THE_START = frozenset({"?7", "?25", "?1007", "?1035", "?1036", "12", "?12", "?2027"})
_GRAPHEME_CLUSTERS = 2027
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # of a title, which would end the sequence it is put into
_EXTRAS = re.compile(r"(?P<margins>(?:\x1b\[(?P<top>\d+);\d+r)?(?:\x1b\[(?P<left>\d+);\d+s)?)(?P<style>.*)", re.DOTALL)


class GhosttyScreen:
    """Passes the contract of `Screen`. Widths follow grapheme clusters, as the agents' own renderers assume."""

    def __init__(self, size: Size, identity: Identity, *, scrollback: int = 1000) -> None:
        self._identity = identity
        self._size = size
        self._seq = 0
        self._replies = bytearray()
        self._tail = b""
        self._held = False
        self._bells = 0
        self._snapshot: ScreenSnapshot | None = None
        self._ansi: tuple[int, tuple[str, ...]] = (-1, ())
        handle = ffi.new("GhosttyTerminal*")
        _check(lib.ghostty_terminal_new(ffi.NULL, handle, size.cols, size.rows), "new")
        self._terminal = handle[0]
        self._buffer = ffi.new("uint8_t[]", 64 * 1024)
        self._terminfo = ffi.from_buffer(b"xterm-256color")
        self._reader = CellReader(self._terminal, lambda row, col: self._ref("ACTIVE", row, col))
        self._callbacks = list(self._listen())
        self._configure(scrollback)
        self.close = weakref.finalize(self, lib.ghostty_terminal_free, self._terminal)

    @property
    def seq(self) -> int:
        return self._seq

    @property
    def size(self) -> Size:
        return self._size

    @property
    def in_synchronized_update(self) -> bool:
        return self._held

    def feed(self, data: bytes) -> None:
        self._seq += 1
        if is_sound(self._tail, data):
            lib.ghostty_terminal_vt_write(self._terminal, data, len(data))
            self._remember(data)
            return
        start = 0
        for end in queries.ends(self._tail, data):
            self._feed_mended(data[start:end])
            self._replies += queries.answer(self._tail, self.cursor(), self._size)
            start = end
        self._feed_mended(data[start:])

    def take_replies(self) -> bytes:
        if not self._replies:
            return b""
        replies = bytes(self._replies)
        self._replies.clear()
        return replies

    def resize(self, size: Size) -> None:
        self._seq += 1
        self._size = size
        _check(lib.ghostty_terminal_resize(self._terminal, size.cols, size.rows, *queries.CELL), "resize")

    def snapshot(self) -> ScreenSnapshot:
        if self._snapshot is None or self._snapshot.seq != self._seq:
            lines, cursor = self._rows(), self.cursor()
            self._snapshot = ScreenSnapshot(
                lines=lines,
                size=self._size,
                cursor=cursor,
                alt_screen=self.on_alternate_screen(),
                title=self.title(),
                seq=self._seq,
                generations=self._generations(lines),
                is_faint_ahead=bool(lines[cursor.row]) and self._reader.is_faint_after(cursor.row, cursor.col),
            )
        return self._snapshot

    def ansi_lines(self) -> tuple[str, ...]:
        if self._ansi[0] != self._seq:
            self._ansi = (self._seq, self._reader.styled_rows())
        return self._ansi[1]

    def scrollback(self, count: int) -> tuple[str, ...]:
        kept = int(self._get("SCROLLBACK_ROWS", "size_t"))
        first = max(0, kept - count)
        if first == kept:
            return ()
        selection = self._select("HISTORY", first, kept - 1)
        rows = self._format(_PLAIN_TEXT, selection).split("\n")
        return tuple(rows + [""] * (kept - first - len(rows)))

    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        return self._reader.cells()

    def changed_rows(self, *, everything: bool = False) -> Iterator[tuple[int, tuple[Run, ...]]]:
        """The rows that changed since last asked: for whoever draws this screen on a real terminal."""
        return self._reader.changed(everything=everything)

    def title(self) -> str:
        return self._string("TITLE")

    def cursor_shape(self) -> int:
        """As DECSCUSR numbers them."""
        return self._reader.cursor_shape()

    def kitty_flags(self) -> int:
        """Of the keyboard protocol; 0 when the program has not asked for it."""
        return int(self._get("KITTY_KEYBOARD_FLAGS", "uint8_t"))

    def pen_is_plain(self) -> bool:
        """What is written next has no style, and moves nothing aside."""
        style = _sized("GhosttyStyle")
        _check(lib.ghostty_terminal_get(self._terminal, lib.GHOSTTY_TERMINAL_DATA_CURSOR_STYLE, style), "style")
        return bool(lib.ghostty_style_is_default(style)) and not self._mode(4, ansi=True)

    def take_bells(self) -> int:
        """How often it has rung since last asked."""
        bells, self._bells = self._bells, 0
        return bells

    def modes(self) -> frozenset[str]:
        private = {f"?{mode}" for mode in _PRIVATE_MODES if self._mode(mode)}
        return frozenset(private | {str(mode) for mode in _ANSI_MODES if self._mode(mode, ansi=True)})

    def dump(self) -> bytes:
        first = self._select("ACTIVE", 0, 0)
        tabs, rest = self._format(_VT, first, extra=True).split("\x1b[H", 1)
        extras = _EXTRAS.match(rest, len(self._format(_VT, first)))
        assert extras is not None
        pieces = (
            "\x1bc\x1b[?2027h",
            "\x1b[?1049h" if self.on_alternate_screen() else "",
            f"\x1b]2;{title}\x1b\\" if (title := self.title()) else "",
            *(f"\x1b[{n};1H{row}" for n, row in enumerate(self.ansi_lines(), 1) if row),
            "\x1b[0m",
            tabs,
            self._mode_changes(),
            extras["margins"],
            self._placement(int(extras["top"] or 1), int(extras["left"] or 1)),
            extras["style"],
            self._kitty_flags(),
        )
        return "".join(pieces).encode() + self._continuation()

    # The rest speaks C.

    def _configure(self, scrollback: int) -> None:
        self._set("SCROLLBACK_MAX_LINES", ffi.new("size_t*", scrollback))
        self._set("CONTINUATION_MAX_BYTES", ffi.new("size_t*", 64 * 1024))
        self._set("TERMINFO_NAME", ffi.new("GhosttyString*", {"ptr": self._terminfo, "len": len(self._terminfo)}))
        self._set("KITTY_IMAGE_STORAGE_LIMIT", ffi.new("uint64_t*", 0))
        for option, rgb in (("FOREGROUND", self._identity.foreground), ("BACKGROUND", self._identity.background)):
            self._set(f"COLOR_{option}", ffi.new("GhosttyColorRgb*", rgb))
        clusters = ffi.new("GhosttyTerminalModeConfig*", {"mode": _GRAPHEME_CLUSTERS, "value": True})
        for option in ("MODE_DEFAULT", "MODE"):
            self._set(option, clusters)

    def _listen(self) -> Iterator[Any]:
        """Sets the callbacks, and yields them: the library keeps no reference of its own."""
        me = weakref.ref(self)
        version = ffi.from_buffer((self._identity.version or "").encode())

        def on_reply(_terminal: Any, _user: Any, data: Any, length: int) -> None:
            screen = me()
            if screen is not None:
                screen._reply(bytes(ffi.buffer(data, length)))

        def on_size(_terminal: Any, _user: Any, out: Any) -> bool:
            screen = me()
            if screen is None:
                return False
            out.columns, out.rows = screen._size.cols, screen._size.rows
            out.cell_width, out.cell_height = queries.CELL
            return True

        def on_attributes(_terminal: Any, _user: Any, out: Any) -> bool:
            screen = me()
            if screen is not None:
                screen._describe(out)
            return screen is not None

        def on_version(_terminal: Any, _user: Any) -> Any:
            return ffi.new("GhosttyString*", {"ptr": version, "len": len(version)})[0]

        def on_hold(_terminal: Any, _user: Any, held: bool) -> None:
            screen = me()
            if screen is not None:
                screen._held = held

        def on_bell(_terminal: Any, _user: Any) -> None:
            screen = me()
            if screen is not None:
                screen._bells += 1

        listeners: tuple[tuple[str, str, Callable[..., Any]], ...] = (
            ("WRITE_PTY", "GhosttyTerminalWritePtyFn", on_reply),
            ("SIZE", "GhosttyTerminalSizeFn", on_size),
            ("DEVICE_ATTRIBUTES", "GhosttyTerminalDeviceAttributesFn", on_attributes),
            ("XTVERSION", "GhosttyTerminalXtversionFn", on_version),
            ("RENDER_HOLD", "GhosttyTerminalRenderHoldFn", on_hold),
            ("BELL", "GhosttyTerminalBellFn", on_bell),
        )
        for option, kind, listener in listeners:
            callback = ffi.callback(kind, listener)
            self._set(option, callback)
            yield callback
        yield version

    def _describe(self, out: Any) -> None:
        level, *features = self._identity.primary_attributes
        out.primary.conformance_level = level
        out.primary.num_features = len(features)
        for n, feature in enumerate(features):
            out.primary.features[n] = feature
        device, firmware, cartridge = self._identity.secondary_attributes
        out.secondary.device_type, out.secondary.firmware_version, out.secondary.rom_cartridge = device, firmware, cartridge
        out.tertiary.unit_id = 0

    def _reply(self, data: bytes) -> None:
        is_kitty = data.startswith(b"\x1b[?") and data.endswith(b"u")
        is_version = data.startswith(b"\x1bP>|")
        if (
            (is_kitty and not self._identity.answers_kitty_keyboard)
            or (is_version and self._identity.version is None)
            or data.startswith(_NOT_XTERMS)
        ):
            return
        self._replies += data

    def _feed_mended(self, data: bytes) -> None:
        data = mend(self._tail, data)
        first, *after_resets = split_at_soft_resets(self._tail, data)
        lib.ghostty_terminal_vt_write(self._terminal, first, len(first))
        for piece in after_resets:
            self._soft_reset()
            lib.ghostty_terminal_vt_write(self._terminal, piece, len(piece))
        self._remember(data)

    def _remember(self, data: bytes) -> None:
        self._tail = (self._tail + data if len(data) < queries.LONGEST else data)[-queries.LONGEST :]

    def _soft_reset(self) -> None:
        at = self.cursor()
        reset = SOFT_RESET + b"\x1b[%d;%dH" % (at.row + 1, at.col + 1)
        lib.ghostty_terminal_vt_write(self._terminal, reset, len(reset))

    def _set(self, option: str, value: Any) -> None:
        _check(lib.ghostty_terminal_set(self._terminal, getattr(lib, f"GHOSTTY_TERMINAL_OPT_{option}"), value), option)

    def _get(self, key: str, ctype: str) -> Any:
        out = ffi.new(ctype + "*")
        _check(lib.ghostty_terminal_get(self._terminal, getattr(lib, f"GHOSTTY_TERMINAL_DATA_{key}"), out), key)
        return out[0]

    def _mode(self, number: int, *, ansi: bool = False) -> bool:
        config = ffi.new("GhosttyTerminalModeConfig*", {"mode": number | (ansi << 15)})
        _check(lib.ghostty_terminal_get(self._terminal, lib.GHOSTTY_TERMINAL_DATA_MODE, config), f"mode {number}")
        return bool(config.value)

    def _string(self, key: str) -> str:
        found = self._get(key, "GhosttyString")
        return _CONTROLS.sub("", ffi.buffer(found.ptr, found.len)[:].decode(errors="replace")) if found.len else ""

    def cursor(self) -> Cursor:
        row, col = self._get("CURSOR_Y", "uint16_t"), self._get("CURSOR_X", "uint16_t")
        return Cursor(row, col, visible=bool(self._get("CURSOR_VISIBLE", "bool")))

    def on_alternate_screen(self) -> bool:
        return bool(self._get("ACTIVE_SCREEN", "GhosttyTerminalScreen") == lib.GHOSTTY_TERMINAL_SCREEN_ALTERNATE)

    def _pending_wrap(self) -> bool:
        return bool(self._get("CURSOR_PENDING_WRAP", "bool"))

    def _rows(self) -> tuple[str, ...]:
        rows = self._format(_PLAIN_TEXT, self._select("ACTIVE", 0, self._size.rows - 1)).split("\n")
        return tuple(rows + [""] * (self._size.rows - len(rows)))

    def _generations(self, rows: tuple[str, ...]) -> tuple[int, ...]:
        before = self._snapshot
        if before is None or len(before.lines) != len(rows):
            return (self._seq,) * len(rows)
        known = zip(rows, before.lines, before.generations, strict=True)
        return tuple(generation if new == old else self._seq for new, old, generation in known)

    def _select(self, tag: str, first: int, last: int) -> Any:
        selection = _sized("GhosttySelection")
        selection.start = self._ref(tag, first, 0)[0]
        selection.end = self._ref(tag, last, self._size.cols - 1)[0]
        return selection

    def _ref(self, tag: str, row: int, col: int) -> Any:
        point = ffi.new("CoopPoint*", {"tag": getattr(lib, f"GHOSTTY_POINT_TAG_{tag}"), "value": {"x": col, "y": row}})
        ref = _sized("GhosttyGridRef")
        _check(_grid_ref(self._terminal, point[0], ref), "grid_ref")
        return ref

    def _format(self, emit: int, selection: Any, *, extra: bool = False) -> str:
        options = _sized("GhosttyFormatterTerminalOptions")
        options.emit, options.trim, options.selection = emit, True, selection
        if extra:
            options.extra.scrolling_region = options.extra.tabstops = True
            options.extra.screen.style = options.extra.screen.charsets = options.extra.screen.protection = True
        formatter = ffi.new("GhosttyFormatter*")
        _check(lib.ghostty_formatter_terminal_new(ffi.NULL, formatter, self._terminal, options[0]), "formatter")
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

    def _mode_changes(self) -> str:
        now = self.modes()
        off = "".join(f"\x1b[{mode}l" for mode in sorted(_SET_FROM_THE_START - now))
        return off + "".join(f"\x1b[{mode}h" for mode in sorted(now - _SET_FROM_THE_START))

    def _placement(self, top: int, left: int) -> str:
        """Brings the cursor to its place; in origin mode that is counted from the margins."""
        cursor = self.cursor()
        row, col = (cursor.row + 2 - top, cursor.col + 2 - left) if self._mode(6) else (cursor.row + 1, cursor.col + 1)
        return f"\x1b[{row};{col}H" + (self._last_character() if self._pending_wrap() else "")

    def _last_character(self) -> str:
        """The character under the cursor with its style: writing it again brings back the pending wrap."""
        at = self.cursor()
        row = self._reader.cells()[at.row]
        cell, back = (row[at.col], "") if row[at.col].width else (row[at.col - 1], "\x1b[D")
        return f"{back}{sgr(cell.style)}{cell.text or ' '}\x1b[0m"

    def _kitty_flags(self) -> str:
        flags = self.kitty_flags()
        return f"\x1b[>{flags}u" if flags else ""

    def _continuation(self) -> bytes:
        """The beginning of the sequence the program is in the middle of."""
        length = ffi.new("size_t*")
        result = lib.ghostty_terminal_continuation_buf(self._terminal, self._buffer, len(self._buffer), length)
        return bytes(ffi.buffer(self._buffer, length[0])) if result == lib.GHOSTTY_SUCCESS else b""


def _check(result: int, what: str) -> None:
    if result != 0:
        raise RuntimeError(f"libghostty-vt: {what} failed with {result}")


def _sized(ctype: str) -> Any:
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
