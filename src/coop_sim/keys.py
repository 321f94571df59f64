"""Bytes from the terminal as keys."""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Paste:
    text: str


@dataclass(frozen=True, slots=True)
class Named:
    name: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What the terminal answered to a query."""

    text: str


Key = Text | Paste | Named | Reply

ENTER, ESC, NEWLINE = Named("enter"), Named("esc"), Named("newline")
_ARROWS = {"A": Named("up"), "B": Named("down"), "C": Named("right"), "D": Named("left"), "Z": Named("shift+tab")}
_TOKEN = re.compile(
    r"\x1b\[200~(?P<paste>.*?)\x1b\[201~"
    r"|(?P<reply>\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[P_][^\x1b]*\x1b\\|\x1b\[[?>][0-9;]*\$?[a-zA-Z])"
    r"|\x1b[\[O][0-9;]*(?P<arrow>[ABCDZ])"
    r"|(?P<other>\x1b\[<?[0-9;:]*[a-zA-Z~])"
    r"|(?P<newline>\x1b\r)"
    r"|(?P<meta>\x1b[^\x1b\[\]OP_])"
    r"|(?P<esc>\x1b)"
    r"|(?P<run>[^\x1b]+)",
    re.DOTALL,
)
_UNFINISHED = re.compile(r"\x1b\[200~(?!.*\x1b\[201~).*|\x1b(?:\[[0-9;:?<>]*|\][^\x07\x1b]*|P[^\x1b]*)$", re.DOTALL)


def _decoder() -> codecs.IncrementalDecoder:
    return codecs.getincrementaldecoder("utf-8")(errors="replace")


@dataclass
class Keyboard:
    """Turns one read into the keys it holds; what is cut off waits for the next read. Agents differ in the rest."""

    controls: ClassVar[Mapping[str, Key]] = {}
    """What control characters mean."""
    _held: str = ""
    _decoder: codecs.IncrementalDecoder = field(default_factory=_decoder)

    def receive(self, data: bytes) -> tuple[Key, ...]:
        text = self._held + self._decoder.decode(data)
        unfinished = _UNFINISHED.search(text)
        cut = unfinished.start() if unfinished else len(text)
        text, self._held = text[:cut], text[cut:]
        return tuple(key for token in _TOKEN.finditer(text) for key in self._keys(token))

    def _keys(self, token: "re.Match[str]") -> list[Key]:
        match token.lastgroup:
            case "paste":
                return [Paste(self.pasted(token["paste"]))]
            case "reply":
                return [Reply(token["reply"])]
            case "arrow":
                return [_ARROWS[token["arrow"]]]
            case "newline":
                return [NEWLINE]
            case "esc":
                return [ESC]
            case "run":
                return self.run(token["run"])
            case "other":
                return self.sequence(token["other"])
            case _:
                return []

    def pasted(self, text: str) -> str:
        """What becomes of a paste."""
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def run(self, run: str) -> list[Key]:
        """Of characters that came in one write."""
        controls = self.controls
        return [controls.get(character) or Text(character) for character in run if character in controls or character >= " "]

    def sequence(self, sequence: str) -> list[Key]:
        """A control sequence that is none of the arrows."""
        return []
