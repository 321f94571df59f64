"""Starts a coop of one's own, and hands back its session."""

import asyncio
import contextlib
import os
import sys
from collections import deque
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from subprocess import DEVNULL

import msgspec

from coop.client.opening import Opening
from coop.client.session import Session, connect
from coop.errors import ConfigError, LaunchFailed

START_WITHIN = 30.0
STOP_WITHIN = 15.0
"""Coop gives its child 10 s to go by itself."""
_KEPT = 200
_CANNOT_START = 127
_LOG = ("--log-format", "json", "--log-level", "info")
"""Last, so that they count: nobody reads the log but we, and it says when the session listens."""


def spawn(
    command: Sequence[str],
    *,
    agent: str = "unknown",
    name: str | None = None,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    options: Sequence[str] = (),
    token: str | None = None,
) -> Opening[Session]:
    """Runs `coop --agent AGENT OPTIONS -- COMMAND` beside this process, and ends it with the block; not before, so that the last
    screen and the exit code of a child that has ended can be read.

    `env` replaces the environment, as for `subprocess`; `token` is the one that it or the options set. How coop logs is not for
    the options: its log is read here. Raises `LaunchFailed` when the command cannot be started, or not in `cwd`, and
    `ConfigError` when coop does not understand what it is told.
    """
    if isinstance(command, str):
        raise ConfigError(f"command: expected a list of words, as in ['bash', '-c', 'ls'], got the text {command!r}")
    named = ("--name", name) if name is not None else ()
    argv = (
        sys.executable,
        "-P",
        "-m",
        "coop.cli.main",
        "--keep-alive",
        "--agent",
        agent,
        *named,
        *options,
        *_LOG,
        "--",
        *command,
    )
    return Opening(_running(argv, cwd, env, token))


@asynccontextmanager
async def _running(
    argv: Sequence[str], cwd: str | os.PathLike[str] | None, env: Mapping[str, str] | None, token: str | None
) -> AsyncGenerator[Session]:
    sidecar = await _started(argv, cwd, env)
    try:
        async with connect(f"unix:{await sidecar.socket()}", token=token) as session:
            yield session
    finally:
        await sidecar.stop()


async def _started(argv: Sequence[str], cwd: str | os.PathLike[str] | None, env: Mapping[str, str] | None) -> "Sidecar":
    start = asyncio.get_running_loop().subprocess_exec
    try:
        _, sidecar = await start(Sidecar, *argv, stdin=DEVNULL, stdout=DEVNULL, cwd=cwd, env=_at_our_side(env))
    except OSError as error:
        where = f" in the folder {os.fspath(cwd)}" if cwd is not None else ""
        raise LaunchFailed(f"nothing can be started{where}: {error.strerror}") from None
    return sidecar


def _at_our_side(env: Mapping[str, str] | None) -> Mapping[str, str]:
    """Whoever wants all of its sessions detached does not mean this one, which is to end with us."""
    return {name: value for name, value in (os.environ if env is None else env).items() if name != "COOP_DETACH"}


class Sidecar(asyncio.SubprocessProtocol):
    """A coop process: where it listens, what it said, and its end."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self._listening: asyncio.Future[str] = loop.create_future()
        self._ended: asyncio.Future[None] = loop.create_future()
        self._said: deque[str] = deque(maxlen=_KEPT)
        self._rest = b""
        self._transport: asyncio.SubprocessTransport | None = None

    async def socket(self) -> str:
        """The Unix socket, once it listens. Raises what coop gave for a reason when it does not."""
        try:
            async with asyncio.timeout(START_WITHIN):
                return await self._listening
        except TimeoutError:
            raise LaunchFailed(f"coop did not listen within {START_WITHIN:g} s: {self.words}") from None

    async def stop(self) -> None:
        """Asks it to go, and makes it when it does not, or when we are not to wait."""
        assert self._transport is not None
        try:
            with contextlib.suppress(ProcessLookupError, TimeoutError):
                self._transport.terminate()
                async with asyncio.timeout(STOP_WITHIN):
                    await asyncio.shield(self._ended)
        finally:
            with contextlib.suppress(ProcessLookupError):
                self._transport.kill()
            await self._ended
            self._transport.close()

    @property
    def words(self) -> str:
        """What it said for people: log lines are for programs."""
        return " ".join(line for line in self._said if not line.startswith("{")).removeprefix("coop: ") or "it said nothing"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._said.append(line.decode(errors="replace"))
            if b'"listening"' in line and not self._listening.done():
                self._on_log(line)

    def _on_log(self, line: bytes) -> None:
        match msgspec.json.decode(line):
            case {"event": "listening", "socket": str(path)}:
                self._listening.set_result(path)
            case _:
                pass

    def connection_lost(self, exc: Exception | None) -> None:
        """Its process has ended, and all it said was read."""
        assert self._transport is not None
        if not self._listening.done():
            kind = LaunchFailed if self._transport.get_returncode() == _CANNOT_START else ConfigError
            self._listening.set_exception(kind(self.words))
            self._listening.exception()  # somebody may have stopped to wait for it
        if not self._ended.done():
            self._ended.set_result(None)
