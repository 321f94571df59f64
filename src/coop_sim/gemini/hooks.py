"""Runs the command hooks of an event, side by side, and says what each answered. All of them are waited for."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from coop_sim.commands import run_command
from coop_sim.shapes import Table, as_list, as_number, as_table, as_text, read_table

BLOCKING = 2
"""The exit code with which a hook says no; its stderr is the reason."""
_TIMEOUT = 60_000.0
"""Milliseconds, as in the settings."""


@dataclass(frozen=True, slots=True)
class Hook:
    name: str
    command: str
    matcher: str = ""
    timeout: float = _TIMEOUT


@dataclass(frozen=True, slots=True)
class HookAnswer:
    name: str
    code: int
    said: Table
    words: str = ""
    """What it said that is no JSON."""
    stderr: str = ""

    @property
    def denies(self) -> bool:
        return self.code == BLOCKING or self.said.get("decision") in ("deny", "block")

    @property
    def reason(self) -> str:
        return as_text(self.said.get("reason")) or self.stderr.strip()

    @property
    def shown(self) -> str:
        """Empty when it has nothing to show."""
        words = as_text(self.said.get("systemMessage")) or self.words
        return f"{words} [{self.name}]" if words else ""


@dataclass
class Hooks:
    configured: Mapping[str, list[Hook]]
    env: Mapping[str, str]
    running: list[str] = field(default_factory=list[str])
    """The names of those that run now."""
    on_change: Callable[[], None] = lambda: None

    async def fire(self, event: str, payload: Table, *, subject: str = "") -> list[HookAnswer]:
        """Cancelled, it ends the commands."""
        hooks = [hook for hook in self.configured.get(event, ()) if not hook.matcher or re.search(hook.matcher, subject)]
        if not hooks:
            return []
        names = [hook.name for hook in hooks]
        self._change(self.running + names)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._run(hook, payload)) for hook in hooks]
        finally:
            self._change([name for name in self.running if name not in names])
        return [task.result() for task in tasks]

    def _change(self, running: list[str]) -> None:
        self.running = running
        self.on_change()

    async def _run(self, hook: Hook, payload: Table) -> HookAnswer:
        try:
            async with asyncio.timeout(hook.timeout / 1000):
                return await self._command(hook, json.dumps(payload).encode())
        except TimeoutError:
            return HookAnswer(hook.name, 1, {}, stderr=f"Hook timed out after {hook.timeout:g}ms")

    async def _command(self, hook: Hook, body: bytes) -> HookAnswer:
        ended = await run_command(hook.command, body, self.env)
        said = ended.stdout.strip()
        table = read_table(said)
        words = "" if table or said == "{}" else said
        return HookAnswer(hook.name, ended.code, table, words, ended.stderr)


def read_hooks(settings: Table) -> dict[str, list[Hook]]:
    return {
        event: [hook for group in as_list(groups) for hook in _hooks(as_table(group))] for event, groups in settings.items()
    }


def _hooks(group: Table) -> list[Hook]:
    matcher = as_text(group.get("matcher"))
    listed = (as_table(hook) for hook in as_list(group.get("hooks")))
    return [_hook(hook, "" if matcher == "*" else matcher) for hook in listed if hook.get("type") == "command"]


def _hook(table: Table, matcher: str) -> Hook:
    command = as_text(table.get("command"))
    return Hook(as_text(table.get("name")) or command, command, matcher, as_number(table.get("timeout"), _TIMEOUT))
