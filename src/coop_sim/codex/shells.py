"""The commands that run: some are waited for to their end, others go on in the background."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from coop_sim.tasks import Tasks

_PIECE = 65536


@dataclass
class Shell:
    number: int
    call: str
    command: str
    is_sandboxed: bool
    process: asyncio.subprocess.Process
    began: float
    output: str = ""
    told: int = 0
    """How much of the output the model has been told."""
    is_left: bool = False
    """It goes on, and nobody waits for it."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def code(self) -> int | None:
        return self.process.returncode if self.ended.is_set() else None

    async def report(self, within: float) -> str:
        """What the model is told after so long, or when it has ended."""
        began = time.monotonic()
        self.is_left = False
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.ended.wait(), within)
        finally:
            self.is_left = not self.ended.is_set()
        fresh, self.told = self.output[self.told :], len(self.output)
        state = (
            f"Process exited with code {self.code}"
            if self.code is not None
            else f"Process running with session ID {self.number}"
        )
        wall = f"Wall time: {time.monotonic() - began:.4f} seconds"
        chunk = f"Chunk ID: {os.urandom(3).hex()}"
        return "\n".join((chunk, wall, state, f"Original token count: {len(fresh) // 4}", "Output:", fresh))


@dataclass
class Shells:
    tasks: Tasks
    cwd: Path
    env: Mapping[str, str]
    on_end: Callable[[Shell], None]
    running: dict[int, Shell] = field(default_factory=dict[int, Shell])
    _count: int = 1000

    async def start(self, call: str, command: str, *, is_sandboxed: bool) -> Shell:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            self.env.get("SHELL", "/bin/sh"),
            "-c",
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=asyncio.subprocess.STDOUT,
            env=dict(self.env),
            cwd=self.cwd,
            start_new_session=True,
        )
        self._count += 1
        shell = Shell(self._count, call, command, is_sandboxed, process, time.monotonic())
        self.running[shell.number] = shell
        self.tasks.begin(self._follow(shell))
        return shell

    async def _follow(self, shell: Shell) -> None:
        stdout = shell.process.stdout
        assert stdout is not None
        try:
            while piece := await stdout.read(_PIECE):
                shell.output += piece.decode(errors="replace")
            await shell.process.wait()
        finally:
            if shell.process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(shell.process.pid, signal.SIGKILL)
        shell.ended.set()
        del self.running[shell.number]
        self.on_end(shell)

    def write(self, number: int, text: str) -> Shell | None:
        """`None` when there is no such command any more."""
        shell = self.running.get(number)
        if shell is not None and shell.process.stdin is not None:
            shell.process.stdin.write(text.encode())
        return shell

    @property
    def in_background(self) -> int:
        """How many are counted on the screen: one that runs outside of the sandbox is not."""
        return sum(shell.is_left and shell.is_sandboxed for shell in self.running.values())

    def stop(self) -> None:
        for shell in self.running.values():
            with suppress(ProcessLookupError):
                os.killpg(shell.process.pid, signal.SIGKILL)
