"""What Gemini asks of its terminal and sets there, and puts back at the end."""

from dataclasses import dataclass

from coop_sim.terminal import RawTerminal

_QUERIES = "\x1b[8m\x1b[?u\x1b]11;?\x1b\\\x1b[>q\x1b[>4;?m\x1b[c\x1b[2K\r\x1b[0m"
_NO_MOUSE = "\x1b[?1006l\x1b[?1002l"
_END = (
    f"\x1b[?25h\x1b[?25h{_NO_MOUSE}\x1b[?1004l\x1b[<u\x1b[>4;0m\x1b[?2004l"
    "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b]0;\x07\x1b[?25h"
)
_TITLE_WIDTH = 80
READY, WORKING, ASKING = "◇  Ready", "✦  Working…", "✋  Action Required"


@dataclass(kw_only=True)
class Terminal(RawTerminal):
    place: str = ""
    """The folder's name: it stands in the title."""
    _title: str = ""

    def query(self) -> None:
        self.make_raw()
        self.write(_QUERIES)

    def open(self) -> None:
        """After the first frame."""
        self.write(f"{_NO_MOUSE}\x1b[?1004h")
        self.title(self._title, again=True)
        self.write("\x1b[?2004h")

    def title(self, state: str, *, again: bool = False) -> None:
        if state != self._title or again:
            self._title = state
            self.write(f"\x1b]0;{f'{state} ({self.place})':<{_TITLE_WIDTH}}\x07")

    def close(self) -> None:
        self.write(_NO_MOUSE + _END)
        self.restore()
