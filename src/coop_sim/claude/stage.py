"""Claude's screen while it runs: what is shown, which dialog is up, and who hears the keys."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from coop_sim.claude.answers import Answer
from coop_sim.claude.blocks import Block
from coop_sim.claude.composer import Composer
from coop_sim.claude.dialogs import Dialogs
from coop_sim.claude.keys import Key
from coop_sim.claude.layout import View, frame
from coop_sim.claude.menu import Dialog
from coop_sim.claude.paint import FullScreen, Inline, Painter
from coop_sim.claude.reporting import Reports
from coop_sim.claude.session import Session
from coop_sim.claude.spinner import FRAME, VERBS, retry_row, spinner_row
from coop_sim.claude.states import State, Working
from coop_sim.claude.terminal import Terminal


@dataclass
class Stage:
    """The `Face` on a terminal."""

    terminal: Terminal
    session: Session
    clock: Callable[[], float] = time.monotonic
    composer: Composer = field(default_factory=Composer)
    past: list[Block] = field(default_factory=list[Block])
    queued: list[str] = field(default_factory=list[str])
    notice: str = ""
    title: str = "Claude Code"
    _live: tuple[Block, ...] = ()
    _dialogs: Dialogs = field(init=False)
    _typed_at: float = -1e9
    _retry: tuple[str, int, int, float] | None = None
    _tokens: int = 0
    _frame: int = 0
    _worked_from: float = 0.0
    _reports: Reports = field(init=False)
    _painter: Painter = field(default_factory=Inline)

    def __post_init__(self) -> None:
        version = self.session.version
        self._reports = Reports(self.terminal, version)
        self._dialogs = Dialogs(version.shows_last_dialog, version.has_stale_focus, counts=version.is_fullscreen)

    def open(self, *, reports: bool) -> None:
        """`reports`: the terminal has said that it knows OSC 7501."""
        self._reports.is_wanted = reports
        self._painter = FullScreen() if self.terminal.is_fullscreen else Inline()
        self.terminal.enter_fullscreen()
        self.terminal.on_drained = self.paint
        self.session.on_state = self.become
        self._report()
        self.paint()

    @property
    def columns(self) -> int:
        return self.terminal.size()[0]

    @property
    def has_dialog(self) -> bool:
        return self._dialogs.shown is not None

    def show(self, *blocks: Block) -> None:
        self.past += blocks
        self.paint()

    def live(self, *blocks: Block) -> None:
        self._live = blocks
        self.paint()

    def count(self, tokens: int) -> None:
        self._tokens = tokens

    def retrying(self, row: str | None, attempt: int = 0, of: int = 0, wait: float = 1.0) -> None:
        before, self._retry = self._retry, (row, attempt, of, wait) if row else None
        if self._retry != before:
            self.paint()

    def restore(self, prompt: str) -> None:
        self.composer = Composer(prompt)
        self.paint()

    def clear(self) -> None:
        self.past, self._live = [], ()
        self._painter.forget()
        self.paint()

    def resized(self) -> None:
        self._painter.forget()
        self.paint()

    def suspend(self) -> None:
        self.terminal.suspend()
        self.resized()

    async def ask(self, dialog: Dialog) -> Answer:
        """Held back while somebody types: their keys are not for it."""
        is_held = await self._quiet()
        await asyncio.sleep(self.session.faults.slow_dialog)
        opened = self._dialogs.add(dialog, self.clock() + (self.session.version.deaf if is_held else 0.0))
        self.paint()
        try:
            return await opened.answer
        finally:
            self._dialogs.close(opened)
            self.paint()

    async def _quiet(self) -> bool:
        """Waits until nothing was typed for a while; was there anything to wait for?"""
        is_held = False
        while (rest := self._typed_at + self.session.version.typing_guard - self.clock()) > 0:
            is_held = True
            await asyncio.sleep(rest)
        return is_held

    def typed(self) -> None:
        self._typed_at = self.clock()

    def press(self, keys: Sequence[Key]) -> tuple[Key, ...]:
        """The dialog takes the keys of one write; those after its answer are left over."""
        rest = self._dialogs.press(keys, self.clock())
        self.paint()
        return rest

    def become(self, state: State) -> None:
        if isinstance(state, Working) and not self._worked_from:
            self._worked_from = self.clock()
        if not isinstance(state, Working):
            self._worked_from = 0.0
        self._report()
        self.paint()

    def reports(self) -> None:
        """The terminal knows OSC 7501."""
        self._reports.is_wanted = True
        self._report()

    def _report(self) -> None:
        self._reports.tell(self.session.state, self.title, self._frame)

    def tick(self) -> None:
        """The next frame of the spinner."""
        if isinstance(self.session.state, Working):
            self._frame += 1
            self._report()
            self.paint()

    def paint(self) -> None:
        if self.terminal.is_clogged:
            return  # painted when there is room
        columns, rows = self.terminal.size()
        self.terminal.write(self._painter.draw(frame(self._view(), columns, rows)))

    def _view(self) -> View:
        session = self.session
        return View(
            version=session.version,
            cwd=session.cwd,
            mode=session.mode,
            past=self.past,
            live=self._live,
            spinner=self._spinner() if isinstance(session.state, Working) else None,
            queued=self.queued,
            composer=self.composer,
            dialog=self._dialogs.view(),
            notice=self.notice,
        )

    def _spinner(self) -> str:
        if self._retry is not None:
            message, attempt, of, wait = self._retry
            return retry_row(message, frame=self._frame, wait=wait, attempt=attempt, of=of)
        verb = VERBS[len(self.past) % len(VERBS)]
        seconds = int(self.clock() - self._worked_from)
        return spinner_row(verb, frame=self._frame, seconds=seconds, tokens=self._tokens)


async def tick(stage: Stage) -> None:
    while True:
        await asyncio.sleep(FRAME)
        stage.tick()
