"""Gemini's keys. Only a bracketed paste is a paste; all else is typed, key by key."""

from collections.abc import Mapping
from typing import ClassVar

from coop_sim import keys
from coop_sim.keys import ENTER, ESC, NEWLINE, Key, Named, Paste, Text

__all__ = ["ENTER", "ESC", "Key", "Keyboard", "Named", "Paste", "Text"]


class Keyboard(keys.Keyboard):
    controls: ClassVar[Mapping[str, Key]] = {
        "\r": ENTER,
        "\n": NEWLINE,
        "\x03": Named("ctrl+c"),
        "\x04": Named("ctrl+d"),
        "\x05": Named("ctrl+e"),
        "\x08": Named("backspace"),
        "\x09": Named("tab"),
        "\x15": Named("ctrl+u"),
        "\x7f": Named("backspace"),
    }

    def pasted(self, text: str) -> str:
        return super().pasted(text).replace("\t", "    ")
