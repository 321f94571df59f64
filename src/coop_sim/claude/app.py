"""Claude on a terminal, from the first query to the farewell: who gets the keys, and what runs when."""

import asyncio
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field

from coop_sim.claude.blocks import Plain, Used
from coop_sim.claude.commands import cleared, compacted, status_dialog
from coop_sim.claude.composer import Command, Composer, Prompt, Shell, Submission, Unknown, submission
from coop_sim.claude.keys import Key, Keyboard, Named, Reply
from coop_sim.claude.log import timestamp
from coop_sim.claude.log_lines import queue_line
from coop_sim.claude.menu import Dialog
from coop_sim.claude.stage import Stage, tick
from coop_sim.claude.startup import is_7501
from coop_sim.claude.states import Blocked, Idle, Working
from coop_sim.claude.tools import run_shell
from coop_sim.claude.turn import Conversation

TWICE = 0.8
"""Two presses within so long mean more than one."""
_CYCLE = {"default": "acceptEdits", "acceptEdits": "plan", "plan": "auto", "auto": "default"}
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
    _queue: "deque[tuple[str, bool]]" = field(default_factory=deque[tuple[str, bool]])
    """Prompts to come, and whether their hooks have run."""
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _turn: "asyncio.Task[None] | None" = None
    _tasks: "asyncio.TaskGroup | None" = None
    _pressed: dict[str, float] = field(default_factory=dict[str, float])
    _end: "asyncio.Future[Ending] | None" = None

    async def run(self, inbox: "asyncio.Queue[tuple[Key, ...]]", *, source: str, first: str | None) -> Ending:
        """Until it is told to end."""
        self._end = asyncio.get_running_loop().create_future()
        if first is not None:
            self._queue.append((first, False))
            self._wake.set()
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            running = [tasks.create_task(one) for one in (self._read(inbox), tick(self.stage), self._work(source))]
            ending = await self._end
            for task in (*running, *([self._turn] if self._turn else [])):
                task.cancel()
        return ending

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
            while self._queue:
                await self._one_turn(*self._queue.popleft())

    async def _one_turn(self, prompt: str, is_heard: bool) -> None:
        if prompt in self.stage.queued:
            self.stage.queued.remove(prompt)
            self.stage.session.log.note(queue_line("dequeue", timestamp()))
        self.stage.title = self.stage.session.scenario.title if self.stage.session.version.retitles else self.stage.title
        await self._run(self._submit(prompt, is_heard))

    async def _run(self, turn: Coroutine[None, None, None]) -> None:
        assert self._tasks is not None
        self._turn = self._tasks.create_task(turn)
        await asyncio.wait({self._turn})
        self._turn = None

    async def _submit(self, prompt: str, is_heard: bool) -> None:
        match self._meant(prompt):
            case Prompt(text):
                await self.conversation.run(text, is_heard=is_heard)
            case Shell(command):
                await self._shell(command)
            case Command(name):
                await self._command(name)
            case Unknown(name):
                self.stage.show(Plain(f"  Unknown command: {name}"))

    def _meant(self, text: str) -> Submission:
        return submission(text, runs_command_after_space=self.stage.session.version.runs_command_after_space)

    async def _shell(self, command: str) -> None:
        """No hook hears of it, and nobody is asked."""
        self.stage.session.become(Working())
        try:
            ran = await run_shell(command, self.stage.session.cwd)
            self.stage.show(Plain(f"! {command}"), Used(command, tuple(ran.content.split("\n"))))
        finally:
            self.stage.session.become(Idle())

    async def _command(self, name: str) -> None:
        match name:
            case "/exit" | "/quit":
                self.end(0, "prompt_input_exit")
            case "/clear":
                await cleared(self.stage)
            case "/compact":
                await compacted(self.stage)
            case _:
                await self._dialog(status_dialog(self.stage))

    async def _dialog(self, dialog: Dialog) -> None:
        before = self.stage.session.state
        self.stage.session.become(Blocked("dialog open"))
        await self.stage.ask(dialog)
        self.stage.session.become(before)

    async def _read(self, inbox: "asyncio.Queue[tuple[Key, ...]]") -> None:
        while True:
            self.on_keys(await inbox.get())

    def on_keys(self, keys: tuple[Key, ...]) -> None:
        """The keys of one write: to the dialog while there is one, else to the box."""
        if any(is_7501(key) for key in keys) and self.stage.session.version.reports_state:
            self.stage.reports()
        typed = tuple(key for key in keys if not isinstance(key, Reply))
        rest = self.stage.press(typed) if self.stage.has_dialog else typed
        if typed:
            self.stage.typed()
        for key in rest:
            self._box(key)
        self.stage.paint()

    def _box(self, key: Key) -> None:
        self.stage.notice = ""
        match key:
            case Named("enter"):
                self._enter()
            case Named("esc"):
                self._escape()
            case Named("ctrl+c" | "ctrl+d" as name):
                self._control(name)
            case Named("shift+tab"):
                self.stage.session.mode = _CYCLE.get(self.stage.session.mode, "default")
            case Named("up") if self.stage.queued:
                self._unqueue()
            case _:
                self.stage.composer = self.stage.composer.press(key)

    def _enter(self) -> None:
        session = self.stage.session
        edited = self.stage.composer.entered(session.cwd, completes_files=not session.version.runs_command_after_space)
        if edited is not None:
            self.stage.composer = edited
            return
        text, self.stage.composer = self.stage.composer.text, Composer()
        if text.strip():
            self.submit(text)

    def submit(self, text: str) -> None:
        """Now, or after what is running."""
        if self._turn is None:
            self._queue.append((text, False))
        else:
            self._enqueue(text)
        self._wake.set()

    def _enqueue(self, text: str) -> None:
        session = self.stage.session
        self.stage.queued.append(text)
        session.log.note(queue_line("enqueue", timestamp(), text))
        hears_now = session.version.hears_prompt_when_queued and isinstance(self._meant(text), Prompt)
        self._queue.append((text, hears_now))
        if hears_now and self._tasks is not None:
            self._tasks.create_task(self._hear(text))

    async def _hear(self, text: str) -> None:
        await self.stage.session.fire("UserPromptSubmit", {"prompt": text})

    def _unqueue(self) -> None:
        text = self.stage.queued.pop()
        self._queue = deque(one for one in self._queue if one[0] != text)
        self.stage.composer = Composer(text)

    def _escape(self) -> None:
        if self._turn is not None:
            self._turn.cancel()
        elif self._is_second("esc") and not self.stage.composer.text and self._tasks is not None:
            self._tasks.create_task(self._dialog(status_dialog(self.stage, heading="Rewind")))

    def _control(self, name: str) -> None:
        shown = "Ctrl-C" if name == "ctrl+c" else "Ctrl-D"
        if name == "ctrl+c" and self._turn is not None:
            self._turn.cancel()
        elif name == "ctrl+c" and self.stage.composer.text:
            self.stage.composer = Composer()
        elif self._is_second(name):
            self.end(0, "prompt_input_exit")
        else:
            self.stage.notice = f"Press {shown} again to exit"

    def _is_second(self, name: str) -> bool:
        before, self._pressed[name] = self._pressed.get(name, -TWICE - 1), self.clock()
        return self._pressed[name] - before <= TWICE


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
