"""What is typed and is not for the model: `!` and the commands with a slash."""

import asyncio
import time
from dataclasses import dataclass

from coop_sim.codex.blocks import Plain, ran, worked
from coop_sim.codex.history import SUMMARY, text_of
from coop_sim.codex.ids import new_id
from coop_sim.codex.lines import command_execution, message
from coop_sim.codex.model import Call, Failed, Model
from coop_sim.codex.session import Session
from coop_sim.codex.stage import Stage
from coop_sim.commands import run_command
from coop_sim.scenario import Faults
from coop_sim.shapes import Table

_KEPT = 20


@dataclass
class Commands:
    session: Session
    stage: Stage
    model: Model

    async def shell(self, command: str) -> str:
        """Runs it at once, outside of the model and of the hooks."""
        session = self.session
        session.begin_turn(Faults())
        try:
            done = await run_command(f"{{ {command}\n}} 2>&1", b"", session.options.env, session.options.cwd)
        except asyncio.CancelledError:
            session.abort()
            return "idle"
        session.finished(command_execution(new_id(), command, session.options.cwd, done.code, done.stdout))
        result = f"Exit code: {done.code}\nDuration: {session.seconds:.4f} seconds\nOutput:\n{done.stdout}"
        told = f"<command>\n{command}\n</command>\n<result>\n{result}\n</result>"
        session.say("user", f"<user_shell_command>\n{told}\n</user_shell_command>")
        session.complete(None)
        self.stage.show(ran("You ran", command, done.stdout), worked(session.seconds, time.strftime("%H:%M")))
        return "done"

    async def compact(self) -> str:
        """The conversation becomes a summary of it."""
        session = self.session
        session.begin_turn(Faults())
        await session.fire("PreCompact", {"trigger": "manual"}, subject="manual")
        try:
            response = await self.model.respond(Call(session.history.items, has_tools=False), lambda _: None)
        except Failed as failed:
            session.complete(None, {"message": failed.failure.message, "codex_error_info": failed.failure.info})
            self.stage.show(Plain(f"■ {failed.failure.message}"))
            return "error"
        self._replace("".join(map(text_of, response.items)))
        await session.fire("PostCompact", {"trigger": "manual"}, subject="manual")
        session.source = "compact"
        session.finished({"type": "ContextCompaction", "id": new_id()})
        session.complete(None)
        took = f"• Context compacted · {int(session.seconds)}s"
        self.stage.show(Plain(took), worked(session.seconds, time.strftime("%H:%M")))
        return "done"

    def _replace(self, summary: str) -> None:
        session = self.session
        first = [item for item in session.history.items if item.get("role") == "developer"][:1]
        typed = [message("user", text) for text in session.history.said("user")[-_KEPT:]]
        kept: list[Table] = [*first, *typed, message("user", SUMMARY + summary)]
        session.record("compacted", {"message": SUMMARY + summary, "replacement_history": kept})
