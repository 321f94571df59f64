"""Runs the hooks of an event, side by side, and says what each answered."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass

from coop_sim.claude.hook_config import CommandHook, Hook, HookConfig, HttpHook
from coop_sim.commands import run_command
from coop_sim.posting import post
from coop_sim.shapes import Table, as_table, as_text, read_table

BLOCKING = 2
"""The exit code with which a command hook blocks; its stderr is the reason."""


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """`code` is 0 when all went well; an HTTP status otherwise, or a command's exit code."""

    name: str
    code: int
    said: Table
    stderr: str = ""

    @property
    def specific(self) -> Table:
        return as_table(self.said.get("hookSpecificOutput"))

    @property
    def reason(self) -> str:
        return as_text(self.said.get("reason")) or self.stderr.strip()

    def complaint(self, event: str) -> str | None:
        """What is shown of a hook that went wrong; `None` when it did not."""
        return None if self.code in (0, BLOCKING) else f"{event} hook error · {self.stderr.strip()}"

    @property
    def blocks(self) -> bool:
        return self.code == BLOCKING or self.said.get("decision") == "block"


@dataclass(frozen=True, slots=True)
class Hooks:
    config: HookConfig
    env: Mapping[str, str]

    def has(self, event: str) -> bool:
        return any(name == event for name, _, _ in self.config.entries)

    async def fire(self, event: str, payload: Table, *, subject: str = "") -> list[HookAnswer]:
        """Cancelled, it ends the commands and closes the connections."""
        hooks = self.config.hooks(event, subject)
        if not hooks:
            return []
        async with asyncio.TaskGroup() as running:
            tasks = [running.create_task(self._run(hook, payload)) for hook in hooks]
        return [task.result() for task in tasks]

    async def _run(self, hook: Hook, payload: Table) -> HookAnswer:
        body = json.dumps(payload).encode()
        try:
            async with asyncio.timeout(hook.timeout):
                match hook:
                    case CommandHook(command):
                        return await self._command(command, body, payload)
                    case HttpHook():
                        return await self._http(hook, body)
        except TimeoutError:
            return HookAnswer(_name(hook), 1, {}, f"timed out after {hook.timeout:g}s")

    async def _http(self, hook: HttpHook, body: bytes) -> HookAnswer:
        try:
            posted = await post(hook.url, hook.expanded(self.env), body)
        except (OSError, ValueError, EOFError, IndexError) as problem:
            refused = isinstance(problem, ConnectionRefusedError)
            return HookAnswer(hook.url, 1, {}, "connect ECONNREFUSED" if refused else str(problem))
        if posted.status >= 300:
            return HookAnswer(hook.url, posted.status, {}, f"HTTP {posted.status} from {hook.url}")
        return HookAnswer(hook.url, 0, read_table(posted.body))

    async def _command(self, command: str, body: bytes, payload: Table) -> HookAnswer:
        ran = await run_command(command, body, self._environment(payload))
        return HookAnswer(command, ran.code, read_table(ran.stdout), ran.stderr)

    def _environment(self, payload: Table) -> dict[str, str]:
        told = {
            "CLAUDECODE": "1",
            "CLAUDE_CODE_SESSION_ID": as_text(payload.get("session_id")),
            "CLAUDE_PROJECT_DIR": as_text(payload.get("cwd")),
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDE_EFFORT": "high",
        }
        return {**self.env, **told}


def _name(hook: Hook) -> str:
    return hook.command if isinstance(hook, CommandHook) else hook.url
