"""A turn: a prompt, the model's responses and tools, and the end that hooks may put off."""

import asyncio
import html
import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from coop_sim.codex.blocks import INTERRUPTED, Listed, Plain, Planned, Prompted, Said, worked
from coop_sim.codex.face import Face
from coop_sim.codex.history import text_of
from coop_sim.codex.lines import ABORTED, agent_message, output_item, user_message
from coop_sim.codex.model import Call, Failed, Failure, Model, Response
from coop_sim.codex.session import Session
from coop_sim.codex.tools import Denied, Tools, complain
from coop_sim.shapes import Table, as_text

FIRST_WAIT = 0.2
NETWORK_WAIT = 0.5
_PLAN = re.compile(r"<proposed_plan>\n?(.*?)</proposed_plan>\n?", re.DOTALL)
_CALLS = ("function_call", "custom_tool_call")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a turn came to its end."""

    state: str
    """`done`, `error` or `idle`, as the terminal is told."""
    plan: str | None = None
    failure: Failure | None = None


@dataclass
class Turn:
    session: Session
    face: Face
    model: Model
    tools: Tools
    retries: int = 5
    said: str | None = None
    """The last thing the model said."""
    plan: str | None = None
    _partial: str = ""
    _calls: Sequence[Table] = ()
    """Those whose results are not recorded yet."""
    _steered: list[str] = field(default_factory=list[str])
    _steer: asyncio.Event = field(default_factory=asyncio.Event)

    def steer(self, text: str) -> None:
        """Words for the turn that runs."""
        self._steered.append(text)
        self._steer.set()

    async def run(self, prompt: str) -> Ended:
        """Cancelled, it was interrupted; that is recorded, and it ends as usual."""
        self.session.begin_turn(self.model.begin(prompt))
        try:
            return await self._answer(prompt)
        except Failed as failed:
            return self._failed(failed.failure)
        except (Denied, asyncio.CancelledError):
            return await self._aborted()

    async def _answer(self, prompt: str) -> Ended:
        await self._begin_session()
        self.session.introduce()
        if await self._is_heard(prompt):
            await self._rounds()
        self.session.complete(self.said)
        self._finish()
        return Ended("done", self.plan)

    async def _begin_session(self) -> None:
        source, self.session.source = self.session.source, None
        if source is not None:
            await self.session.fire("SessionStart", {"source": source}, subject=source)

    async def _is_heard(self, prompt: str) -> bool:
        """False when a hook keeps it from the model."""
        for answer in await self.session.fire("UserPromptSubmit", {"prompt": prompt}):
            complain(self.face, answer)
            if answer.blocks:
                self.face.show(Listed("• Blocked by hook", answer.reason.split("\n")))
                return False
        self.session.say("user", prompt)
        self.session.finished(user_message(prompt))
        return True

    # Asking

    async def _rounds(self) -> None:
        was_stopped = False
        while True:
            await self._befall()
            response = await self._ask()
            if response is None:
                await self._hear_more()
                continue
            self._take(response)
            await self._use([item for item in response.items if item.get("type") in _CALLS])
            if self._steered:
                await self._hear_more()
            elif response.ends:
                if not await self._is_sent_on(was_stopped=was_stopped):
                    return
                was_stopped = True

    async def _befall(self) -> None:
        if self.session.faults.crash is not None:
            os._exit(self.session.faults.crash)
        if self.session.faults.hang:
            await asyncio.Event().wait()

    async def _hear_more(self) -> None:
        self._steer.clear()
        for text in self._steered:
            self.face.show(Prompted(text))
            await self._is_heard(text)
        self._steered.clear()

    async def _ask(self) -> Response | None:
        """Tries again what may pass by itself. `None` when it was steered meanwhile."""
        attempt = 0
        while True:
            try:
                return await self._response()
            except Failed as failed:
                self._say_partial()
                if failed.failure.is_network:
                    self.face.retrying("waiting for network", failed.failure.message)
                    await asyncio.sleep(NETWORK_WAIT)
                    continue
                attempt += 1
                if not failed.failure.is_retried or attempt > self.retries:
                    raise
                self.face.retrying(f"{attempt}/{self.retries}", failed.failure.message)
                await asyncio.sleep(FIRST_WAIT * 2 ** (attempt - 1))

    async def _response(self) -> Response | None:
        call = Call(self.session.history.items)
        asked = asyncio.ensure_future(self.model.respond(call, self._hear))
        steered = asyncio.ensure_future(self._steer.wait())
        try:
            await asyncio.wait({asked, steered}, return_when=asyncio.FIRST_COMPLETED)
            if asked.done():
                return asked.result()
            self._say_partial()
            return None
        finally:
            for task in (asked, steered):
                task.cancel()
            await asyncio.gather(asked, steered, return_exceptions=True)

    def _hear(self, piece: str) -> None:
        self.face.retrying("")
        self._partial += piece
        self.face.live(Said(_PLAN.sub("", self._partial)), is_saying=True)

    def _say_partial(self) -> None:
        partial, self._partial = self._partial, ""
        self.face.live()
        if partial:
            self.face.show(Said(partial))

    def _take(self, response: Response) -> None:
        self._partial = ""
        self.face.retrying("")
        self.face.live()
        for item in response.items:
            if item.get("type") == "message":
                self._message(item)
            self.session.record("response_item", item)
        self.session.used(response.id, response.usage)

    def _message(self, item: Table) -> None:
        text = text_of(item)
        plan = _PLAN.search(text) if self.session.mode == "plan" else None
        self.said = _PLAN.sub("", text) if plan else text
        if plan:
            self.plan = plan[1]
            self.session.finished({"type": "Plan", "id": f"{self.session.turn}-plan", "text": self.plan})
        self.session.finished(agent_message(as_text(item.get("id")), self.said))
        if self.said.strip():
            self.face.show(Said(self.said))
        if plan:
            self.face.show(Planned(plan[1]))

    # Tools

    async def _use(self, calls: Sequence[Table]) -> None:
        """Side by side. What one of them raises ends the others; only all of them together are recorded."""
        self._calls = calls
        tasks = [asyncio.ensure_future(self.tools.use(call)) for call in calls]
        try:
            results = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for call, result in zip(calls, results, strict=True):
            self.session.record("response_item", output_item(call, result))
        self._calls = ()

    # The end

    async def _is_sent_on(self, *, was_stopped: bool) -> bool:
        """A hook may have more for it to do."""
        fields: Table = {"stop_hook_active": was_stopped, "last_assistant_message": self.said}
        answers = await self.session.fire("Stop", fields)
        for answer in answers:
            complain(self.face, answer)
        blocking = [answer for answer in answers if answer.blocks]
        for answer in blocking:
            self.face.show(Listed("• Blocked by hook", answer.reason.split("\n")))
            source = html.escape(f"stop:0:{answer.hook.source}", quote=False)
            item = self.session.say("user", f'<hook_prompt hook_run_id="{source}">{answer.reason}</hook_prompt>')
            self.session.finished({"type": "HookPrompt", "id": item["id"], "fragments": [{"text": answer.reason}]})
            self.model.begin(answer.reason)
        return bool(blocking)

    def _finish(self) -> None:
        self.face.live()
        self.face.show(worked(self.session.seconds, time.strftime("%H:%M")))

    def _failed(self, failure: Failure) -> Ended:
        self._say_partial()
        self.face.retrying("")
        self.face.show(Plain(f"■ {failure.message}"))
        self.session.complete(None, {"message": failure.message, "codex_error_info": failure.info})
        return Ended("error", failure=failure)

    async def _aborted(self) -> Ended:
        self._say_partial()
        self.face.retrying("")
        took = f"Wall time: {self.session.seconds:.1f} seconds"
        for call in self._calls:
            self.session.record("response_item", output_item(call, f"{took}\naborted by user"))
        self.face.show(Plain(INTERRUPTED))
        await self.session.fire("Interrupt", {})
        self.session.say("user", ABORTED)
        self.session.abort()
        return Ended("idle")
