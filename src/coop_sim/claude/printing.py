"""`claude -p`: one prompt, answered on stdout."""

import json
import sys
from dataclasses import dataclass
from uuid import uuid4

from coop_sim.claude.answers import Answer, Deny
from coop_sim.claude.blocks import Block
from coop_sim.claude.menu import Dialog
from coop_sim.claude.models import model_of
from coop_sim.claude.opening import Opened
from coop_sim.claude.session import Session
from coop_sim.claude.states import Failed
from coop_sim.claude.turn import Conversation
from coop_sim.shapes import Table

_TOOLS = ["Bash", "Edit", "Read", "Write"]
_DENIED = "This command requires approval"


@dataclass
class Paper:
    """The `Face` that nobody looks at: every dialog is answered with no."""

    columns: int = 80

    def show(self, *blocks: Block) -> None: ...

    def live(self, *blocks: Block) -> None: ...

    def retrying(self, row: str | None, attempt: int = 0, of: int = 0, wait: float = 1.0) -> None: ...

    def count(self, tokens: int) -> None: ...

    def restore(self, prompt: str) -> None: ...

    async def ask(self, dialog: Dialog) -> Answer:
        return Deny(_DENIED, ends_turn=False)


async def print_answer(opened: Opened) -> int:
    session, options = opened.session, opened.session.options
    prompt = options.prompt if options.prompt is not None else sys.stdin.read().strip()
    streams = options.output_format == "stream-json"
    if streams:
        session.log.on_line = lambda line: _print_line(session, line)
        _say(_init(session))
    await session.fire("SessionStart", {"source": opened.source, "model": session.version.model}, subject=opened.source)
    paper = Paper()
    conversation = Conversation(session, paper, model_of(session))
    await conversation.run(prompt)
    await session.fire("SessionEnd", {"reason": "other"}, subject="other")
    session.close()
    failed = isinstance(session.state, Failed)
    _finish(session, conversation.said, failed=failed)
    return 1 if failed else 0


def _finish(session: Session, said: str, *, failed: bool) -> None:
    if session.options.output_format == "text":
        print(said, flush=True)
        return
    result: Table = {"type": "result", "subtype": "success", "is_error": failed, "result": said, "num_turns": 1}
    _say(result | {"session_id": session.id, "permission_denials": list[object](), "uuid": str(uuid4())})


def _init(session: Session) -> Table:
    return {
        "type": "system",
        "subtype": "init",
        "cwd": str(session.cwd),
        "session_id": session.id,
        "tools": _TOOLS,
        "model": session.version.model,
        "permissionMode": session.mode,
        "claude_code_version": session.version.number,
        "uuid": str(uuid4()),
    }


def _print_line(session: Session, line: Table) -> None:
    if line.get("type") in ("assistant", "user") and "promptSource" not in line:
        kept: Table = {"type": line["type"], "message": line.get("message"), "parent_tool_use_id": None}
        _say(kept | {"session_id": session.id, "uuid": line.get("uuid")})


def _say(line: Table) -> None:
    print(json.dumps(line, ensure_ascii=False), flush=True)
