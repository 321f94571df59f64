"""What the mouse did on the person's terminal, as the session's program wants to be told."""

import re
from collections.abc import Set as AbstractSet

from coop.cli.console.rows import Window
from coop.model.screen import Size

REPORT = rb"\x1b\[<\d+;\d+;\d+[Mm]"
_PARTS = re.compile(rb"\x1b\[<(\d+);(\d+);(\d+)([Mm])")
_TRACKED = frozenset({"?9", "?1000", "?1002", "?1003"})
_CELL = (8, 16)
"""Of the terminal that coop pretends to be, in pixels."""
_RELEASED = 3
_MOST = 223
"""The last column or row that the old encoding has a byte for."""


def translated(report: bytes, modes: AbstractSet[str], window: Window, size: Size) -> bytes:
    """The report, in SGR's encoding and of the terminal, as one of the session; empty when it is not for the program."""
    parts = _PARTS.fullmatch(report)
    if parts is None or not modes & _TRACKED:
        return b""
    button, col, row = int(parts[1]), int(parts[2]) + window.left, int(parts[3]) + window.top
    if int(parts[3]) > window.size.rows or col > size.cols or row > size.rows:
        return b""
    if "?1016" in modes:
        col, row = (col - 1) * _CELL[0] + 4, (row - 1) * _CELL[1] + 8
    if modes & {"?1006", "?1016"}:
        return b"\x1b[<%d;%d;%d%b" % (button, col, row, parts[4])
    return _in_old_words(button, col, row, modes, is_release=parts[4] == b"m")


def _in_old_words(button: int, col: int, row: int, modes: AbstractSet[str], *, is_release: bool) -> bytes:
    if is_release:
        button = button & ~3 | _RELEASED
    if "?1015" in modes:
        return b"\x1b[%d;%d;%dM" % (button + 32, col, row)
    if "?1005" in modes:
        return b"\x1b[M" + "".join(chr(number + 32) for number in (button, col, row)).encode()
    if max(col, row) > _MOST:
        return b""
    return b"\x1b[M" + bytes(number + 32 for number in (button, col, row))
