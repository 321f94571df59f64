"""Claude on a terminal, from the first query to the farewell: what runs when."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from coop_sim.claude.background import Background
from coop_sim.claude.composer import Prompt
from coop_sim.claude.keys import Key, Keyboard
from coop_sim.claude.stage import Stage, tick
from coop_sim.claude.states import Idle
from coop_sim.claude.submitting import Submitting
from coop_sim.claude.turn import Conversation
from coop_sim.claude.waiting import Queue, Waiting
from coop_sim.tasks import Tasks

_SIGNALS = {signal.SIGHUP: 129, signal.SIGTERM: 143, signal.SIGINT: 0}


@dataclass(frozen=True, slots=True)
class Ending:
    code: int
    reason: str


@dataclass
class App:
    stage: Stage
    conversation: Conversation
    clock: Callable[[], float] = time.monotonic
    on_keys: Callable[[tuple[Key, ...]], None] = lambda _: None
    """Who gets the keys of one write."""
    queue: Queue = field(init=False)
    _submitting: Submitting = field(init=False)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _turn: "asyncio.Task[None] | None" = None
    _tasks: Tasks | None = None
    _end: "asyncio.Future[Ending] | None" = None

    def __post_init__(self) -> None:
        self.queue = Queue(self.stage.session)
        self._submitting = Submitting(self.stage, self.conversation, leave=lambda: self.end(0, "prompt_input_exit"))

    @property
    def is_busy(self) -> bool:
        return self._turn is not None

    async def run(self, inbox: "asyncio.Queue[tuple[Key, ...]]", *, source: str, first: str | None) -> Ending:
        """Until it is told to end."""
        self._end = asyncio.get_running_loop().create_future()
        if first is not None:
            self.submit(first)
        async with asyncio.TaskGroup() as group:
            tasks = self._tasks = Tasks(group)
            self._open(tasks)
            for work in (self._read(inbox), tick(self.stage), self._work(source)):
                tasks.begin(work)
            ending = await self._end
            tasks.end()
        return ending

    def _open(self, tasks: Tasks) -> None:
        session = self.stage.session
        session.tasks, session.has_more = tasks, lambda: bool(self.queue)
        session.background = Background(tasks, session.cwd, session.options.config_dir / "tasks", self._on_background_end)

    def end(self, code: int, reason: str) -> None:
        if self._end is not None and not self._end.done():
            self._end.set_result(Ending(code, reason))

    def on_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number, code in _SIGNALS.items():
            loop.add_signal_handler(number, self.end, code, "other")
        loop.add_signal_handler(signal.SIGWINCH, self.stage.resized)

    async def _work(self, source: str) -> None:
        session = self.stage.session
        old_id = session.options.resume if source == "resume" and session.options.forks else None
        await session.fire(
            "SessionStart", {"source": source, "model": session.version.model}, subject=source, session_id=old_id
        )
        session.become(Idle())
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self.queue:
                await self._one_turn(self.queue.take())

    async def _one_turn(self, prompt: Waiting) -> None:
        self.stage.queued = self.queue.shown()
        self.stage.title = self.stage.session.scenario.title if self.stage.session.version.retitles else self.stage.title
        assert self._tasks is not None
        self._turn = self._tasks.begin(self._submitting.do(prompt))
        await asyncio.wait({self._turn})
        self._turn = None

    async def _read(self, inbox: "asyncio.Queue[tuple[Key, ...]]") -> None:
        while True:
            self.on_keys(await inbox.get())

    def submit(self, text: str) -> None:
        """Now, or after what is running."""
        if self.is_busy:
            self._enqueue(text)
        else:
            self.queue.put(Waiting(text))
        self._wake.set()

    def _enqueue(self, text: str) -> None:
        hears_now = self.stage.session.version.hears_prompt_when_queued and isinstance(self._submitting.meant(text), Prompt)
        self.queue.put(Waiting(text, is_heard=hears_now, is_queued=True, is_shown=True))
        self.stage.queued = self.queue.shown()
        if hears_now and self._tasks is not None:
            self._tasks.begin(self._hear(text))

    async def _hear(self, text: str) -> None:
        await self.stage.session.fire("UserPromptSubmit", {"prompt": text})

    def rewind(self) -> None:
        if self._tasks is not None:
            self._tasks.begin(self._submitting.rewind())

    def take_back(self) -> list[str]:
        """The queued prompts, out of the queue."""
        texts = self.queue.take_back()
        self.stage.queued = self.queue.shown()
        return texts

    def _on_background_end(self, notification: str) -> None:
        if not self.is_busy and self.stage.session.version.rests_between:
            self.stage.session.become(Idle())
        self.queue.put(Waiting(notification, is_queued=True))
        self._wake.set()

    def interrupt(self) -> None:
        if self._turn is not None:
            self._turn.cancel()


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
