"""Another agent that does a part of the work: a strand of its own, and dialogs on the same screen."""

from dataclasses import dataclass
from uuid import uuid4

from coop_sim.claude.answers import Answer
from coop_sim.claude.blocks import Block
from coop_sim.claude.face import Face
from coop_sim.claude.history import History
from coop_sim.claude.log import SessionLog
from coop_sim.claude.log_lines import prompt_line
from coop_sim.claude.menu import Dialog
from coop_sim.claude.session import Session
from coop_sim.claude.strand import Strand
from coop_sim.claude.tools import Ran
from coop_sim.scenario import ToolUse
from coop_sim.shapes import Table, as_text

TOOLS = ("Agent", "Task")


@dataclass
class Aside:
    """The `Face` of an agent that is not on the stage: only its dialogs are seen."""

    face: Face

    @property
    def columns(self) -> int:
        return self.face.columns

    def show(self, *blocks: Block) -> None: ...

    def live(self, *blocks: Block) -> None: ...

    def count(self, tokens: int) -> None: ...

    def restore(self, prompt: str) -> None: ...

    def retrying(self, row: str | None, attempt: int = 0, of: int = 0, wait: float = 1.0) -> None:
        self.face.retrying(row, attempt, of, wait)

    async def ask(self, dialog: Dialog) -> Answer:
        return await self.face.ask(dialog)


@dataclass(frozen=True, slots=True)
class Subagent:
    strand: Strand
    prompt: str
    id: str
    type: str

    async def begin(self, session: Session) -> None:
        self.strand.record(prompt_line(self.prompt, prompt_id=session.prompt_id or "", mode=session.mode))
        await session.fire("SubagentStart", {}, subject=self.type, besides=self.strand.fields)

    async def end(self, session: Session, said: str) -> Ran:
        nothing: list[object] = []
        told: Table = {"stop_hook_active": False, "agent_transcript_path": str(self.strand.log.path)}
        told |= {"last_assistant_message": said, "background_tasks": nothing, "session_crons": nothing}
        await session.fire("SubagentStop", told, subject=self.type, besides=self.strand.fields)
        self.strand.log.flush()
        response: Table = {"status": "completed", "prompt": self.prompt, "agentId": self.id, "agentType": self.type}
        return Ran(said, response | {"content": [{"type": "text", "text": said}]})


def subagent(use: ToolUse, session: Session) -> Subagent:
    name = f"a{uuid4().hex[:16]}"
    kind = as_text(use.input.get("subagent_type"), "general-purpose")
    path = session.log.path.with_suffix("") / "subagents" / f"agent-{name}.jsonl"
    log = SessionLog(path, {**session.log.common, "agentId": name}, is_sidechain=True, owner=session.id)
    return Subagent(
        Strand(log, History(), {"agent_id": name, "agent_type": kind}), as_text(use.input.get("prompt")), name, kind
    )
