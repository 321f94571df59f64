"""Queries a real xterm answers and our engine leaves open. A program asks, then waits: so only a chunk's tail is looked at."""

import re
from collections.abc import Callable

from coop.model.screen import Cursor, Size

FINALS = frozenset(b"nxtm")
LONGEST = 8
CELL = (8, 16)
"""Width and height of the cell we pretend to have, in pixels."""

_QUERY = re.compile(rb"\x1b\[(\?6n|\?15n|\?25n|\?26n|\?75n|\?85n|[01]?x|1[1359]t|\?4m)\Z")

_Answer = Callable[[Cursor, Size], str]
_ANSWERS: dict[bytes, _Answer] = {
    b"?6n": lambda cursor, _: f"\x1b[?{cursor.row + 1};{cursor.col + 1};1R",
    b"?15n": lambda *_: "\x1b[?13n",  # no printer
    b"?25n": lambda *_: "\x1b[?20n",  # user-defined keys are unlocked
    b"?26n": lambda *_: "\x1b[?27;1;0;0n",  # a North American keyboard
    b"?75n": lambda *_: "\x1b[?70n",
    b"?85n": lambda *_: "\x1b[?83n",
    b"x": lambda *_: "\x1b[2;1;1;128;128;1;0x",
    b"0x": lambda *_: "\x1b[2;1;1;128;128;1;0x",
    b"1x": lambda *_: "\x1b[3;1;1;128;128;1;0x",
    b"11t": lambda *_: "\x1b[1t",  # not minimised
    b"13t": lambda *_: "\x1b[3;0;0t",
    b"15t": lambda _, size: f"\x1b[5;{size.rows * CELL[1]};{size.cols * CELL[0]}t",
    b"19t": lambda _, size: f"\x1b[9;{size.rows};{size.cols}t",
    b"?4m": lambda *_: "\x1b[>4;0m",
}


def answer(tail: bytes, cursor: Cursor, size: Size) -> bytes:
    """The reply to the query `tail` ends with; empty when it ends with none."""
    asked = _QUERY.search(tail)
    return _ANSWERS[asked[1]](cursor, size).encode() if asked else b""
