"""Codex on a terminal, from the first prompt to the end: what runs when."""

import asyncio
import json
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field

from coop_sim.codex.blocks import Plain, Prompted
from coop_sim.codex.commands import Commands
from coop_sim.codex.composer import Command, Composer, Prompt, Shell, Submission
from coop_sim.codex.lines import message
from coop_sim.codex.model import Call, Failed, Model
from coop_sim.codex.requests import plan_dialog
from coop_sim.codex.session import Session
from coop_sim.codex.shells import Shell as Running
from coop_sim.codex.shells import Shells
from coop_sim.codex.stage import Stage
from coop_sim.codex.tools import Tools, executed
from coop_sim.codex.turn import Ended, Turn
from coop_sim.shapes import Table
from coop_sim.tasks import Tasks

IMPLEMENT = "Implement the plan."
_ENDS = ("/exit", "/quit")


@dataclass
class App:
    stage: Stage
    session: Session
    model: Model
    retries: int
    _queue: deque[Submission] = field(default_factory=deque[Submission])
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _ended: asyncio.Event = field(default_factory=asyncio.Event)
    _running: "asyncio.Task[Ended | str] | None" = None
    _turn: Turn | None = None
    _tasks: Tasks | None = None
    _tools: Tools | None = None

    @property
    def is_busy(self) -> bool:
        return self._running is not None

    async def run(self, first: str | None) -> None:
        """Until it is told to end."""
        async with asyncio.TaskGroup() as group:
            tasks = self._tasks = Tasks(group)
            options = self.session.options
            shells = Shells(tasks, options.cwd, options.env, self._on_command_end)
            self._tools = Tools(self.session, self.stage, shells)
            if first is not None:
                self.submit(Prompt(first))
            tasks.begin(self.stage.tick())
            tasks.begin(self._work())
            await self._ended.wait()
            shells.stop()
            tasks.end()

    def end(self) -> None:
        self._ended.set()

    def submit(self, what: Submission) -> None:
        """Now, or into the queue when it is busy."""
        if what in [Command(name) for name in _ENDS]:
            self.end()
        elif what == Command("/stop") and self._tools is not None:
            self._tools.shells.stop()
        else:
            self._queue.append(what)
            self._tell_queue()
            self._wake.set()

    def steer(self, what: Submission) -> None:
        """Into the turn that runs, where there is one."""
        if self._turn is not None and isinstance(what, Prompt):
            self._turn.steer(what.text)
        else:
            self.submit(what)

    def interrupt(self) -> None:
        if self._running is not None:
            self._running.cancel()

    def _tell_queue(self) -> None:
        waiting = [each.text for each in self._queue if isinstance(each, Prompt)]
        self.stage.queued = waiting if self.is_busy else ()

    async def _work(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                await self._one(self._queue.popleft())

    async def _one(self, what: Submission) -> None:
        assert self._tasks is not None
        if what in (Command("/clear"), Command("/new")):
            self._renew("clear")
            return
        self._running = self._tasks.begin(self._do(what))
        self._tell_queue()
        self.stage.work()
        try:
            ended = await asyncio.shield(self._running)
        except asyncio.CancelledError:
            if not self._running.done():
                raise
            ended = "idle"
        self._running = self._turn = None
        await self._rest(ended)

    async def _do(self, what: Submission) -> Ended | str:
        commands = Commands(self.session, self.stage, self.model)
        match what:
            case Shell(command):
                return await commands.shell(command)
            case Command():
                return await commands.compact()
            case Prompt(text):
                return await self._answer(text)
            case _:
                return "idle"

    async def _answer(self, text: str) -> Ended:
        assert self._tools is not None
        assert self._tasks is not None
        self.stage.show(Prompted(text))
        if not self.stage.title:
            self._tasks.begin(self._find_title(text))
        self._turn = Turn(self.session, self.stage, self.model, self._tools, self.retries)
        ended = await self._turn.run(text)
        if ended.state == "done":
            await self._notify(self._turn.said or "")
        return ended

    async def _rest(self, ended: Ended | str) -> None:
        """Between what is queued it does not rest."""
        self._count()
        state = ended.state if isinstance(ended, Ended) else ended
        if isinstance(ended, Ended) and state == "idle":
            self._take_back()
        if self._queue:
            return
        self.stage.rest(state)
        if isinstance(ended, Ended) and ended.plan is not None and self.session.mode == "plan":
            await self._offer(ended.plan)

    def _take_back(self) -> None:
        """What was queued for the end of a turn that was stopped goes before what is being typed."""
        waiting = [each.text for each in self._queue if isinstance(each, Prompt)]
        if waiting:
            text = "\n".join((*waiting, *filter(None, [self.stage.composer.whole()])))
            self.stage.composer = Composer(text, at=len(text))
        self._queue.clear()
        self._tell_queue()

    async def _offer(self, plan: str) -> None:
        chosen = await self.stage.ask(plan_dialog(), "")
        if chosen.name == "no":
            return
        self.plan_mode(wanted=False)
        if chosen.name == "anew":
            self._renew("clear")
            self.submit(Prompt(f"{IMPLEMENT}\n\n{plan}"))
        else:
            self.submit(Prompt(IMPLEMENT))

    def plan_mode(self, *, wanted: bool) -> None:
        self.session.mode = "plan" if wanted else "default"
        self.stage.is_planning = wanted
        effort, name = ("medium", "Plan") if wanted else ("default", "Default")
        self.stage.show(Plain(f"• Model changed to {self.session.model} {effort} for {name} mode."))

    def _renew(self, source: str) -> None:
        self.session.renew(source)
        self.stage.title = ""
        self.stage.clear()

    async def _find_title(self, prompt: str) -> None:
        """Beside the turn, by a call of its own that nothing is said of."""
        asked = message("user", f"Generate a concise, single-line task title for: {prompt[:200]}")
        thread = self.session.id
        with suppress(Failed):
            title = await self.model.title(Call([asked], has_tools=False, wants_title=True))
            if thread == self.session.id:
                self.stage.title = title
                self.stage.tell()
                self.stage.paint()

    async def _notify(self, said: str) -> None:
        """The program that the configuration names is told that the turn is over."""
        session = self.session
        if not (command := session.config.notify):
            return
        told: Table = {"type": "agent-turn-complete", "thread-id": session.id, "turn-id": session.turn}
        told |= {"cwd": str(session.options.cwd), "client": "codex-tui"}
        told |= {"input-messages": session.history.said("user"), "last-assistant-message": said}
        nowhere = asyncio.subprocess.DEVNULL
        with suppress(OSError):
            await asyncio.create_subprocess_exec(
                *command, json.dumps(told), stdin=nowhere, stdout=nowhere, stderr=nowhere, env=dict(session.options.env)
            )

    def _on_command_end(self, shell: Running) -> None:
        executed(self.session, shell)
        self._count()

    def _count(self) -> None:
        assert self._tools is not None
        self.stage.background = self._tools.shells.in_background
        self.stage.tell()
        self.stage.paint()
