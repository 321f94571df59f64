"""What a person types: bytes for the session, and the few keys that are for `coop attach` itself."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum, auto

from coop.cli.console.mouse import REPORT, translated
from coop.cli.console.rows import Window
from coop.model.screen import Size


class Order(Enum):
    """What a key after the prefix asks for."""

    DETACH = auto()
    REDRAW = auto()
    HELP = auto()
    """The prefix alone: something else must follow."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What the keyboard has to know of the session's terminal at that moment."""

    modes: AbstractSet[str]
    window: Window
    size: Size


_ORDERS = {"d": Order.DETACH, "r": Order.REDRAW}
_PASTE, _PASTE_END = b"\x1b[200~", b"\x1b[201~"
_FOCUS = (b"\x1b[I", b"\x1b[O")
_KITTY = rb"\x1b\[(?P<code>\d+)(?::\d*)*(?:;(?P<mods>\d*)(?::(?P<event>\d+))?)?(?:;[\d:]*)?u"
_OTHER = rb"\x1b\[27;(?P<other_mods>\d+);(?P<other_code>\d+)~"
_SPECIAL = re.compile(rb"|".join((REPORT, rb"\x1b\[[IO]", rb"\x1b\[20[01]~", _KITTY, _OTHER, rb"\x1b.?", rb"[\x00-\x1f\x7f]")))
_MARK = re.compile(rb"\x1b\[20[01]~")
_UNFINISHED = re.compile(rb"\x1b\[(?:<[\d;]*|2(?:0[01]?)?)\Z")
"""What no key ends in: its rest is certain to come."""
_TORN = re.compile(rb"\x1b(?:\[(?:<[\d;]*|2(?:0[01]?)?)?)?\Z")
"""The same in a paste, whose end may be torn after any of its bytes."""
_CTRL, _LOCKS = 4, 64 | 128
_RELEASE = b"3"


class Keyboard:
    """Bytes in, bytes and orders out. A prefix, if there is one, is a control character.

    What is pasted is never taken for a key. Reports of mouse, focus and paste go to programs that have asked for them only.
    """

    def __init__(self, prefix: int | None) -> None:
        self._prefix = prefix
        self._held = b""
        """The prefix as it was typed, while what follows is awaited."""
        self._unfinished = b""
        self._is_pasting = False

    def is_plain(self, data: bytes) -> bool:
        """Nothing of it is for us, nor depends on the session's terminal."""
        return not (self._held or self._unfinished or self._is_pasting or b"\x1b" in data) and (
            self._prefix is None or self._prefix not in data
        )

    def receive(self, data: bytes, setting: Setting) -> Iterator[bytes | Order]:
        data, self._unfinished = self._unfinished + data, b""
        if (unfinished := (_TORN if self._pastes_on_after(data) else _UNFINISHED).search(data)) is not None:
            self._unfinished, data = unfinished[0], data[: unfinished.start()]
        for piece in _pieces(data):
            yield from self._on_paste(piece, setting) if self._is_pasting else self._on_piece(piece, setting)

    def _pastes_on_after(self, data: bytes) -> bool:
        marks = _MARK.findall(data)
        return marks[-1] == _PASTE if marks else self._is_pasting

    def _on_paste(self, piece: bytes, setting: Setting) -> Iterator[bytes]:
        self._is_pasting = piece != _PASTE_END
        if self._is_pasting or "?2004" in setting.modes:
            yield piece

    def _on_piece(self, piece: bytes, setting: Setting) -> Iterator[bytes | Order]:
        if piece.startswith(b"\x1b[<"):
            yield translated(piece, setting.modes, setting.window, setting.size)
        elif piece in _FOCUS:
            yield piece if "?1004" in setting.modes else b""
        elif piece == _PASTE:
            self._is_pasting = True
            yield piece if "?2004" in setting.modes else b""
        elif self._held:
            yield from self._on_second(piece)
        else:
            yield from self._on_key(piece)

    def _on_key(self, piece: bytes) -> Iterator[bytes | Order]:
        key, is_release = _key(piece)
        if key is None or self._prefix is None or key != chr(self._prefix):
            yield piece
        elif not is_release:
            self._held = piece
            yield Order.HELP

    def _on_second(self, piece: bytes) -> Iterator[bytes | Order]:
        """Twice the prefix is the prefix; what is no order goes on, with the prefix before it."""
        key, is_release = _key(piece)
        if is_release:
            return  # of the prefix
        held, self._held = self._held, b""
        if key is not None and key in _ORDERS:
            yield _ORDERS[key]
        elif self._prefix is not None and key == chr(self._prefix):
            yield held
        else:
            yield held + piece


def _pieces(data: bytes) -> Iterator[bytes]:
    """Sequences and control characters one by one, and what is between them; of that the first letter alone, as it may be an order."""
    at = 0
    for found in _SPECIAL.finditer(data):
        yield from _text(data[at : found.start()])
        yield found[0]
        at = found.end()
    yield from _text(data[at:])


def _text(data: bytes) -> Iterator[bytes]:
    yield from (piece for piece in (data[:1], data[1:]) if piece)


def _key(piece: bytes) -> tuple[str | None, bool]:
    """The character a key stands for, and whether it was let go of; `None` for what is no such key."""
    found = _SPECIAL.fullmatch(piece)
    if found is None or not piece.startswith(b"\x1b["):
        return (chr(piece[0]) if len(piece) == 1 else None), False
    code, mods = found["code"] or found["other_code"], found["mods"] or found["other_mods"] or b"1"
    if not code:
        return None, False
    held_down = (int(mods) - 1) & ~_LOCKS
    is_release = found["event"] == _RELEASE
    if held_down == _CTRL:
        return chr(int(code) & 0x1F), is_release
    return (chr(int(code)) if not held_down and int(code) < 0x110000 else None), is_release
