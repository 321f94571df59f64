"""Queries a real xterm answers and our engine leaves open.

A program asks, maybe puts one more query behind it as a fence, and waits: such a chunk is short, and looked at whole.
Of a long one, which is output, only the tail is.
"""

import re

from coop.model.screen import Cursor, Size

FINALS = frozenset(b"nxtm")
LONGEST = 8
SHORT = 1024
"""A chunk up to this long is looked at whole."""
CELL = (8, 16)
"""Width and height of the cell we pretend to have, in pixels."""

_QUERY = re.compile(rb"\x1b\[(\?6n|\?15n|\?25n|\?26n|\?75n|\?85n|[01]?x|1[1359]t|\?4m)")

_ANSWERS = {
    b"?6n": "\x1b[?{row};{col};1R",
    b"?15n": "\x1b[?13n",  # no printer
    b"?25n": "\x1b[?20n",  # user-defined keys are unlocked
    b"?26n": "\x1b[?27;1;0;0n",  # a North American keyboard
    b"?75n": "\x1b[?70n",
    b"?85n": "\x1b[?83n",
    b"x": "\x1b[2;1;1;128;128;1;0x",
    b"0x": "\x1b[2;1;1;128;128;1;0x",
    b"1x": "\x1b[3;1;1;128;128;1;0x",
    b"11t": "\x1b[1t",  # not minimised
    b"13t": "\x1b[3;0;0t",
    b"15t": "\x1b[5;{height};{width}t",
    b"19t": "\x1b[9;{rows};{cols}t",
    b"?4m": "\x1b[>4;0m",
}


def ends(before: bytes, data: bytes) -> list[int]:
    """Where in `data` a query ends, for each in it; `before` is what was fed last."""
    if len(data) > SHORT:
        tail = data[-LONGEST:]
        return [len(data)] if data[-1] in FINALS and answer(tail, Cursor(0, 0), Size(1, 1)) else []
    carried = before[-LONGEST:]
    found = (match.end() - len(carried) for match in _QUERY.finditer(carried + data))
    return [end for end in found if end > 0]


def answer(tail: bytes, cursor: Cursor, size: Size) -> bytes:
    """The reply to the query `tail` ends with; empty when it ends with none."""
    asked = next((match for match in _QUERY.finditer(tail) if match.end() == len(tail)), None)
    if asked is None:
        return b""
    pixels = {"width": size.cols * CELL[0], "height": size.rows * CELL[1]}
    where = {"row": cursor.row + 1, "col": cursor.col + 1, "cols": size.cols, "rows": size.rows}
    return _ANSWERS[asked[1]].format(**pixels, **where).encode()
