"""A command that is given something to read, and heard to its end."""

import asyncio
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Finished:
    code: int
    stdout: str
    stderr: str


async def run_command(command: str, body: bytes, env: Mapping[str, str], cwd: Path | None = None) -> Finished:
    """In a shell. Cancelled, it ends the command and all that it started."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_shell(
        command, stdin=pipe, stdout=pipe, stderr=pipe, env=dict(env), cwd=cwd, start_new_session=True
    )
    try:
        stdout, stderr = await process.communicate(body)
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        raise
    return Finished(process.returncode or 0, stdout.decode(errors="replace"), stderr.decode(errors="replace"))
