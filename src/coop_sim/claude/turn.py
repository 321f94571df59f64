"""A turn: a prompt, the model's replies and tools, and the end that hooks may put off."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from coop_sim.claude.blocks import INTERRUPTED, Plain, Prompted, Said
from coop_sim.claude.face import Face
from coop_sim.claude.log_lines import (
    INTERRUPTED_TEXT,
    informational_line,
    interrupt_line,
    prompt_line,
    synthetic_line,
    turn_duration_line,
)
from coop_sim.claude.model import Model
from coop_sim.claude.rounds import Rounds
from coop_sim.claude.session import Session
from coop_sim.claude.spinner import DONE
from coop_sim.claude.states import Done, Failed, Idle, State, Working
from coop_sim.claude.stopping import complain, stop
from coop_sim.scenario import ApiError, Faults, Refused
from coop_sim.shapes import Table

_LOGGED_OUT = ApiError(401, "authentication_failed", "Not logged in · Please run /login")


@dataclass
class Conversation:
    """Answers prompts, one after the other."""

    session: Session
    face: Face
    model: Model
    clock: Callable[[], float] = time.monotonic
    is_logged_in: bool = True
    _prompt: str | None = None
    """The prompt of the running turn until the first output; then `None`."""
    _source: str = "typed"
    _rounds: Rounds = field(init=False)
    _began: float = 0.0
    _turns: int = 0

    def __post_init__(self) -> None:
        self._rounds = self._new_rounds()

    def _new_rounds(self) -> Rounds:
        return Rounds(self.session, self.face, self.model, self.session.main, self._first_output)

    @property
    def said(self) -> str:
        """The last thing the model said."""
        return self._rounds.said

    async def run(self, prompt: str, *, is_heard: bool = False, is_queued: bool = False) -> None:
        """`is_heard`: the UserPromptSubmit hooks have run already. Cancelled, the turn is interrupted."""
        self._begin(prompt, "queued" if is_queued else "typed")
        try:
            if is_heard or await self._is_let_through(prompt):
                if self.session.version.logs_early_interrupt:
                    self._log_prompt(prompt)
                await self._answer()
        except asyncio.CancelledError:
            self._interrupted()
            raise

    async def go_on(self) -> None:
        """A turn that no prompt began: the model is told what happened, and answers."""
        self._start(self.model.begin(""), "")
        try:
            await self._answer()
        except asyncio.CancelledError:
            self._interrupted()
            raise

    def _begin(self, prompt: str, source: str) -> None:
        self._start(self.model.begin(prompt), prompt)
        self._prompt, self._source = prompt, source
        self.session.main.history.ask(prompt)
        self.face.live(Prompted(prompt))

    def _start(self, faults: Faults, prompt: str) -> None:
        self.session.begin_prompt(prompt, faults)
        self._rounds, self._began = self._new_rounds(), self.clock()
        self._turns += 1
        self.face.count(0)
        self.session.become(Working())

    def _log_prompt(self, prompt: str) -> None:
        session = self.session
        line = prompt_line(prompt, prompt_id=session.prompt_id or "", mode=session.mode, source=self._source)
        session.log.chain(line)

    async def _is_let_through(self, prompt: str) -> bool:
        answers = await self.session.fire("UserPromptSubmit", {"prompt": prompt})
        complain(self.face, "UserPromptSubmit", answers)
        blocking = next((answer for answer in answers if answer.blocks), None)
        if blocking is None:
            return True
        self._prompt = None
        self.session.main.history.take_back(prompt)
        self.face.live()
        told = f"UserPromptSubmit operation blocked by hook:\n{blocking.reason}\n\nOriginal prompt: {prompt}"
        self.face.show(Plain(told))
        self.session.log.chain(informational_line(told))
        self.session.become(Idle())
        return False

    async def _answer(self) -> None:
        active = False
        try:
            while True:
                if not self.is_logged_in:
                    raise Refused(_LOGGED_OUT)
                if not await self._rounds.run():
                    self._ended_by_person()
                    return
                reason = await stop(self.session, self.face, self.said, active=active)
                if reason is None:
                    self._finished(Done())
                    return
                active = True
                self.model.begin(reason)
        except Refused as refused:
            await self._fail(refused.error)

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

    def _finished(self, state: State) -> None:
        seconds = self.clock() - self._began
        self.session.log.chain(turn_duration_line(int(seconds * 1000), self.session.log.count))
        ended = f" · done {time.strftime('%-I:%M %p')}" if self.session.version.is_fullscreen else ""
        self.session.rest(state)
        self.face.live()
        self.face.show(Plain(f"✻ {DONE[self._turns % len(DONE)]} for {int(seconds)}s{ended}"))

    async def _fail(self, error: ApiError) -> None:
        self._first_output()
        told: Table = {"error": error.kind, "apiErrorStatus": error.status}
        told |= {"apiErrorType": error.type} if error.type and self.session.version.is_fullscreen else {}
        self.session.log.chain(synthetic_line(error.message, error=told))
        partial = self._rounds.partial
        self.face.live()
        self.face.show(*([Said(partial)] if partial else []), Said(error.message))
        self._rounds.said = error.message
        await self.session.fire("StopFailure", {"error": error.kind, "last_assistant_message": error.message})
        self._finished(Failed(error.message, needs_login=error.status in (401, 403)))

    def _ended_by_person(self) -> None:
        """A refused tool: no Stop hook."""
        self.face.live()
        if self.session.version.logs_early_interrupt:
            self.session.log.chain(turn_duration_line(int((self.clock() - self._began) * 1000), self.session.log.count))
        self.session.rest(Idle())

    def _interrupted(self) -> None:
        self.face.live()
        if self._prompt is not None:
            self.session.main.history.take_back(self._prompt)
            self.face.restore(self._prompt)
        elif not self._rounds.is_using:
            partial = self._rounds.partial
            self._log_interrupt(partial)
            self.face.show(*([Said(partial)] if partial else []), INTERRUPTED)
        self._prompt = None
        self.session.rest(Idle())

    def _log_interrupt(self, partial: str) -> None:
        rounds = self._rounds
        if partial and self.session.version.logs_early_interrupt:
            rounds.log({"type": "text", "text": partial}, None)
        elif partial:
            self.session.log.chain(synthetic_line(partial))
        prompt_id = self.session.prompt_id or ""
        line = interrupt_line(INTERRUPTED_TEXT, prompt_id=prompt_id, interrupted=rounds.message_id)
        self.session.main.record(line)
