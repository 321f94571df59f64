"""Bytes from the terminal as keys, by Codex's rules: plain ones, and those of the keyboard protocol it asks for."""

import re

from coop_sim import keys
from coop_sim.keys import ENTER, ESC, NEWLINE, Key, Named, Text

_CODED = re.compile(r"\x1b\[(\d+)(?::\d*)*(?:;(\d+)(?::(\d+))?)?(?:;[\d:]*)?u")
_RELEASED = "3"
_CTRL, _SHIFT = 4, 1
_NAMES: dict[int, Key] = {9: Named("tab"), 13: ENTER, 27: ESC, 127: Named("backspace")}


class Keyboard(keys.Keyboard):
    controls = {  # noqa: RUF012 # of the class
        "\r": ENTER,
        "\n": NEWLINE,
        "\x03": Named("ctrl+c"),
        "\x04": Named("ctrl+d"),
        "\x08": Named("backspace"),
        "\x09": Named("tab"),
        "\x0b": Named("ctrl+k"),
        "\x15": Named("ctrl+u"),
        "\x7f": Named("backspace"),
    }

    def sequence(self, sequence: str) -> list[Key]:
        """`ESC [ 99 ; 5 u` is Ctrl-C. That a key was let go says nothing."""
        coded = _CODED.fullmatch(sequence)
        if coded is None or coded[3] == _RELEASED:
            return []
        return [key] if (key := _coded(int(coded[1]), int(coded[2] or 1) - 1)) is not None else []


def _coded(code: int, held: int) -> Key | None:
    if code == 9 and held & _SHIFT:
        return Named("shift+tab")
    if code == 13 and held & _SHIFT:
        return NEWLINE
    if held & _CTRL:
        return Named(f"ctrl+{chr(code)}")
    return _NAMES.get(code) or (Text(chr(code)) if code >= 32 else None)
