"""Text as an agent is given it: pasted in one piece, without anything that would end the paste or press a key."""

import re

_BEGIN, _END = b"\x1b[200~", b"\x1b[201~"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def sound(message: str) -> str:
    """Lines end with a newline, and a tab is four spaces, which is what becomes of it anyway."""
    lines = message.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    return _CONTROL.sub("", lines).rstrip("\n")


def paste(text: str) -> bytes:
    return _BEGIN + sound(text).encode(errors="replace") + _END
