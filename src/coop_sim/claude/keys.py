"""Bytes from the terminal as keys, by Claude's rules: a long write is a paste, Esc and a letter are one key."""

import codecs
import re
import unicodedata
from dataclasses import dataclass, field

PASTE_LENGTH = 64
"""A write of so many characters is a paste, its Enter included."""
_STRAY_LENGTH = 800


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
_CONTROLS = {
    "\r": ENTER,
    "\n": NEWLINE,
    "\x03": Named("ctrl+c"),
    "\x04": Named("ctrl+d"),
    "\x08": Named("backspace"),
    "\x09": Named("tab"),
    "\x15": Named("ctrl+u"),
    "\x7f": Named("backspace"),
}
_ARROWS = {"A": Named("up"), "B": Named("down"), "C": Named("right"), "D": Named("left"), "Z": Named("shift+tab")}
_TOKEN = re.compile(
    r"\x1b\[200~(?P<paste>.*?)\x1b\[201~"
    r"|(?P<reply>\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[P_][^\x1b]*\x1b\\|\x1b\[[?>][0-9;]*[a-zA-Z$]+)"
    r"|\x1b[\[O][0-9;]*(?P<arrow>[ABCDZ])"
    r"|(?P<other>\x1b\[<?[0-9;]*[a-zA-Z~])"
    r"|(?P<newline>\x1b\r)"
    r"|(?P<meta>\x1b[^\x1b\[\]OP_])"
    r"|(?P<esc>\x1b)"
    r"|(?P<run>[^\x1b]+)",
    re.DOTALL,
)
_UNFINISHED = re.compile(r"\x1b\[200~(?!.*\x1b\[201~).*|\x1b(?:\[[0-9;?<>]*|\][^\x07\x1b]*|P[^\x1b]*)$", re.DOTALL)


@dataclass
class Keyboard:
    """Turns one read into the keys it holds; what is cut off waits for the next read."""

    _held: str = ""
    _decoder: codecs.IncrementalDecoder = field(default_factory=codecs.getincrementaldecoder("utf-8"))

    def receive(self, data: bytes) -> tuple[Key, ...]:
        text = self._held + self._decoder.decode(data)
        unfinished = _UNFINISHED.search(text)
        cut = unfinished.start() if unfinished else len(text)
        text, self._held = text[:cut], text[cut:]
        return tuple(key for token in _TOKEN.finditer(text) for key in _keys(token))


def _keys(token: "re.Match[str]") -> list[Key]:
    match token.lastgroup:
        case "paste":
            return [Paste(_pasted(token["paste"]))]
        case "reply":
            return [Reply(token["reply"])]
        case "arrow":
            return [_ARROWS[token["arrow"]]]
        case "newline":
            return [NEWLINE]
        case "esc":
            return [ESC]
        case "run":
            return _run(token["run"])
        case _:
            return []


def _pasted(text: str) -> str:
    """Line ends are one kind, a tab is four blanks, accents are composed, and colours are gone."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", text.replace("\t", "    "))


def _run(run: str) -> list[Key]:
    if len(run) < PASTE_LENGTH:
        return [_CONTROLS.get(character, Text(character)) for character in run if character in _CONTROLS or character >= " "]
    stray = "\n" if len(run) > _STRAY_LENGTH and run.endswith("\r") else ""
    return [Paste(run.removesuffix("\r").replace("\r", "\n").replace("\t", "") + stray)]
