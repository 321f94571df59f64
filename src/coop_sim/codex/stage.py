"""Codex's screen while it runs: what is shown, which dialog is up, and what the terminal is told."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coop_sim.codex.blocks import Block
from coop_sim.codex.composer import Composer
from coop_sim.codex.layout import View, frame
from coop_sim.codex.menu import Chosen, Dialog
from coop_sim.codex.paint import Painter
from coop_sim.codex.terminal import Terminal
from coop_sim.keys import Key

HELD_BACK = 1.0
"""A permission is not drawn until nothing was typed for so long."""
FRAME = 0.1
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


@dataclass
class Open:
    dialog: Dialog
    kind: str
    answer: "asyncio.Future[Chosen]"
    is_drawn: bool = False


@dataclass
class Stage:
    """What a turn shows itself on."""

    terminal: Terminal
    cwd: Path
    model: str
    """As people call it."""
    clock: Callable[[], float] = time.monotonic
    composer: Composer = field(default_factory=Composer)
    past: list[Block] = field(default_factory=list[Block])
    queued: Sequence[str] = ()
    notice: str = ""
    title: str = ""
    is_planning: bool = False
    is_leaving: bool = False
    background: int = 0
    """How many commands run besides the turn."""
    _is_ready: bool = False
    _live: tuple[Block, ...] = ()
    _retry: str = ""
    _rest: str = "idle"
    _worked_from: float | None = None
    _is_saying: bool = False
    _open: list[Open] = field(default_factory=list[Open])
    _typed_at: float = -1e9
    _frame: int = 0
    _painter: Painter = field(default_factory=Painter)

    @property
    def columns(self) -> int:
        return self.terminal.size()[0]

    # What is shown

    def show(self, *blocks: Block) -> None:
        """For good."""
        self.past += blocks
        self.paint()

    def live(self, *blocks: Block, is_saying: bool = False) -> None:
        """Until the next time: what is not yet finished."""
        self._live, self._is_saying = blocks, is_saying
        self.paint()

    def retrying(self, attempt: str, why: str = "") -> None:
        """`1/5`, or what it waits for; empty when it does no more."""
        self._retry = attempt
        self.paint()

    def clear(self) -> None:
        self.past, self._live = [], ()
        self.redraw()

    def redraw(self) -> None:
        self._painter.forget()
        self.paint()

    def resized(self) -> None:
        self.terminal.locate()
        self.redraw()

    def paint(self) -> None:
        if self.terminal.is_clogged:
            return  # drawn when it is drained
        columns, height = self.terminal.size()
        self.terminal.write(self._painter.draw(frame(self._view(), columns, height), columns))

    def _view(self) -> View:
        shown = self._shown()
        return View(
            place=str(self.cwd),
            past=[*self.past, *self._live],
            composer=self.composer,
            footer=self._footer(),
            is_planning=self.is_planning,
            status=self._status(),
            queued=self.queued,
            dialog=shown.dialog if shown else None,
            notice=self.notice,
            is_leaving=self.is_leaving,
        )

    def _footer(self) -> str:
        effort = "medium" if self.is_planning else "default"
        parts = (f"{self.model} {effort}", str(self.cwd), *([self.title] if self.title else []))
        return " · ".join(parts) if self._is_ready else ""

    def _status(self) -> str:
        many = f"{self.background} background terminal{'s' * (self.background > 1)} running · /ps to view · /stop to close"
        if self._worked_from is None or self._is_saying:
            return f"  {many}" if self.background else ""
        doing = f"Reconnecting... {self._retry}" if self._retry else "Working"
        seconds = int(self.clock() - self._worked_from)
        glyph = "•" if self._frame // 6 % 2 == 0 else "◦"
        return f"{glyph} {doing} ({seconds}s • esc to interrupt)" + (f" · {many}" if self.background else "")

    # What the terminal is told

    def ready(self) -> None:
        self._is_ready = True
        self.tell()
        self.paint()

    def work(self) -> None:
        self._worked_from = self.clock() if self._worked_from is None else self._worked_from
        self.tell()
        self.paint()

    def rest(self, state: str) -> None:
        """The turn is over: `done`, `error` or `idle`."""
        self._worked_from, self._rest, self._live, self._is_saying = None, state, (), False
        self.tell()
        self.paint()

    def tell(self) -> None:
        """Commands in the background are work, too."""
        asked = next((each.kind for each in self._open if each.kind), "")
        if asked:
            self.terminal.report("blocked", asked)
        elif self._worked_from is not None or self.background:
            self.terminal.report("working")
        else:
            self.terminal.report(self._rest)
        self.terminal.title(self._titled())

    def _titled(self) -> str:
        name = " | ".join(part for part in (self.title, self.cwd.name) if part)
        shown = self._shown()
        if shown is not None and shown.kind:
            return f"[ {'!' if self._frame // 10 % 2 else '.'} ] Action Required | {name}"
        return f"{_SPINNER[self._frame % len(_SPINNER)]} {name}" if self._worked_from is not None else name

    async def tick(self) -> None:
        while True:
            await asyncio.sleep(FRAME)
            self._frame += 1
            if self._worked_from is not None or self._open:
                self.tell()
                self.paint()

    # Dialogs and keys

    def _shown(self) -> Open | None:
        return next((each for each in self._open if each.is_drawn), None)

    @property
    def has_dialog(self) -> bool:
        return self._shown() is not None

    async def ask(self, dialog: Dialog, kind: str, *, is_held_back: bool = False, delay: float = 0.0) -> Chosen:
        """`kind` is what the terminal is told it waits for. Cancelled, the dialog goes away."""
        opened = Open(dialog, kind, asyncio.get_running_loop().create_future())
        self._open.append(opened)
        self.tell()
        try:
            await asyncio.sleep(delay)
            if is_held_back:
                await self._quiet()
            opened.is_drawn = True
            self.tell()
            self.paint()
            return await opened.answer
        finally:
            self._open.remove(opened)
            self.tell()
            self.paint()

    async def _quiet(self) -> None:
        """Each key begins the wait anew."""
        left = self._typed_at + HELD_BACK - self.clock()
        if left > 0:
            await asyncio.sleep(left)
            await self._quiet()

    def press(self, key: Key) -> bool:
        """Did a dialog take the key?"""
        self.woken()
        shown = self._shown()
        if shown is None or shown.answer.done():
            return False
        pressed = shown.dialog.press(key)
        if isinstance(pressed, Chosen):
            shown.answer.set_result(pressed)
            self._open.sort(key=lambda each: each is shown)  # the next one has the screen at once
            shown.is_drawn = False
        else:
            shown.dialog = pressed
        return True

    def woken(self) -> None:
        """After a key, what has ended has been seen."""
        if self._worked_from is None and self._rest != "idle":
            self._rest = "idle"
            self.tell()

    def typed(self) -> None:
        self._typed_at = self.clock()
