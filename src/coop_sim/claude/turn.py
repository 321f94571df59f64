"""A turn: a prompt, the model's replies and tools, and the end that hooks may put off."""

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import uuid4

from coop_sim.claude.blocks import INTERRUPTED, Plain, Prompted, Said, Under
from coop_sim.claude.errors import retry_message
from coop_sim.claude.face import Face
from coop_sim.claude.hooks import HookAnswer
from coop_sim.claude.log_lines import (
    INTERRUPTED_TEXT,
    assistant_line,
    interrupt_line,
    prompt_line,
    stop_hooks_line,
    synthetic_line,
    turn_duration_line,
)
from coop_sim.claude.scenario import ApiError, Model, Reply, Turn
from coop_sim.claude.session import Session
from coop_sim.claude.shapes import Table
from coop_sim.claude.spinner import DONE
from coop_sim.claude.states import Done, Failed, Idle, State, Working
from coop_sim.claude.using import Using

_LOGGED_OUT = Turn((), error=ApiError(401, "authentication_failed", "Not logged in · Please run /login"))


@dataclass
class Conversation:
    """Answers prompts, one after the other."""

    session: Session
    face: Face
    model: Model
    clock: Callable[[], float] = time.monotonic
    is_logged_in: bool = True
    said: str = ""
    """The last thing the model said."""
    _prompt: str | None = field(default=None)
    """The prompt of the running turn until the first output; then `None`."""
    _partial: str = ""
    _is_using: bool = False
    """In a tool use, which records its own interruption."""
    _message_id: str = ""
    _began: float = 0.0
    _turns: int = 0

    async def run(self, prompt: str, *, is_heard: bool = False) -> None:
        """`is_heard`: the UserPromptSubmit hooks have run already. Cancelled, the turn is interrupted."""
        turn = self.model.turn(prompt) if self.is_logged_in else _LOGGED_OUT
        self._begin(prompt, turn)
        try:
            if is_heard or await self._is_let_through(prompt):
                await self._answer(turn)
        except asyncio.CancelledError:
            self._interrupted()
            raise

    def _begin(self, prompt: str, turn: Turn) -> None:
        self.session.begin_prompt(prompt, turn.faults)
        self._prompt, self._partial, self.said, self._began = prompt, "", "", self.clock()
        self._turns += 1
        self.face.live(Prompted(prompt))
        self.face.count(0)
        self.session.become(Working())
        if self.session.version.logs_early_interrupt:
            self._log_prompt(prompt)

    def _log_prompt(self, prompt: str) -> None:
        session = self.session
        session.log.chain(prompt_line(prompt, prompt_id=session.prompt_id or "", mode=session.mode))

    async def _is_let_through(self, prompt: str) -> bool:
        answers = await self.session.fire("UserPromptSubmit", {"prompt": prompt})
        self._complain("UserPromptSubmit", answers)
        blocking = next((answer for answer in answers if answer.blocks), None)
        if blocking is None:
            return True
        self._prompt = None
        self.face.live()
        self.face.show(Plain(f"UserPromptSubmit operation blocked by hook:\n{blocking.reason}\n\nOriginal prompt: {prompt}"))
        self.session.become(Idle())
        return False

    def _complain(self, event: str, answers: list[HookAnswer]) -> None:
        self.face.show(*(Under((text,)) for answer in answers if (text := answer.complaint(event)) is not None))

    async def _answer(self, turn: Turn) -> None:
        active = False
        while True:
            if turn.error is not None:
                await self._fail(turn.error)
                return
            if not await self._converse(turn):
                self._ended_by_person()
                return
            reason = await self._stop(active=active)
            if reason is None:
                return
            active, turn = True, self.model.turn(reason)

    async def _converse(self, turn: Turn) -> bool:
        for reply in turn.replies:
            await asyncio.sleep(reply.delay)
            await self._misfortune()
            self._first_output()
            if not await self._reply(reply):
                return False
        return True

    async def _misfortune(self) -> None:
        if self.session.faults.crash is not None:
            self.session.log.flush()
            os._exit(self.session.faults.crash)
        if self.session.faults.hang:
            await asyncio.Event().wait()

    def _first_output(self) -> None:
        if self._prompt is None:
            return
        self.face.live()
        self.face.show(Prompted(self._prompt))
        if not self.session.version.logs_early_interrupt:
            self._log_prompt(self._prompt)
        if self.session.version.retitles and self._turns == 1:
            self.session.log.note({"type": "ai-title", "aiTitle": self.session.scenario.title})
        self._prompt = None

    async def _reply(self, reply: Reply) -> bool:
        """False when a person ended the turn."""
        self._message_id = f"msg_{uuid4().hex[:24]}"
        stop_reason = "tool_use" if reply.tools else "end_turn"
        if reply.think:
            self._log({"type": "thinking", "thinking": reply.think, "signature": "c2ln"}, stop_reason)
        if reply.say:
            await self._say(reply)
            self._log({"type": "text", "text": reply.say}, stop_reason)
        uses = [Using(self.session, self.face, tool) for tool in reply.tools]
        for using in uses:
            block: Table = {"type": "tool_use", "id": using.tool_id, "name": using.use.name, "input": dict(using.use.input)}
            self._log(block, stop_reason)
        for using in uses:
            self._is_using = True
            goes_on = await using.run()
            self._is_using = False
            if not goes_on:
                return False
        return True

    async def _say(self, reply: Reply) -> None:
        words = reply.say.split(" ")
        for number in range(1, len(words) + 1 if reply.pace else 0):
            self._partial = " ".join(words[:number])
            self.face.live(Said(self._partial))
            self.face.count(number + 1)
            await asyncio.sleep(reply.pace)
        self.face.count(len(words) + 1)
        self._partial, self.said = "", reply.say
        self.face.live()
        self.face.show(Said(reply.say))

    def _log(self, block: Table, stop_reason: str | None) -> None:
        model = self.session.version.model.partition("[")[0]
        line = assistant_line(block, message_id=self._message_id, model=model, stop_reason=stop_reason, tokens=20)
        self.session.log.chain(line)

    async def _stop(self, *, active: bool) -> str | None:
        """Why the hooks let it not stop yet; `None` when it stopped."""
        nothing: list[object] = []
        told: Table = {"stop_hook_active": active, "last_assistant_message": self.said}
        answers = await self.session.fire("Stop", told | {"background_tasks": nothing, "session_crons": nothing})
        self._complain("Stop", answers)
        ends = any(answer.said.get("continue") is False for answer in answers)
        blocking = None if ends else next((answer for answer in answers if answer.blocks), None)
        if answers:
            self.session.log.chain(stop_hooks_line([answer.name for answer in answers], prevented=blocking is not None))
        if blocking is not None:
            self.face.show(Under((f"Stop hook feedback:\n{blocking.reason}",)))
            return blocking.reason
        self._finished(Done())
        return None

    def _finished(self, state: State) -> None:
        seconds = self.clock() - self._began
        self.session.log.chain(turn_duration_line(int(seconds * 1000), self.session.log.count))
        ended = f" · done {time.strftime('%-I:%M %p')}" if self.session.version.is_fullscreen else ""
        self.session.become(state)
        self.face.live()
        self.face.show(Plain(f"✻ {DONE[self._turns % len(DONE)]} for {int(seconds)}s{ended}"))

    async def _fail(self, error: ApiError) -> None:
        most = int(self.session.options.env.get("CLAUDE_CODE_MAX_RETRIES", "10"))
        for attempt in range(1, min(error.retries, most) + 1):
            self.face.retrying(retry_message(error.status), attempt, most)
            await asyncio.sleep(error.wait)
        self.face.retrying(None)
        self._first_output()
        told: Table = {"error": error.kind, "apiErrorStatus": error.status}
        self.session.log.chain(synthetic_line(error.message, error=told))
        self.face.show(Said(error.message))
        self.said = error.message
        await self.session.fire("StopFailure", {"error": error.kind, "last_assistant_message": error.message})
        self._finished(Failed(error.message, needs_login=error.status in (401, 403)))

    def _ended_by_person(self) -> None:
        """A refused tool: no Stop hook."""
        self.face.live()
        if self.session.version.logs_early_interrupt:
            self.session.log.chain(turn_duration_line(int((self.clock() - self._began) * 1000), self.session.log.count))
        self.session.become(Idle())

    def _interrupted(self) -> None:
        self.face.retrying(None)
        self.face.live()
        if self._prompt is not None:
            self.face.restore(self._prompt)
        elif not self._is_using:
            self._log_interrupt()
            self.face.show(*([Said(self._partial)] if self._partial else []), INTERRUPTED)
        self._prompt, self._is_using = None, False
        self.session.become(Idle())

    def _log_interrupt(self) -> None:
        if self._partial and self.session.version.logs_early_interrupt:
            self._log({"type": "text", "text": self._partial}, None)
        elif self._partial:
            self.session.log.chain(synthetic_line(self._partial))
        self.session.log.chain(interrupt_line(INTERRUPTED_TEXT, prompt_id=self.session.prompt_id or ""))
