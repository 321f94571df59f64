"""Gemini on a terminal, from its first prompt to the farewell: what runs when."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import uuid4

from coop_sim.gemini.blocks import Asked, Boxed, Told
from coop_sim.gemini.composer import COMMANDS, Composer
from coop_sim.gemini.farewell import farewell
from coop_sim.gemini.keys import Key, Keyboard
from coop_sim.gemini.models import Model
from coop_sim.gemini.stage import Stage, tick
from coop_sim.gemini.tools import run_shell
from coop_sim.gemini.turn import Turn
from coop_sim.tasks import Tasks

_SIGNALS = (signal.SIGHUP, signal.SIGTERM, signal.SIGINT)
_LEAVING = 1.0
"""So long it takes to end by a command: hooks, and what it cleans up."""


@dataclass
class App:
    stage: Stage
    model: Model
    clock: Callable[[], float] = time.monotonic
    queue: list[str] = field(default_factory=list[str])
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _work: "asyncio.Task[None] | None" = None
    _tasks: Tasks | None = None
    _end: "asyncio.Future[bool] | None" = None
    _began: float = field(default_factory=time.monotonic)

    @property
    def is_busy(self) -> bool:
        return self._work is not None

    async def run(self, inbox: "asyncio.Queue[tuple[Key, ...]]", on_keys: Callable[[tuple[Key, ...]], None]) -> None:
        """Until it is told to end."""
        self._end = asyncio.get_running_loop().create_future()
        async with asyncio.TaskGroup() as group:
            tasks = self._tasks = Tasks(group)
            for work in (_read(inbox, on_keys), tick(self.stage), self._turns()):
                tasks.begin(work)
            is_polite = await self._end
            tasks.end()
        if is_polite:
            await self._say_goodbye()

    def end(self, *, politely: bool = False) -> None:
        self.stage.session.is_leaving = True
        if self._end is not None and not self._end.done():
            self._end.set_result(politely)

    async def _say_goodbye(self) -> None:
        tools = [tool for block in self.stage.past if isinstance(block, Boxed) for tool in block.tools]
        good = sum(mark == "✓" for mark, _, _ in tools)
        seconds = self.clock() - self._began
        self.stage.sign_off(farewell(self.stage.session, self.stage.columns, seconds=seconds, calls=len(tools), successes=good))
        await asyncio.sleep(_LEAVING)

    def on_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self.end)
        loop.add_signal_handler(signal.SIGWINCH, self.stage.paint)

    async def _turns(self) -> None:
        session = self.stage.session
        await session.fire("SessionStart", {"source": session.source}, subject=session.source)
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self.queue:
                # What was queued together is one prompt.
                text, self.queue = "\n\n".join(self.queue), []
                self.stage.queued = ()
                await self._one(text)

    async def _one(self, text: str) -> None:
        assert self._tasks is not None
        self._work = self._tasks.begin(self._do(text))
        await asyncio.wait({self._work})
        self._work = None

    async def _do(self, text: str) -> None:
        name = text.removeprefix("/").split(" ")[0]
        if text.startswith("!"):
            await self._shell(text[1:])
        elif text.startswith("/") and name in COMMANDS:
            await self._command(name, text)
        else:
            await Turn(self.stage.session, self.stage, self.model, text).take()

    async def _command(self, name: str, text: str) -> None:
        self.stage.show(Asked(text))
        match name:
            case "quit":
                self.end(politely=True)
            case "clear":
                session = self.stage.session
                await session.fire("SessionEnd", {"reason": "clear"}, subject="clear")
                session.begin_again(str(uuid4()))
                self.stage.clear()
                await session.fire("SessionStart", {"source": "clear"}, subject="clear")
            case "plan":
                self.stage.session.change_mode("plan")
            case _:
                self.stage.show(Told("ℹ", COMMANDS[name]))

    async def _shell(self, command: str) -> None:
        """What a person runs by themselves, in shell mode."""
        self.stage.show(Asked(command, "!"))
        self.stage.work(True)
        try:
            ended = await run_shell(command, self.stage.session.cwd)
            shown = tuple((ended.stdout + ended.stderr).rstrip().split("\n"))
            self.stage.show(Boxed((("✓", f"Shell Command {command}", shown),)))
        finally:
            self.stage.work(False)

    def submit(self, text: str) -> None:
        """Now, or after what is running."""
        self.queue.append(text)
        self.stage.queued = tuple(self.queue) if self.is_busy else ()
        self._wake.set()
        self.stage.paint()

    def take_back(self) -> None:
        """What is queued goes back into the input."""
        self.stage.composer = Composer("\n\n".join(self.queue))
        self.queue, self.stage.queued = [], ()
        self.stage.paint()

    def interrupt(self) -> None:
        if self._work is not None:
            self._work.cancel()
            if self.queue:
                self.take_back()


async def _read(inbox: "asyncio.Queue[tuple[Key, ...]]", on_keys: Callable[[tuple[Key, ...]], None]) -> None:
    while True:
        on_keys(await inbox.get())


def read_keys(fd: int, keyboard: Keyboard, inbox: "asyncio.Queue[tuple[Key, ...]]", gone: Callable[[], None]) -> None:
    """One read of the terminal; `gone` when there is nobody left to read from."""
    try:
        data = os.read(fd, 65536)
    except OSError:
        data = b""
    if not data:
        asyncio.get_running_loop().remove_reader(fd)
        gone()
    elif keys := keyboard.receive(data):
        inbox.put_nowait(keys)
