"""Runs a script of any agent against a terminal that answers to keys, without time passing for real."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from coop.agents import Agent, Script, View
from coop.model.commands import Reason, Refused, Stroke
from coop.model.ids import PromptId
from coop.model.prompt import Prompt
from coop.model.readings import ScreenReading, Waits
from coop.model.screen import ScreenSnapshot
from coop.model.state import AgentState, Prompted, Starting
from coop.session.likeness import likeness

__all__ = ["Pictures", "Terminal", "Typed", "likeness"]

MOST = 5000
OTHER = PromptId("another")


class Terminal(Protocol):
    def press(self, data: bytes) -> None: ...
    @property
    def screen(self) -> ScreenSnapshot: ...


@dataclass
class Pictures:
    """Screens that follow each other: one more is shown at every look, whatever is pressed; the last stays."""

    screens: Sequence[ScreenSnapshot]
    pressed: list[tuple[ScreenSnapshot, bytes]] = field(default_factory=list[tuple[ScreenSnapshot, bytes]])
    """Each key, and what was on the screen when it was pressed."""
    _at: int = -1

    def press(self, data: bytes) -> None:
        self.pressed.append((self.screens[max(self._at, 0)], data))

    @property
    def screen(self) -> ScreenSnapshot:
        self._at = min(self._at + 1, len(self.screens) - 1)
        return self.screens[self._at]


class Typed:
    """What a script typed, and why it gave up.

    As a session does it: when the prompt it is `about` has made way for another, a script of which nothing is typed yet is
    taken back, and one that has begun is told that it is done.
    """

    def __init__(self, script: Script, agent: Agent, terminal: Terminal, *, about: Prompt | None = None) -> None:
        self.keys: list[bytes] = []
        self.strokes: list[Stroke] = []
        self.refused: Refused | None = None
        self.proven = ""
        self._agent, self._terminal, self._now = agent, terminal, 100.0
        self._about, self._version = about, next(iter(agent.tested), None)
        self._run(script)

    def _run(self, script: Script) -> None:
        try:
            stroke = next(script)
            for _ in range(MOST):
                self._write(stroke)
                view = self._look()
                if view.is_done and self._about is not None and not self.keys:
                    script.close()
                    self.refused = Refused(Reason.PROMPT_CHANGED, "taken back")
                    return
                stroke = script.send(view)
            raise AssertionError("the script never ends")
        except StopIteration as end:
            self.refused = end.value

    def _write(self, stroke: Stroke) -> None:
        self.strokes.append(stroke)
        self.proven = stroke.proves or self.proven
        if stroke.data:
            self.keys.append(stroke.data)
            self._terminal.press(stroke.data)
        self._now += stroke.pause

    def _look(self) -> View:
        screen = self._terminal.screen
        reading = self._agent.read_screen(screen) if self._agent.read_screen else ScreenReading()
        state = state_of(reading, self._about)
        is_over = self._about is not None and isinstance(state, Prompted) and state.prompt.id == OTHER
        return View(screen, reading, state, self._now, is_done=is_over or bool(self.proven), version=self._version)


def state_of(reading: ScreenReading, about: Prompt | None) -> AgentState:
    """As if the screen were all there is; what is drawn is the prompt that is meant when it looks like it."""
    claim = reading.says.claim if reading.says is not None else None
    if isinstance(claim, Prompted):
        is_meant = about is None or likeness(claim.prompt) == likeness(about)
        return Prompted(replace(claim.prompt, id=about.id if about is not None and is_meant else OTHER))
    return Starting() if claim is None or isinstance(claim, Waits) else claim
