"""A terminal as bytes that make another one like it, whatever the program does next."""

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from coop.terminal.ghostty_cells import CellReader, sgr
from coop.terminal.ghostty_engine import Engine

# Modes worth carrying over to another terminal. 1049 is not here: the active screen is dumped on its own.
_PRIVATE_MODES = tuple(
    map(
        int,
        "1 5 6 7 9 12 25 45 66 69 1000 1002 1003 1004 1005 1006 1007 1015 1016 1035 1036 1039 2004 2026 2027 2031 2048".split(),
    )
)
_ANSI_MODES = (2, 4, 12, 20)
_SET_FROM_THE_START = frozenset({"?7", "?25", "?1007", "?1035", "?1036", "12", "?12", "?2027"})
_PLAIN = '\x1b[0m\x0f\x1b(B\x1b)B\x1b*B\x1b+B\x1b[0"q'
"""No style, and no character set or protection but the usual."""
_EXTRAS = re.compile(r"(?P<margins>(?:\x1b\[(?P<top>\d+);\d+r)?(?:\x1b\[(?P<left>\d+);\d+s)?)(?P<style>.*)", re.DOTALL)


def modes_of(engine: Engine) -> frozenset[str]:
    private = {f"?{mode}" for mode in _PRIVATE_MODES if engine.mode(mode)}
    return frozenset(private | {str(mode) for mode in _ANSI_MODES if engine.mode(mode, ansi=True)})


class Dump:
    """The engine tells only of the screen in front, and not what the program has saved. So it is asked, as the program would ask,
    and everything is put back; but in the middle of a sequence nothing can be asked by another."""

    def __init__(self, engine: Engine, reader: CellReader) -> None:
        self._engine = engine
        self._reader = reader

    def drawn(self, rows: Sequence[str]) -> bytes:
        """`rows`: what is shown, each with its styles."""
        engine = self._engine
        continuation = engine.continuation()
        tabs, extras = self._extras()
        where = self._placement(int(extras["top"] or 1), int(extras["left"] or 1)) + extras["style"]
        is_alternate = engine.on_alternate_screen()
        can_ask = not continuation and '"q' not in extras["style"]  # of two kinds of protection the engine tells one
        beneath = self._beneath(where) if is_alternate and can_ask else ""
        saved = self._saved(where) if can_ask else ""
        pieces = (
            "\x1bc\x1b[?2027h",
            f"{beneath}\x1b[?1049h{_PLAIN}" if is_alternate else "",
            f"\x1b]2;{title}\x1b\\" if (title := engine.string("TITLE")) else "",
            _at_their_places(rows),
            saved,
            tabs,
            self._mode_changes(),
            extras["margins"],
            where,
            self._kitty_flags(),
        )
        return "".join(pieces).encode() + continuation

    def _beneath(self, back: str) -> str:
        """What draws the main screen, with the cursor where it will be when the program leaves the alternate one."""
        engine, is_by_47 = self._engine, self._engine.mode(47)
        with self._cursor_away(back):
            engine.write(b"\x1b[?47l\x1b8")
            drawn = _at_their_places(self._reader.styled_rows()) + self._pen() + self._kitty_flags()
            engine.write(b"\x1b[?47h")
            engine.set_mode(47, to=is_by_47)
        return drawn

    def _saved(self, back: str) -> str:
        """What saves the cursor where the program has saved it."""
        with self._cursor_away(back):
            self._engine.write(b"\x1b8")
            # In origin mode too: there are no margins yet, so it is counted from the corner all the same.
            begins, ends = ("\x1b[?6h", "\x1b[?6l") if self._engine.mode(6) else ("", "")
            return f"{begins}{self._pen()}\x1b7{ends}{_PLAIN}"

    @contextmanager
    def _cursor_away(self, back: str) -> Generator[None]:
        """Whatever is done with the cursor meanwhile, afterwards it is as it was; `back` brings it to its place and its pen."""
        is_relative = self._engine.mode(6)
        yield
        origin = "" if self._engine.mode(6) == is_relative else f"\x1b[?6{'h' if is_relative else 'l'}"
        self._engine.write(f"{_PLAIN}{origin}{back}".encode())

    def _extras(self) -> tuple[str, re.Match[str]]:
        first = self._engine.select("ACTIVE", 0, 0)
        tabs, rest = self._engine.styled(first, extra=True).split("\x1b[H", 1)
        extras = _EXTRAS.match(rest, len(self._engine.styled(first)))
        assert extras is not None
        return tabs, extras

    def _pen(self) -> str:
        at, (_, extras) = self._engine.cursor(), self._extras()
        return f"\x1b[{at.row + 1};{at.col + 1}H{extras['style']}"

    def _mode_changes(self) -> str:
        now = modes_of(self._engine)
        off = "".join(f"\x1b[{mode}l" for mode in sorted(_SET_FROM_THE_START - now))
        return off + "".join(f"\x1b[{mode}h" for mode in sorted(now - _SET_FROM_THE_START))

    def _placement(self, top: int, left: int) -> str:
        """Brings the cursor to its place; in origin mode that is counted from the margins."""
        at = self._engine.cursor()
        row, col = (at.row + 2 - top, at.col + 2 - left) if self._engine.mode(6) else (at.row + 1, at.col + 1)
        return f"\x1b[{row};{col}H" + (self._last_character() if self._engine.pending_wrap() else "")

    def _last_character(self) -> str:
        """The character under the cursor with its style: writing it again brings back the pending wrap."""
        at = self._engine.cursor()
        row = self._reader.cells()[at.row]
        cell, back = (row[at.col], "") if row[at.col].width else (row[at.col - 1], "\x1b[D")
        return f"{back}{sgr(cell.style)}{cell.text or ' '}\x1b[0m"

    def _kitty_flags(self) -> str:
        flags = self._engine.kitty_flags()
        return f"\x1b[>{flags}u" if flags else ""


def _at_their_places(rows: Sequence[str]) -> str:
    return "".join(f"\x1b[{n};1H{row}" for n, row in enumerate(rows, 1) if row) + "\x1b[0m"
