"""A session's screen on somebody's terminal: only what has changed is drawn, and nothing else of the session gets there."""

from collections.abc import Iterator
from dataclasses import replace

from coop.cli.console.rows import Row, Window, redrawn
from coop.model.screen import Cursor, Size
from coop.terminal.ghostty import GhosttyScreen

OPEN = b"\x1b[22;2t\x1b[?1049h\x1b[>0u\x1b[0m\x1b[H\x1b[2J"
"""Keeps the title and the screen that was there."""
MIRRORED = ("?1", "?5", "?9", "?1000", "?1002", "?1003", "?1004", "?2004", "?2031")
"""Modes that a program sets for its terminal and that the person's terminal must have, too."""
MOUSE = frozenset({"?9", "?1000", "?1002", "?1003"})
_KEYPAD = "?66"
_BY_CELLS = "?1006"  # how the person's terminal tells of its mouse, whatever the program has asked for
CLOSE = (
    b"\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?2031l\x1b[?1l\x1b>\x1b[?5l"
    b"\x1b[<u\x1b[0m\x1b[0 q\x1b[?7h\x1b[?25h\x1b[?2026l\x1b[?1049l\x1b[23;2t"
)
"""Takes all of it back, whatever has been drawn before."""


class Painter:
    """Knows what the terminal shows. `paint` says what to write so that it shows the session; the cursor's place comes last."""

    def __init__(self, size: Size) -> None:
        self._drawn: dict[int, Row] = {}
        self._modes: frozenset[str] = frozenset()
        self._cursor = b""
        self._at: Cursor | None = None
        """Where the terminal's cursor is, in the session."""
        self._pen_is_plain = False
        self._shape = 0
        self._title = ""
        self._kitty = 0
        self.window = Window(0, 0, size)

    def forget(self, size: Size) -> None:
        """Nobody knows what the terminal shows, or it has another size: everything is drawn anew."""
        self._drawn.clear()
        self._cursor, self._at = b"", None
        self.window = self.window._replace(size=size)

    def paint(self, screen: GhosttyScreen, *, beside: bytes = b"", modes_too: bool = True) -> bytes:
        """`beside` is written along with it. `modes_too` is false when the program has written nothing that could set one."""
        cursor = screen.cursor()
        rows = b"".join((*self._rows(screen, cursor), beside))
        settings = b"".join(self._settings(screen)) if modes_too else b""
        placed, self._at = self._placed(cursor), cursor
        if placed == self._cursor and not rows:
            return settings
        self._cursor = placed
        return rows + settings + placed

    def echoes(self, screen: GhosttyScreen, data: bytes) -> bool:
        """Has the program just written plain text where the terminal's cursor stands? Then it can be written there as it is.

        It is painted later all the same: what looks different by then is put right.
        """
        if self._at is None or not self._pen_is_plain or not (data.isascii() and data.decode().isprintable()):
            return False
        now = screen.cursor()
        if now != replace(self._at, col=self._at.col + len(data)) or now.col >= self.window.left + self.window.size.cols:
            return False
        self._at, self._cursor = now, self._placed(now)
        return now.visible

    # Rows

    def _rows(self, screen: GhosttyScreen, cursor: Cursor) -> Iterator[bytes]:
        window, size = self._follow(cursor, screen.size), screen.size
        has_moved = window != self.window or not self._drawn
        self.window = window
        for row, runs in screen.changed_rows(everything=has_moved):
            if 0 <= row - window.top < window.size.rows:
                yield self.draw(row - window.top, window.cut(runs, size.cols))
        for row in range(size.rows - window.top, window.size.rows):
            yield self.draw(row, window.outside())

    def draw(self, number: int, row: Row) -> bytes:
        """One row of the terminal; those past the window are free for others to use."""
        before = self._drawn.get(number)
        self._drawn[number] = row
        return redrawn(number, before, row, self.window.size.cols)

    def _follow(self, cursor: Cursor, size: Size) -> Window:
        """The window moves only when the cursor would be out of it, or when there is nothing to see there."""
        view = self.window.size
        top = _within(self.window.top, cursor.row, view.rows, size.rows)
        left = _within(self.window.left, cursor.col, view.cols, size.cols)
        return Window(top, left, view)

    # Everything else

    def _placed(self, cursor: Cursor) -> bytes:
        row, col = cursor.row - self.window.top, cursor.col - self.window.left
        return b"\x1b[%d;%dH\x1b[?25%c" % (row + 1, col + 1, b"h" if cursor.visible else b"l")

    def _settings(self, screen: GhosttyScreen) -> Iterator[bytes]:
        modes = screen.modes() & {*MIRRORED, _KEYPAD}
        if modes & MOUSE:
            modes |= {_BY_CELLS}
        for mode in sorted(modes ^ self._modes):
            yield _mode(mode, is_on=mode in modes)
        self._modes = modes
        self._pen_is_plain = screen.pen_is_plain()
        if (kitty := screen.kitty_flags()) != self._kitty:
            self._kitty = kitty
            yield b"\x1b[=%d;1u" % kitty
        if (shape := screen.cursor_shape()) != self._shape and (shape != 2 or self._shape):
            self._shape = shape
            yield b"\x1b[%d q" % shape
        if (title := screen.title()) != self._title:
            self._title = title
            yield b"\x1b]2;%b\x1b\\" % title.encode()


def _within(start: int, at: int, room: int, length: int) -> int:
    """Where to begin so that `at` is seen, moved as little as can be."""
    least, most = max(0, at - room + 1), max(0, min(at, length - room))
    return min(max(start, least), max(most, least))


def _mode(mode: str, *, is_on: bool) -> bytes:
    if mode == _KEYPAD:
        return b"\x1b=" if is_on else b"\x1b>"
    return f"\x1b[{mode}{'h' if is_on else 'l'}".encode()
