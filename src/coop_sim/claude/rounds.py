"""Asks the model and uses its tools, again and again, until it has nothing more to do."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import uuid4

from coop_sim.claude.batches import batches, together
from coop_sim.claude.blocks import INTERRUPTED, Said
from coop_sim.claude.errors import retry_message
from coop_sim.claude.face import Face
from coop_sim.claude.log_lines import INTERRUPTED_TOOL, assistant_line, interrupt_line
from coop_sim.claude.misfortunes import befall
from coop_sim.claude.model import Call, Model
from coop_sim.claude.session import Session
from coop_sim.claude.strand import Strand
from coop_sim.claude.subagent import Aside, subagent
from coop_sim.claude.tools import Ran
from coop_sim.claude.using import Using
from coop_sim.scenario import Refused, Reply, ToolUse
from coop_sim.shapes import Table

TOOLS = "Agent AskUserQuestion Bash Edit ExitPlanMode Glob Grep Read TodoWrite WebFetch Write".split()
_MOST_RETRIES = "10"


@dataclass
class Rounds:
    session: Session
    face: Face
    model: Model
    strand: Strand
    on_output: Callable[[], None] = lambda: None
    """Called when the model begins to answer, and again with every piece."""
    said: str = ""
    """The last thing the model said."""
    partial: str = ""
    """What it is saying."""
    message_id: str = ""
    is_using: bool = False
    """In a tool use, whose interruption is recorded here."""
    _tokens: int = 0

    async def run(self) -> bool:
        """False when a person ended it. Raises `Refused` when the model cannot answer."""
        while True:
            await befall(self.session)
            reply = await self._ask()
            if not await self._take(reply):
                return False
            if reply.ends:
                return True

    async def _ask(self) -> Reply:
        """Tries again what may pass by itself."""
        most = int(self.session.options.env.get("CLAUDE_CODE_MAX_RETRIES", _MOST_RETRIES))
        self.partial, self._tokens, self.message_id, attempt = "", 0, f"msg_{uuid4().hex[:24]}", 0
        while True:
            try:
                return await self.model.reply(self._call(), self._hear)
            except Refused as refused:
                error, attempt = refused.error, attempt + 1
                if attempt > min(error.retries, most):
                    raise
                wait = error.wait * error.backoff ** (attempt - 1)
                self.face.retrying(retry_message(error.status), attempt, most, wait)
                await asyncio.sleep(wait)
            finally:
                self.face.retrying(None)

    def _call(self) -> Call:
        return Call(self.strand.history.messages, self.session.reminder(), TOOLS)

    def _hear(self, piece: str) -> None:
        self.on_output()
        self.partial += piece
        self._tokens += 1
        self.face.live(Said(self.partial))
        self.face.count(self._tokens + 1)

    async def _take(self, reply: Reply) -> bool:
        self.on_output()
        self.message_id = reply.id or self.message_id
        if reply.think:
            self._log({"type": "thinking", "thinking": reply.think, "signature": "c2ln"}, reply)
        if reply.say:
            self._say(reply.say)
            self._log({"type": "text", "text": reply.say}, reply)
        uses = [self._using(tool) for tool in reply.tools]
        for using in uses:
            use = using.use
            self._log({"type": "tool_use", "id": using.tool_id, "name": use.name, "input": dict(use.input)}, reply)
        return await self._use(uses)

    def _say(self, text: str) -> None:
        self.face.count(len(text.split(" ")) + 1)
        self.partial, self.said = "", text
        self.face.live()
        self.face.show(Said(text))

    def _using(self, tool: ToolUse) -> Using:
        return Using(self.session, self.face, tool, self.strand, self._delegate, tool_id=tool.id or f"toolu_{uuid4().hex[:24]}")

    async def _delegate(self, use: ToolUse) -> Ran:
        agent = subagent(use, self.session)
        rounds = Rounds(self.session, Aside(self.face), self.model.apart(), agent.strand)
        rounds.model.begin(agent.prompt)
        await agent.begin(self.session)
        try:
            if not await rounds.run():
                return Ran("The agent was stopped by the user.", "Error: stopped by the user", failed=True)
        except Refused as refused:
            return Ran(refused.error.message, f"Error: {refused.error.message}", failed=True)
        return await agent.end(self.session, rounds.said)

    def _log(self, block: Table, reply: Reply) -> None:
        self.log(block, reply.stopped_for, dict(reply.usage))

    def log(self, block: Table, stop_reason: str | None, usage: dict[str, int] | None = None) -> None:
        model = self.session.version.model.partition("[")[0]
        line = assistant_line(block, message_id=self.message_id, model=model, stop_reason=stop_reason, counts=usage or {})
        self.strand.record(line)

    async def _use(self, uses: Sequence[Using]) -> bool:
        self.is_using = bool(uses)
        try:
            for batch in batches(uses):
                if not await together(batch):
                    self._ended(uses, interrupted=None)
                    return False
        except asyncio.CancelledError:
            self._ended(uses, interrupted=self.message_id)
            raise
        self.is_using = False
        return True

    def _ended(self, uses: Sequence[Using], *, interrupted: str | None) -> None:
        """A person said no, or stopped it: what did not run was refused."""
        for using in uses:
            using.refuse()
        self.face.live()
        self.face.show(INTERRUPTED)
        self.strand.record(interrupt_line(INTERRUPTED_TOOL, prompt_id=self.session.prompt_id or "", interrupted=interrupted))
