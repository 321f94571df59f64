"""Somebody to type for: runs a script against a terminal that answers to keys, without time passing for real."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from coop.agents import ReadScreen, Script, View
from coop.model.commands import Refused, Stroke
from coop.model.ids import PromptId
from coop.model.prompt import Prompt
from coop.model.screen import ScreenSnapshot
from coop.model.state import AgentState, Idle, Prompted
from tests.unit.agents.claude.screens import read

MOST = 2000


class Terminal(Protocol):
    def press(self, data: bytes) -> None: ...
    @property
    def screen(self) -> ScreenSnapshot: ...
    @property
    def state(self) -> AgentState: ...
    @property
    def is_done(self) -> bool: ...


class Typed:
    """What a script typed, and why it gave up."""

    def __init__(self, script: Script, terminal: Terminal, *, version: str | None = "2.1.197", read: ReadScreen = read) -> None:
        self.terminal = terminal
        self._read = read
        self.keys: list[bytes] = []
        self.strokes: list[Stroke] = []
        self.refused: Refused | None = None
        self.now = 100.0
        self._version = version
        self._run(script)

    def _run(self, script: Script) -> None:
        try:
            stroke = next(script)
            for _ in range(MOST):
                self._write(stroke)
                stroke = script.send(self._look())
            raise AssertionError("the script never ends")
        except StopIteration as end:
            self.refused = end.value

    def _write(self, stroke: Stroke) -> None:
        self.strokes.append(stroke)
        if stroke.data:
            self.keys.append(stroke.data)
            self.terminal.press(stroke.data)
        self.now += stroke.pause

    def _look(self) -> View:
        terminal, reading = self.terminal, self._read(self.terminal.screen)
        state = terminal.state
        if reading.says is not None and isinstance(reading.says.claim, Prompted):
            shown = replace(reading.says.claim.prompt, id=PromptId("p1"))
            others: tuple[Prompt, ...] = getattr(terminal, "open", ())  # asked too, and not on the screen
            state = Prompted(shown, (*others, shown) if others else ())
        return View(terminal.screen, reading, state, self.now, terminal.is_done, self._version)


class Pages:
    """Screens that follow each other: each is turned by the key given with it, and no other key does anything."""

    def __init__(self, *pages: tuple[ScreenSnapshot, bytes | None], state: AgentState | None = None) -> None:
        self._pages = pages
        self._at = 0
        self.open: tuple[Prompt, ...] = ()
        self._state = state or Idle()

    def press(self, data: bytes) -> None:
        if data == self._pages[self._at][1] and self._at + 1 < len(self._pages):
            self._at += 1

    @property
    def screen(self) -> ScreenSnapshot:
        return self._pages[self._at][0]

    @property
    def state(self) -> AgentState:
        return self._state

    @property
    def is_done(self) -> bool:
        return False

    @property
    def is_at_end(self) -> bool:
        return self._at == len(self._pages) - 1


class Menu:
    """Options that the arrows go through; `draw` makes the screen, Enter chooses."""

    def __init__(
        self,
        options: Sequence[str],
        draw: Callable[[Sequence[str], int], ScreenSnapshot],
        *,
        takes_arrows: bool = True,
        slow: int = 0,
    ) -> None:
        self._options = options
        self._draw = draw
        self._at = 0
        self._takes_arrows = takes_arrows
        self._slow = slow
        """Only after so many looks it does what a key says."""
        self._pressed: list[tuple[int, bytes]] = []
        self._looks = 0
        self.chosen: str | None = None

    def press(self, data: bytes) -> None:
        self._pressed.append((self._looks + self._slow, data))
        self._catch_up()

    def _catch_up(self) -> None:
        while self._pressed and self._pressed[0][0] <= self._looks:
            self._take(self._pressed.pop(0)[1])

    def _take(self, data: bytes) -> None:
        if data == b"\r":
            self.chosen = self._options[self._at]
        elif self._takes_arrows and data in (b"\x1b[A", b"\x1b[B"):
            self._at = (self._at + (1 if data == b"\x1b[B" else -1)) % len(self._options)

    @property
    def screen(self) -> ScreenSnapshot:
        self._looks += 1
        self._catch_up()
        return self._draw(self._options, self._at)

    @property
    def state(self) -> AgentState:
        return Idle()

    @property
    def is_done(self) -> bool:
        return False
