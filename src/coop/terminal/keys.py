"""Named keys to the bytes a terminal sends for them, in the modes of the moment."""

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from coop.errors import BadRequest

APPLICATION_CURSOR = "?1"

_ALIASES = {
    "return": "enter",
    "esc": "escape",
    "del": "delete",
    "ins": "insert",
    "bs": "backspace",
    "bspace": "backspace",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    "arrowup": "up",
    "arrowdown": "down",
    "arrowleft": "left",
    "arrowright": "right",
    "backtab": "shift-tab",
    "btab": "shift-tab",
}
_CHARACTERS = {"enter": "\r", "escape": "\x1b", "tab": "\t", "backspace": "\x7f", "space": " ", "minus": "-"}
_CURSOR = {"up": "A", "down": "B", "right": "C", "left": "D", "home": "H", "end": "F"}
_FUNCTION = (15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34)
_TILDE = {"insert": 2, "delete": 3, "pageup": 5, "pagedown": 6, **{f"f{n}": code for n, code in enumerate(_FUNCTION, 5)}}
_SS3 = {"f1": "P", "f2": "Q", "f3": "R", "f4": "S"}
_MODIFIERS = {"shift": 1, "s": 1, "alt": 2, "meta": 2, "option": 2, "a": 2, "m": 2, "ctrl": 4, "control": 4, "c": 4}
_CONTROL = {" ": 0, "2": 0, "3": 27, "4": 28, "5": 29, "6": 30, "7": 31, "8": 127, "?": 127, "/": 31, "-": 31}
_SEPARATOR = re.compile(r"[-+](?=.)", re.DOTALL)
_SHIFT, _ALT, _CTRL = 1, 2, 4

NAMES = tuple(sorted({*_CHARACTERS, *_CURSOR, *_TILDE, *_SS3}))
"""Every key with a name, for documentation and completion."""


class _Key(NamedTuple):
    modifiers: int
    name: str  # lower case for a named key, as given for a character


def encode_keys(keys: Iterable[str], modes: AbstractSet[str]) -> bytes:
    """What the program reads when these are pressed one after the other. Raises `BadRequest` for a name we don't know."""
    return b"".join(_encode(key, modes) for key in keys)


def _encode(text: str, modes: AbstractSet[str]) -> bytes:
    modifiers, name = _parse(text)
    if name in _CHARACTERS or len(name) == 1:
        return _encode_character(_CHARACTERS.get(name, name), modifiers, text)
    if name in _CURSOR:
        return _encode_cursor(_CURSOR[name], modifiers, modes)
    if name in _SS3:
        return f"\x1bO{_SS3[name]}".encode() if not modifiers else f"\x1b[1;{modifiers + 1}{_SS3[name]}".encode()
    number = _TILDE[name]
    return f"\x1b[{number}~".encode() if not modifiers else f"\x1b[{number};{modifiers + 1}~".encode()


def _parse(text: str) -> _Key:
    if len(text) == 1:
        return _Key(0, text)
    *modifiers, name = _SEPARATOR.split(_ALIASES.get(text.lower(), text))
    if len(name) > 1:
        name = _ALIASES.get(name.lower(), name.lower())
    known = (len(name) == 1 and modifiers) or name in NAMES
    if not known or any(modifier.lower() not in _MODIFIERS for modifier in modifiers):
        raise _unknown(text)
    return _Key(sum({_MODIFIERS[modifier.lower()] for modifier in modifiers}), name)


def _encode_character(character: str, modifiers: int, text: str) -> bytes:
    if character == "\t" and modifiers & _SHIFT:
        return b"\x1b\x1b[Z" if modifiers & _ALT else b"\x1b[Z"
    if modifiers & _SHIFT:
        character = character.upper()
    if modifiers & _CTRL:
        character = _control(character, text)
    if modifiers & _ALT:
        character = "\x1b" + character
    return character.encode()


def _control(character: str, text: str) -> str:
    if character in "\r\t\x1b":
        return character
    if character == "\x7f":
        return "\x08"
    if character in _CONTROL:
        return chr(_CONTROL[character])
    if character.isascii() and "@" <= character.upper() <= "_":
        return chr(ord(character.upper()) & 0x1F)
    raise BadRequest(f"keys: {text!r} has no control code; Ctrl- goes with letters and @ [ \\ ] ^ _ ? /")


def _encode_cursor(final: str, modifiers: int, modes: AbstractSet[str]) -> bytes:
    if modifiers:
        return f"\x1b[1;{modifiers + 1}{final}".encode()
    return f"\x1b{'O' if APPLICATION_CURSOR in modes else '['}{final}".encode()


def _unknown(text: str) -> BadRequest:
    return BadRequest(
        f"keys: no key is named {text!r}; use a character, or {', '.join(name.capitalize() for name in NAMES[:6])}, …, "
        "with Ctrl-, Alt- or Shift- before it"
    )
