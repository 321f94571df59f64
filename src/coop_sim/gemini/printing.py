"""`gemini -p`: the answer as text, as one JSON object, or as a stream of them."""

import json
import sys
import time
from dataclasses import dataclass, field

from coop_sim.gemini.blocks import Block
from coop_sim.gemini.chat import now, stamp
from coop_sim.gemini.dialogs import Answer, Cancelled, Dialog
from coop_sim.gemini.models import Model
from coop_sim.gemini.session import Session
from coop_sim.gemini.tools import Done
from coop_sim.gemini.turn import Turn
from coop_sim.scenario import ApiError, ToolUse
from coop_sim.shapes import Table

_NO_STATUS = 1


@dataclass
class Printed:
    """Nobody can be asked here: those tools are not offered."""

    is_stream: bool
    text: str = ""
    calls: int = 0
    _shown: str = ""
    _began: float = field(default_factory=time.monotonic)

    def show(self, *blocks: Block) -> None:
        """Only what the model says is printed, and that as it comes."""

    def stream(self, text: str) -> None:
        piece = text.removeprefix(self._shown)
        self.text += piece
        self._shown = text
        if piece:
            self.tell({"type": "message", "role": "assistant", "content": piece, "delta": True})

    def work(self, is_working: bool) -> None: ...

    def recount(self, count: str) -> None: ...

    def paint(self) -> None: ...

    def dismiss(self) -> None: ...

    async def ask(self, dialog: Dialog, *, place: int = 0, count: str = "") -> Answer:
        return Cancelled()

    def uses(self, use: ToolUse) -> None:
        self.calls += 1
        self.tell({"type": "tool_use", "tool_name": use.name, "tool_id": use.id, "parameters": dict(use.input)})

    def used(self, done: Done) -> None:
        words = next(iter(done.response.values()), "")
        ended: Table = {"status": "success", "output": words}
        if done.status != "success":
            ended = {"status": "error", "output": words, "error": {"type": "tool_not_registered", "message": words}}
        self.tell({"type": "tool_result", "tool_id": done.use.id, **ended})

    def tell(self, event: Table) -> None:
        if self.is_stream:
            kind = event.pop("type")
            print(json.dumps({"type": kind, "timestamp": stamp(now()), **event}, ensure_ascii=False), flush=True)

    def stats(self) -> Table:
        milliseconds = int((time.monotonic() - self._began) * 1000)
        return {"total_tokens": 0, "input_tokens": 0, "output_tokens": 0, "duration_ms": milliseconds, "tool_calls": self.calls}


async def print_answer(session: Session, model: Model) -> int:
    """The exit code of an error is the API's, as far as it goes."""
    prompt = session.options.prompt if session.options.prompt is not None else sys.stdin.read()
    session.open()
    face = Printed(session.options.output == "stream-json")
    face.tell({"type": "init", "session_id": session.id, "model": session.options.model or "auto"})
    face.tell({"type": "message", "role": "user", "content": prompt})
    await session.fire("SessionStart", {"source": session.source}, subject=session.source)
    error = await Turn(session, face, model, prompt.strip()).take()
    if error is None:
        await session.fire("SessionEnd", {"reason": "exit"}, subject="exit")
    _end(session, face, error)
    return 0 if error is None else (error.status & 0xFF or _NO_STATUS)


def _end(session: Session, face: Printed, error: ApiError | None) -> None:
    told: Table = {} if error is None else {"error": {"type": "unknown", "message": f"[API Error: {error.message}]"}}
    face.tell({"type": "result", "status": "error" if error else "success", **told, "stats": face.stats()})
    if session.options.output == "json":
        print(json.dumps({"session_id": session.id, "response": face.text, **told, "stats": face.stats()}, indent=2))
    elif session.options.output == "text":
        print(face.text if error is None else f"[API Error: {error.message}]", file=sys.stderr if error else sys.stdout)
