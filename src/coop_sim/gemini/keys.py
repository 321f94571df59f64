"""Bytes from the terminal as keys. Only a bracketed paste is a paste; all else is typed, key by key."""

import codecs
import re
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Paste:
    text: str


@dataclass(frozen=True, slots=True)
class Named:
    name: str


Key = Text | Paste | Named

ENTER, ESC = Named("enter"), Named("esc")
_CONTROLS = {
    "\r": ENTER,
    "\n": Named("newline"),
    "\x03": Named("ctrl+c"),
    "\x04": Named("ctrl+d"),
    "\x05": Named("ctrl+e"),
    "\x08": Named("backspace"),
    "\x09": Named("tab"),
    "\x15": Named("ctrl+u"),
    "\x7f": Named("backspace"),
}
_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left", "Z": "shift+tab"}
_TOKEN = re.compile(
    r"\x1b\[200~(?P<paste>.*?)\x1b\[201~"
    r"|(?P<reply>\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[P_][^\x1b]*\x1b\\|\x1b\[[?>][0-9;]*[a-zA-Z$]+)"
    r"|\x1b[\[O][0-9;]*(?P<arrow>[ABCDZ])"
    r"|(?P<other>\x1b\[<?[0-9;]*[a-zA-Z~])"
    r"|(?P<newline>\x1b\r)"
    r"|(?P<meta>\x1b[^\x1b\[\]OP_])"
    r"|(?P<esc>\x1b)"
    r"|(?P<one>[^\x1b])",
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
        return tuple(key for token in _TOKEN.finditer(text) if (key := _key(token)) is not None)


def _key(token: "re.Match[str]") -> Key | None:
    match token.lastgroup:
        case "paste":
            return Paste(token["paste"].replace("\r\n", "\n").replace("\r", "\n"))
        case "arrow":
            return Named(_ARROWS[token["arrow"]])
        case "newline":
            return Named("newline")
        case "esc":
            return ESC
        case "one":
            one = token["one"]
            return _CONTROLS.get(one) or (Text(one) if one >= " " else None)
        case _:
            return None
