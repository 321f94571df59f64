"""What the terminal is told of the state: OSC 7501 where it knows that, and the title."""

from dataclasses import dataclass

from coop_sim.claude.states import State, Working, osc_7501
from coop_sim.claude.terminal import Terminal
from coop_sim.claude.versions import Version

_TITLE_FRAMES = 8


@dataclass
class Reports:
    terminal: Terminal
    version: Version
    is_wanted: bool = False
    """The terminal has answered the OSC 7501 probe: states go there, and the title loses its glyph."""
    _reported: str = ""
    _title: str = ""

    def tell(self, state: State, name: str, frame: int) -> None:
        """Only what is new."""
        report = osc_7501(state)
        if self.is_wanted and report != self._reported:
            self._reported = report
            self.terminal.write(report)
        title = name if self.is_wanted else f"{self._glyph(state, frame)} {name}"
        if title != self._title:
            self._title = title
            self.terminal.title(title)

    def _glyph(self, state: State, frame: int) -> str:
        glyphs = self.version.working_glyphs
        return glyphs[frame // _TITLE_FRAMES % len(glyphs)] if isinstance(state, Working) else "✳"
