"""`codex exec`: one prompt, and what happens as lines on stdout."""

import asyncio
import json
import sys
from dataclasses import dataclass, field

from coop_sim.codex.blocks import Block
from coop_sim.codex.menu import Chosen, Dialog
from coop_sim.codex.opening import Opened
from coop_sim.codex.shells import Shell, Shells
from coop_sim.codex.tools import Tools, executed
from coop_sim.codex.turn import Turn
from coop_sim.shapes import Table, as_list, as_table, as_text
from coop_sim.tasks import Tasks

_USAGE = ("input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens", "reasoning_output_tokens")


@dataclass
class Printed:
    """A `Face` without a screen."""

    is_json: bool
    _count: int = 0
    _last: str = field(default="")

    def line(self, record: Table) -> None:
        if self.is_json:
            print(json.dumps(record, separators=(",", ":"), ensure_ascii=False), flush=True)

    def show(self, *blocks: Block) -> None:
        pass

    def live(self, *blocks: Block, is_saying: bool = False) -> None:
        pass

    def retrying(self, attempt: str, why: str = "") -> None:
        if attempt:
            self.line({"type": "error", "message": f"Reconnecting... {attempt} ({why})"})

    async def ask(self, dialog: Dialog, kind: str, *, is_held_back: bool = False, delay: float = 0.0) -> Chosen:
        """Nobody is there to answer."""
        return Chosen("no")

    def item(self, item: Table) -> None:
        if (told := _told(item)) is not None:
            self.line({"type": "item.completed", "item": {"id": f"item_{self._count}", **told}})
            self._count += 1


def _told(item: Table) -> Table | None:
    match item.get("type"):
        case "AgentMessage":
            text = "".join(as_text(as_table(part).get("text")) for part in as_list(item.get("content")))
            return {"type": "agent_message", "text": text}
        case "CommandExecution":
            command = " ".join(as_text(word) for word in as_list(item.get("command")))
            told: Table = {"type": "command_execution", "command": command, "aggregated_output": item.get("aggregated_output")}
            return {**told, "exit_code": item.get("exit_code"), "status": item.get("status")}
        case "FileChange":
            changes = as_table(item.get("changes"))
            listed = [{"path": path, "kind": as_table(change).get("type")} for path, change in changes.items()]
            return {"type": "file_change", "changes": listed, "status": "completed"}
        case _:
            return None


async def print_answer(opened: Opened, prompt: str) -> int:
    session, printed = opened.session, Printed(opened.session.options.prints_json)
    session.on_item = printed.item
    printed.line({"type": "thread.started", "thread_id": session.id})
    printed.line({"type": "turn.started"})
    async with asyncio.TaskGroup() as group:
        tasks = Tasks(group)
        shells = Shells(tasks, session.options.cwd, session.options.env, lambda shell: _on_end(opened, shell))
        turn = Turn(session, printed, opened.model, Tools(session, printed, shells), opened.retries)
        ended = await turn.run(prompt)
        shells.stop()
        tasks.end()
    await session.fire("SessionEnd", {"reason": "other"})
    if ended.failure is not None:
        printed.line({"type": "error", "message": ended.failure.message})
        printed.line({"type": "turn.failed", "error": {"message": ended.failure.message}})
        print(f"ERROR: {ended.failure.message}", file=sys.stderr)
        return 1
    printed.line({"type": "turn.completed", "usage": {name: session.total.get(name, 0) for name in _USAGE}})
    if not printed.is_json:
        print(turn.said or "")
    return 0


def _on_end(opened: Opened, shell: Shell) -> None:
    executed(opened.session, shell)
