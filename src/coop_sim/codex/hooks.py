"""Runs the hooks of an event, side by side, and says what each answered."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from coop_sim.codex.hook_config import Hook
from coop_sim.commands import run_command
from coop_sim.shapes import Table, as_table, as_text, read_table

BLOCKING = 2
"""The exit code with which a hook blocks; its stderr is the reason."""


@dataclass(frozen=True, slots=True)
class HookAnswer:
    hook: Hook
    code: int
    said: Table
    stderr: str = ""
    is_nonsense: bool = False
    """It printed something that is not JSON."""

    @property
    def blocks(self) -> bool:
        return self.code == BLOCKING or self.said.get("decision") == "block" or self._verdict == "deny"

    @property
    def _verdict(self) -> str:
        return as_text(as_table(self.said.get("hookSpecificOutput")).get("permissionDecision"))

    @property
    def reason(self) -> str:
        specific = as_table(self.said.get("hookSpecificOutput"))
        return as_text(self.said.get("reason")) or as_text(specific.get("permissionDecisionReason")) or self.stderr.strip()

    @property
    def decision(self) -> Table:
        """Of a permission; empty when it leaves that to the person."""
        return as_table(as_table(self.said.get("hookSpecificOutput")).get("decision"))

    @property
    def complaint(self) -> str | None:
        """What is shown of a hook that went wrong; `None` when it did not."""
        if self.code not in (0, BLOCKING):
            return self.stderr if self.code < 0 else f"hook exited with code {self.code}"
        if self.is_nonsense and self.hook.event == "Stop":
            return "hook returned invalid stop hook JSON output"
        return None


@dataclass(frozen=True, slots=True)
class Hooks:
    hooks: Sequence[Hook]
    env: Mapping[str, str]
    cwd: Path

    async def fire(self, event: str, payload: Table, *, subject: str = "") -> list[HookAnswer]:
        """Cancelled, it ends the commands."""
        due = [hook for hook in self.hooks if hook.event == event and hook.is_trusted and hook.matches(subject)]
        if not due:
            return []
        body = json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()
        async with asyncio.TaskGroup() as running:
            tasks = [running.create_task(self._run(hook, body)) for hook in due]
        return [task.result() for task in tasks]

    async def _run(self, hook: Hook, body: bytes) -> HookAnswer:
        try:
            async with asyncio.timeout(hook.timeout):
                ran = await run_command(hook.command, body, self.env, self.cwd)
        except TimeoutError:
            return HookAnswer(hook, -1, {}, f"hook timed out after {hook.timeout:g}s")
        said = read_table(ran.stdout)
        is_nonsense = bool(ran.stdout.strip()) and not said
        return HookAnswer(hook, ran.code, said, ran.stderr, is_nonsense)
