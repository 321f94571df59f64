"""The screen on libghostty-vt. Only this module and those of its name know the library."""

import weakref
from collections.abc import Callable, Iterator
from typing import Any

from coop.model.screen import Cell, Cursor, Identity, Run, ScreenSnapshot, Size
from coop.terminal import queries
from coop.terminal.ghostty_abi import ffi, lib
from coop.terminal.ghostty_cells import CellReader
from coop.terminal.ghostty_dump import Dump, modes_of
from coop.terminal.ghostty_engine import Engine, sized
from coop.terminal.mending import SOFT_RESET, is_sound, mend, split_at_soft_resets

_NOT_XTERMS = (b"\x1b]5522;",)  # replies of this engine that no xterm gives
_GRAPHEME_CLUSTERS = 2027


class GhosttyScreen:
    """Passes the contract of `Screen`. Widths follow grapheme clusters, as the agents' own renderers assume."""

    def __init__(self, size: Size, identity: Identity, *, scrollback: int = 1000) -> None:
        self._identity = identity
        self._seq = 0
        self._replies = bytearray()
        self._tail = b""
        self._held = False
        self._bells = 0
        self._snapshot: ScreenSnapshot | None = None
        self._ansi: tuple[int, tuple[str, ...]] = (-1, ())
        self._engine = engine = Engine(size)
        self._terminal = engine.handle
        self._terminfo = ffi.from_buffer(b"xterm-256color")
        self._reader = CellReader(self._terminal, lambda row, col: engine.ref("ACTIVE", row, col))
        self._callbacks = list(self._listen())
        self._configure(scrollback)
        self.close = weakref.finalize(self, lib.ghostty_terminal_free, self._terminal)

    @property
    def seq(self) -> int:
        return self._seq

    @property
    def size(self) -> Size:
        return self._engine.size

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
            self._replies += queries.answer(self._tail, self._engine.cursor(), self.size)
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
        self._engine.resize(size)

    def snapshot(self) -> ScreenSnapshot:
        if self._snapshot is None or self._snapshot.seq != self._seq:
            lines, cursor = self._rows(), self._engine.cursor()
            self._snapshot = ScreenSnapshot(
                lines=lines,
                size=self.size,
                cursor=cursor,
                alt_screen=self._engine.on_alternate_screen(),
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
        kept = int(self._engine.get("SCROLLBACK_ROWS", "size_t"))
        first = max(0, kept - count)
        if first == kept:
            return ()
        selection = self._engine.select("HISTORY", first, kept - 1)
        rows = self._engine.plain(selection).split("\n")
        return tuple(rows + [""] * (kept - first - len(rows)))

    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        return self._reader.cells()

    def changed_rows(self, *, everything: bool = False) -> Iterator[tuple[int, tuple[Run, ...]]]:
        """The rows that changed since last asked: for whoever draws this screen on a real terminal."""
        return self._reader.changed(everything=everything)

    def title(self) -> str:
        return self._engine.string("TITLE")

    def cursor_shape(self) -> int:
        """As DECSCUSR numbers them."""
        return self._reader.cursor_shape()

    def kitty_flags(self) -> int:
        """Of the keyboard protocol; 0 when the program has not asked for it."""
        return self._engine.kitty_flags()

    def pen_is_plain(self) -> bool:
        """What is written next has no style, and moves nothing aside."""
        style = sized("GhosttyStyle")
        lib.ghostty_terminal_get(self._terminal, lib.GHOSTTY_TERMINAL_DATA_CURSOR_STYLE, style)
        return bool(lib.ghostty_style_is_default(style)) and not self._engine.mode(4, ansi=True)

    def take_bells(self) -> int:
        """How often it has rung since last asked."""
        bells, self._bells = self._bells, 0
        return bells

    def modes(self) -> frozenset[str]:
        return modes_of(self._engine)

    def cursor(self) -> Cursor:
        return self._engine.cursor()

    def on_alternate_screen(self) -> bool:
        return self._engine.on_alternate_screen()

    def dump(self) -> bytes:
        return Dump(self._engine, self._reader).drawn(self.ansi_lines())

    # The rest speaks C.

    def _configure(self, scrollback: int) -> None:
        self._engine.set("SCROLLBACK_MAX_LINES", ffi.new("size_t*", scrollback))
        self._engine.set("CONTINUATION_MAX_BYTES", ffi.new("size_t*", 64 * 1024))
        self._engine.set("TERMINFO_NAME", ffi.new("GhosttyString*", {"ptr": self._terminfo, "len": len(self._terminfo)}))
        self._engine.set("KITTY_IMAGE_STORAGE_LIMIT", ffi.new("uint64_t*", 0))
        for option, rgb in (("FOREGROUND", self._identity.foreground), ("BACKGROUND", self._identity.background)):
            self._engine.set(f"COLOR_{option}", ffi.new("GhosttyColorRgb*", rgb))
        for option in ("MODE_DEFAULT", "MODE"):
            self._engine.set_mode(_GRAPHEME_CLUSTERS, to=True, option=option)

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
            out.columns, out.rows = screen.size.cols, screen.size.rows
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
            self._engine.set(option, callback)
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
        at = self._engine.cursor()
        reset = SOFT_RESET + b"\x1b[%d;%dH" % (at.row + 1, at.col + 1)
        lib.ghostty_terminal_vt_write(self._terminal, reset, len(reset))

    def _rows(self) -> tuple[str, ...]:
        rows = self._engine.plain(self._engine.select("ACTIVE", 0, self.size.rows - 1)).split("\n")
        return tuple(rows + [""] * (self.size.rows - len(rows)))

    def _generations(self, rows: tuple[str, ...]) -> tuple[int, ...]:
        before = self._snapshot
        if before is None or len(before.lines) != len(rows):
            return (self._seq,) * len(rows)
        known = zip(rows, before.lines, before.generations, strict=True)
        return tuple(generation if new == old else self._seq for new, old, generation in known)
