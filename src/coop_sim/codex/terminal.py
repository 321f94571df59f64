"""Codex on the terminal: what is asked and set at the start, and put back at the end."""

from dataclasses import dataclass

from coop_sim.terminal import RawTerminal

_KEYS = "\x1b[>4;0m\x1b[>7u"
_QUERIES = "\x1b[?u\x1b[c\x1b[6n\x1b]10;?\x1b\\\x1b]11;?\x1b\\"
_MOUSE = "\x1b[?1007l\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h"
_NO_MOUSE = "\x1b[?1006l\x1b[?1015l\x1b[?1003l\x1b[?1002l\x1b[?1000l"
_END = "\x1b[<1u\x1b[<u\x1b[>4;0m\x1b[?2004l\x1b[?1004l\x1b[c\x1b[0 q\x1b[?25h"


@dataclass
class Terminal(RawTerminal):
    has_alt_screen: bool = True
    _told: str = ""
    _titled: str = ""

    def open(self) -> None:
        self.make_raw()
        self.write(f"\x1b[?2004h{_KEYS}\x1b[?1004h{_QUERIES}")
        if self.has_alt_screen:
            self.write(f"\x1b[?1049h{_KEYS}{_MOUSE}")
        self.write("\x1b[?25l\x1b[1;1H\x1b[J")

    def mouse(self, *, wanted: bool) -> None:
        if self.has_alt_screen:
            self.write(_MOUSE if wanted else f"{_NO_MOUSE}\x1b[?1007h")

    def locate(self) -> None:
        """Asks where the cursor is; nothing waits for the answer."""
        self.write("\x1b[6n")

    def title(self, text: str) -> None:
        if text != self._titled:
            self._titled = text
            self.write(f"\x1b]0;{text}\x07")

    def report(self, state: str, kind: str = "") -> None:
        """OSC 7501: what the agent does, told once."""
        told = f"state={state}:app=codex" + (f":kind={kind}" if kind else "")
        if told != self._told:
            self._told = told
            self.write(f"\x1b]7501;{told}\x1b\\")

    def close(self, *, farewell: str) -> None:
        leave = f"{_NO_MOUSE}\x1b[<1u\x1b[?1007l\x1b[?1049l" if self.has_alt_screen else "\r\n"
        self.write(f"\x1b[1;1H\x1b[J\x1b]0;\x07{leave}{_END}\x1b]7501;state=clear\x1b\\\x1b[0 q\x1b[?25h")
        self.write(farewell.replace("\n", "\r\n"))
        self.restore()
