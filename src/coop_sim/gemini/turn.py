"""A turn: one prompt, and all that the model says and does until it has nothing more to do."""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from coop_sim.gemini.blocks import CANCELLED, FAILED, Asked, Said, Told
from coop_sim.gemini.chat import now, stamp
from coop_sim.gemini.face import Face
from coop_sim.gemini.mentions import parts_with_files
from coop_sim.gemini.models import Model
from coop_sim.gemini.remote import UNFINISHED, Call
from coop_sim.gemini.session import Session
from coop_sim.gemini.streaming import parts_of, tokens
from coop_sim.gemini.tools import Done
from coop_sim.gemini.using import Interrupted, Using
from coop_sim.scenario import ApiError, Faults, Refused, Reply, ToolUse
from coop_sim.shapes import Table, as_text

NOTHING_SAID = "[no response text]"


@dataclass
class Turn:
    session: Session
    face: Face
    model: Model
    prompt: str
    _said: str = ""
    """Of the message that is coming in."""
    _answer: str = ""
    """Of all its messages, for the hook at the end."""
    _line: Table = field(default_factory=dict[str, object])
    """Of the last message, as the log has it."""

    async def take(self) -> ApiError | None:
        """What it failed with; `None` when it did not."""
        self.face.show(Asked(self.prompt))
        self.face.work(True)
        try:
            return await self._agent()
        except Interrupted as stopped:
            self._on_interrupted_tools(stopped)
        except asyncio.CancelledError:
            if self.session.is_leaving:
                raise
            await self._on_interrupt()
        finally:
            self.face.stream("")
            self.face.work(False)
        return None

    async def _agent(self) -> ApiError | None:
        parts, again = parts_with_files(self.prompt, self.session.cwd), False
        while True:
            try:
                if not await self._rounds(parts):
                    return None
            except Refused as problem:
                await self._on_error(problem.error)
                return problem.error
            reason = await self._after(again=again)
            if reason is None:
                return None
            parts, again = [Table(text=reason)], True

    async def _rounds(self, parts: Sequence[Table]) -> bool:
        """Did it come to its end, and not to somebody's no?"""
        prompt = "".join(as_text(part["text"]) for part in parts)
        if not await self._may_begin(prompt):
            return False
        self.session.faults = self.model.begin(prompt)
        await _befall(self.session.faults)
        await self.model.route(prompt)
        self.session.chat.user(parts)
        while True:
            reply = await self._reply()
            if not reply.tools:
                return True
            if all(done.status == "cancelled" for done in await self._use(reply)):
                self._on_denial()
                return False

    async def _may_begin(self, prompt: str) -> bool:
        answers = await self.session.fire("BeforeAgent", {"prompt": prompt})
        for answer in answers:
            if answer.shown:
                self.face.show(Told("ℹ", answer.shown))
        denial = next((answer for answer in answers if answer.denies), None)
        if denial is not None:
            words = f"Agent execution blocked: {denial.reason}"
            self.face.show(Told("⚠", words))
            self.session.chat.say("warning", words)
        return denial is None

    # The model

    async def _reply(self) -> Reply:
        """Tried again, silently, when the error may pass by itself."""
        session = self.session
        call = Call(session.chat.contents(), session.system, session.tools)
        self._said = ""
        for attempt in count():
            try:
                return self._take_in(await self.model.reply(call, self._hear))
            except Refused as problem:
                error = problem.error
                if attempt >= error.retries:
                    raise
                await asyncio.sleep(error.wait * error.backoff**attempt)
        raise AssertionError("count() ends")

    def _hear(self, piece: str) -> None:
        self._said += piece
        self.face.stream(self._said)

    def _take_in(self, reply: Reply) -> Reply:
        uses = tuple(self._called(n, use) for n, use in enumerate(reply.tools))
        self._answer += f"\n{reply.say}" if self._answer and reply.say else reply.say
        if not self._said and reply.say:
            self.face.stream(reply.say)
        if reply.say:
            self.face.show(Said(reply.say))
        self.face.stream("")
        self._line = self.session.chat.gemini(reply.say, parts_of(reply.say, uses), tokens(dict(reply.usage)), self.model.name)
        return replace(reply, tools=uses)

    def _called(self, n: int, use: ToolUse) -> ToolUse:
        """With an id; and `{plan_file}` of a scenario is where the plan belongs."""
        path = as_text(use.input.get("file_path")).replace("{plan_file}", str(self.session.plans / "plan.md"))
        given = {**use.input, "file_path": path} if path else use.input
        return replace(use, id=use.id or _call_id(use, n), input=given)

    async def _use(self, reply: Reply) -> list[Done]:
        done = await Using(self.session, self.face, reply.tools).do()
        moment = stamp(now())
        self.session.chat.tools(self._line, [each.record(self.session.cwd, moment) for each in done])
        if any(each.status != "cancelled" for each in done):
            self.session.chat.user([each.result() for each in done])
        return done

    # Ends

    async def _after(self, *, again: bool) -> str | None:
        """The reason why it may not end yet."""
        told: Table = {"prompt": self.prompt, "prompt_response": self._answer or NOTHING_SAID, "stop_hook_active": again}
        answers = await self.session.fire("AfterAgent", told)
        return next((answer.reason for answer in answers if answer.denies), None)

    def _on_denial(self) -> None:
        self.face.show(Told("ℹ", CANCELLED))
        self.session.chat.say("info", CANCELLED)
        self.session.chat.take_back()
        self.session.chat.append_again()

    async def _on_error(self, error: ApiError) -> None:
        words = error.message if error.message == UNFINISHED else f"[API Error: {error.message}]"
        chat = self.session.chat
        chat.take_back()
        chat.write_all()
        if self._said:
            self.face.show(Said(self._said))
        self.face.stream("")
        self.face.show(Told("✕", words), Told("ℹ", FAILED))
        chat.say("error", words)
        chat.say("info", FAILED)
        self._answer = ""
        await self._after(again=False)

    async def _on_interrupt(self) -> None:
        chat, said = self.session.chat, self._said
        self.face.stream("")
        self.face.show(*([Said(said)] if said else []), Told("ℹ", CANCELLED))
        chat.say("info", CANCELLED)
        chat.take_back()
        chat.write_all()
        self.face.work(False)
        self._answer = said
        await self._after(again=False)

    def _on_interrupted_tools(self, stopped: Interrupted) -> None:
        self.face.show(Told("ℹ", CANCELLED))
        chat = self.session.chat
        chat.say("info", CANCELLED)
        calls = [done.record(self.session.cwd, stamp(now())) for done in stopped.done]
        chat.interrupted_tools(calls, [done.result() for done in stopped.done])


async def _befall(faults: Faults) -> None:
    if faults.crash is not None:
        os._exit(faults.crash)
    if faults.hang:
        await asyncio.Event().wait()


def _call_id(use: ToolUse, n: int) -> str:
    return f"{use.name}__{use.name}_{int(now().timestamp() * 1000)}_{n}"
