"""Bytes from the terminal as keys, by Claude's rules: a long write is a paste, Esc and a letter are one key."""

import re
import unicodedata

from coop_sim import keys
from coop_sim.keys import ENTER, ESC, NEWLINE, Key, Named, Paste, Reply, Text

__all__ = ["ENTER", "ESC", "NEWLINE", "Key", "Keyboard", "Named", "Paste", "Reply", "Text"]

PASTE_LENGTH = 64
"""A write of so many characters is a paste, its Enter included."""
_STRAY_LENGTH = 800
_EDGES = {"\x1b[H": Named("home"), "\x1b[F": Named("end")}


class Keyboard(keys.Keyboard):
    controls = {  # noqa: RUF012 # of the class
        "\r": ENTER,
        "\n": NEWLINE,
        "\x01": Named("home"),
        "\x03": Named("ctrl+c"),
        "\x04": Named("ctrl+d"),
        "\x05": Named("end"),
        "\x08": Named("backspace"),
        "\x09": Named("tab"),
        "\x0b": Named("ctrl+k"),
        "\x15": Named("ctrl+u"),
        "\x1a": Named("ctrl+z"),
        "\x7f": Named("backspace"),
    }

    def pasted(self, text: str) -> str:
        """Line ends are one kind, a tab is four blanks, accents are composed, and colours are gone."""
        text = super().pasted(re.sub(r"\x1b\[[0-9;]*m", "", text))
        return unicodedata.normalize("NFC", text.replace("\t", "    "))

    def sequence(self, sequence: str) -> list[Key]:
        return [_EDGES[sequence]] if sequence in _EDGES else []

    def run(self, run: str) -> list[Key]:
        if len(run) < PASTE_LENGTH:
            return super().run(run)
        stray = "\n" if len(run) > _STRAY_LENGTH and run.endswith("\r") else ""
        return [Paste(run.removesuffix("\r").replace("\r", "\n").replace("\t", "") + stray)]
