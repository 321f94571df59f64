"""What our engine gets wrong, put right before it sees it. Each is a documented sequence; chunking makes no difference."""

import re

CARRIED = 3
"""How many bytes of the stream before a chunk decide what its first ones mean."""

_ESC, _BANG, _DEL = 0x1B, 0x21, 0x7F  # looking for one byte first is fifty times faster than for a few
_BARE_TBC = re.compile(rb"(?<=\x1b\[)g")
_DECSTR = b"\x1b[!p"

SOFT_RESET = b"\x1b[m\x1b(B\x0f\x1b[4l\x1b[?1l\x1b[?25h\x1b[?6l\x1b[r\x1b7"
"""What DECSTR stands for, but for the cursor's place, which the last three of these move home and save as home."""


def is_sound(before: bytes, data: bytes) -> bool:
    """Is there nothing in `data` that we would have to look at? Most of a flood is plain text."""
    return _ESC not in data and _DEL not in data and _ESC not in before


def mend(before: bytes, data: bytes) -> bytes:
    """`data` as it should be fed after `before`."""
    if _DEL in data:
        data = data.translate(None, b"\x7f")  # DEL is not a character: the engine would draw it
    if (_ESC in data and b"\x1b[g" in data) or data.startswith((b"g", b"[g")):
        joined = before[-2:] + data
        data = _BARE_TBC.sub(b"0g", joined)[len(before[-2:]) :]  # without a number it means 0: the engine wants to see it
    return data


def split_at_soft_resets(before: bytes, data: bytes) -> list[bytes]:
    """Pieces of `data`; after each but the last the program has asked for a soft reset, which the engine ignores."""
    if not (_BANG in data and _DECSTR in data) and not data.startswith((b"p", b"!p", b"[!p")):
        return [data]
    carried = before[-CARRIED:]
    joined, start = carried + data, len(carried)
    pieces: list[bytes] = []
    while (found := joined.find(_DECSTR, max(0, start - CARRIED))) != -1 and found + len(_DECSTR) > start:
        end = found + len(_DECSTR)
        pieces.append(joined[start:end])
        start = end
    return [*pieces, joined[start:]]
