"""Claude on the terminal: what is asked and set at the start, and put back at the end."""

from dataclasses import dataclass

from coop_sim.claude.states import CLEAR_7501, PROBE_7501
from coop_sim.claude.versions import Version
from coop_sim.terminal import RawTerminal

_BEGIN = "\x1b7\x1b[r\x1b8\x1b[?25h"
_MODES = "\x1b[?2004h\x1b[?1004h\x1b[?2031h"
_NO_MODES = "\x1b[?1004l\x1b[?2031l\x1b[?2004l\x1b[?25h"
_SUSPENDED = (
    "\r\nClaude Code has been suspended. Run `fg` to bring Claude Code back."
    "\r\nNote: ctrl + z now suspends Claude Code, ctrl + _ undoes input.\r\n"
)
_MOUSE = "\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h"
_NO_MOUSE = "\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l"


@dataclass
class Terminal(RawTerminal):
    version: Version
    is_fullscreen: bool
    has_titles: bool = True
    """Without titles there is no OSC 7501 either."""

    def open(self) -> None:
        self.make_raw()
        self.write(_BEGIN + "\x1b[?25l" + _MODES)

    def query(self, *, is_again: bool = False) -> None:
        """`is_again`: after a start-up dialog, which has asked already."""
        probe = "\x1b[?u" + PROBE_7501 if self.version.reports_state and self.has_titles and not is_again else ""
        self.write(f"\x1b[>0q{probe}\x1b[c")

    def enter_fullscreen(self) -> None:
        if self.is_fullscreen:
            self.write(f"\x1b[?1049h\x1b[2J\x1b[H{_MOUSE}\x1b[?25l")

    def title(self, text: str) -> None:
        if self.has_titles:
            self.write(f"\x1b]0;{text}\x07")

    def suspend(self) -> None:
        leave = f"{_NO_MOUSE}\x1b[?1049l" if self.is_fullscreen else ""
        self.write(f"{leave}\x1b[>4m{_NO_MODES}{_SUSPENDED}")
        super().suspend()
        self.write(f"{_MODES}\x1b[?25l")
        self.enter_fullscreen()

    def close(self, *, farewell: str) -> None:
        leave = f"{_NO_MOUSE}\x1b[?1049l" if self.is_fullscreen else f"\r\n{_NO_MOUSE}"
        clear = CLEAR_7501 if self.version.reports_state and self.has_titles else ""
        self.write(f"{leave}\x1b[>4m{_NO_MODES}\x1b7\x1b[r\x1b8{clear}")
        self.title("")
        self.write(farewell.replace("\n", "\r\n"))
        self.restore()
