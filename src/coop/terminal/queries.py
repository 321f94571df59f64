"""Queries a real xterm answers and our engine leaves open. A program asks, then waits: so only a chunk's tail is looked at."""

import re

from coop.model.screen import Cursor, Size

FINALS = frozenset(b"nxtm")
LONGEST = 8
CELL = (8, 16)
"""Width and height of the cell we pretend to have, in pixels."""

_QUERY = re.compile(rb"\x1b\[(\?6n|\?15n|\?25n|\?26n|\?75n|\?85n|[01]?x|1[1359]t|\?4m)\Z")

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


def answer(tail: bytes, cursor: Cursor, size: Size) -> bytes:
    """The reply to the query `tail` ends with; empty when it ends with none."""
    asked = _QUERY.search(tail)
    if asked is None:
        return b""
    pixels = {"width": size.cols * CELL[0], "height": size.rows * CELL[1]}
    where = {"row": cursor.row + 1, "col": cursor.col + 1, "cols": size.cols, "rows": size.rows}
    return _ANSWERS[asked[1]].format(**pixels, **where).encode()
