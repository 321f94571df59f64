"""Gemini's screen while it runs: what is shown, which dialog is up, and what the title says."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from coop_sim.cells import width
from coop_sim.gemini.blocks import Block, Said
from coop_sim.gemini.composer import Composer
from coop_sim.gemini.dialogs import Answer, Cancelled, Dialog, Menu
from coop_sim.gemini.keys import Key
from coop_sim.gemini.layout import View, frame
from coop_sim.gemini.paint import CLEAR, Painter
from coop_sim.gemini.session import Session
from coop_sim.gemini.terminal import ASKING, READY, WORKING, Terminal
from coop_sim.gemini.tools import Done
from coop_sim.scenario import ToolUse

FRAME = 0.1
_NOTICED = 5.0
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


@dataclass
class Asking:
    """A dialog that waits; of several the one that was called for first is seen."""

    dialog: Dialog
    place: int
    count: str
    answer: "asyncio.Future[Answer]"


@dataclass
class Stage:
    terminal: Terminal
    session: Session
    clock: Callable[[], float] = time.monotonic
    head: Sequence[str] = ()
    composer: Composer = field(default_factory=Composer)
    past: list[Block] = field(default_factory=list[Block])
    queued: Sequence[str] = ()
    _notice: tuple[str, float] = ("", 0.0)
    """What is to be known, and until when."""
    is_working: bool = False
    live: tuple[Block, ...] = ()
    _asking: list[Asking] = field(default_factory=list[Asking])
    _since: float = 0.0
    _frame: int = 0
    _painter: Painter = field(default_factory=Painter)
    _is_signed_off: bool = False

    def open(self) -> None:
        self.terminal.title(READY)
        self.terminal.write("\x1b[?25l")
        self.paint()
        self.terminal.open()
        self.terminal.on_drained = self.paint
        self.session.on_change = self.paint
        self.session.hooks.on_change = self.paint

    @property
    def columns(self) -> int:
        return self.terminal.size()[0]

    @property
    def dialog(self) -> Asking | None:
        return min(self._asking, key=lambda asking: asking.place, default=None)

    def show(self, *blocks: Block) -> None:
        self.past += blocks
        self.paint()

    def stream(self, text: str) -> None:
        """What is being said; empty when it has become a part of the past."""
        self.live = (Said(text),) if text else ()
        self.paint()

    def clear(self) -> None:
        self.past, self.live = [], ()
        self._painter.forget()
        self.terminal.write(CLEAR)
        self.paint()

    def notify(self, words: str, seconds: float = _NOTICED) -> None:
        self._notice = (words, self.clock() + seconds)
        self.paint()

    def work(self, is_working: bool) -> None:
        self.is_working, self._since = is_working, self.clock()
        self._report()
        self.paint()

    async def ask(self, dialog: Dialog, *, place: int = 0, count: str = "") -> Answer:
        asking = Asking(dialog, place, count, asyncio.get_running_loop().create_future())
        self._asking.append(asking)
        self._report()
        self.paint()
        try:
            return await asking.answer
        finally:
            self._asking.remove(asking)
            self._report()
            self.paint()

    def recount(self, count: str) -> None:
        for asking in self._asking:
            asking.count = count
        self.paint()

    def dismiss(self) -> None:
        for asking in self._asking:
            if not asking.answer.done():
                asking.answer.set_result(Cancelled())

    def uses(self, use: ToolUse) -> None:
        """Its dialog says so, or what came of it."""

    def used(self, done: Done) -> None:
        """It is shown with the others."""

    def press(self, key: Key) -> None:
        """For the dialog that is seen."""
        asking = self.dialog
        if asking is not None and not asking.answer.done() and (answer := asking.dialog.press(key)) is not None:
            asking.answer.set_result(answer)
        self.paint()

    def _report(self) -> None:
        """What is asked before the first prompt does not count."""
        working = ASKING if self._asking else WORKING
        self.terminal.title(working if self.is_working else READY)

    def tick(self) -> None:
        if self.is_working and not self._asking:
            self._frame += 1
            self.paint()
        if self._notice[0] and self.clock() >= self._notice[1]:
            self.notify("")

    def sign_off(self, rows: Sequence[str]) -> None:
        """The last frame: without the input."""
        self.live, self._is_signed_off = (), True
        self.paint()
        self.terminal.write("".join(f"{row}\r\n" for row in rows))

    def paint(self) -> None:
        if self.terminal.is_clogged:
            return  # painted when there is room
        columns, rows = self.terminal.size()
        if self.dialog is not None and isinstance(self.dialog.dialog, Menu):
            self.dialog.dialog.height = rows
        shown = frame(self._view(columns), columns, rows)
        if self._is_signed_off:
            shown = type(shown)(shown.past, (), None, columns, rows)
        self.terminal.write(self._painter.draw(shown))

    def _view(self, columns: int) -> View:
        session, asking = self.session, self.dialog
        return View(
            cwd=session.cwd,
            mode=session.mode,
            model=session.options.model or "Auto",
            past=self.past,
            head=self.head,
            live=self.live,
            status=self._status(columns),
            queued=self.queued,
            composer=self.composer,
            dialog=asking.dialog.rows(columns, asking.count) if asking else None,
            is_bright=session.options.env.get("COLORTERM") == "truecolor",
            is_trusted=session.is_trusted,
        )

    def _status(self, columns: int) -> str:
        names = self.session.hooks.running
        hooks = f"Executing Hook{'s' if len(names) > 1 else ''}: {', '.join(names)}" if names else ""
        if not self.is_working:
            return f" {self._notice[0]}" if self._notice[0] else f"  {hooks}" if hooks else ""
        spinner = _FRAMES[self._frame % len(_FRAMES)]
        left = f" {spinner} {hooks or 'Thinking...'} (esc to cancel, {int(self.clock() - self._since)}s)"
        return left if width(left) < columns - 20 else f" {spinner} Thinking... (esc to cancel)"


async def tick(stage: Stage) -> None:
    while True:
        await asyncio.sleep(FRAME)
        stage.tick()
