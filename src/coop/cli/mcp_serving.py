"""Puts the MCP server together, and runs it: imported only where it is asked for."""

import asyncio
import contextlib
import os
import secrets
import signal
from collections.abc import Generator, Mapping

import click
from mcp.server.transport_security import TransportSecuritySettings

from coop.cli.mcp import Door
from coop.errors import ConfigError
from coop.mcp.callers import ourselves
from coop.mcp.scopes import Scope, scopes_of
from coop.mcp.server import CoopServer
from coop.mcp.started import Started
from coop.mcp.tools import Tools
from coop.server.guard import Guard
from coop.server.listen import Listeners, bind_tcp

PATH = "/mcp"
_GOODBYE = 0.5
_ENDS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_GUARDED = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""Our own guard, which is stricter, stands before it."""


def serve(allow: str, programs: tuple[str, ...], token: str | None, door: Door | None, env: Mapping[str, str]) -> None:
    """Until its client hangs up, or a signal ends it. `token` is that of the sessions. Raises `ConfigError`."""
    scopes = scopes_of(allow)
    _check_programs(scopes, programs)
    started = Started(frozenset(programs), env, token=token)
    tools = Tools(env, started, token=token, ours=ourselves(env), fence=lambda: secrets.token_hex(6), is_alone=door is None)
    asyncio.run(_run(CoopServer(tools, scopes), started, door))


def _check_programs(scopes: frozenset[Scope], programs: tuple[str, ...]) -> None:
    if Scope.START in scopes and not programs:
        raise ConfigError("--allow start: say what may be started, as in: --program claude   ('*' is anything)")
    if programs and Scope.START not in scopes:
        raise ConfigError("--program is for --allow start; give both, or neither")


async def _run(server: CoopServer, started: Started, door: Door | None) -> None:
    serving = asyncio.ensure_future(_run_http(server, door) if door is not None else server.run_stdio_async())
    stop = asyncio.Event()
    with _signals(stop):
        stopped = asyncio.ensure_future(stop.wait())
        await asyncio.wait((serving, stopped), return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        await started.close()  # it must not outlive us
    if not serving.done() and door is None:
        os._exit(0)  # a thread that reads stdin cannot be stopped otherwise
    serving.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await serving


@contextlib.contextmanager
def _signals(stop: asyncio.Event) -> Generator[None]:
    loop = asyncio.get_running_loop()
    for number in _ENDS:
        loop.add_signal_handler(number, stop.set)
    try:
        yield
    finally:
        for number in _ENDS:
            loop.remove_signal_handler(number)


async def _run_http(server: CoopServer, door: Door) -> None:
    """Behind the guard that stands before every session."""
    app = server.streamable_http_app(streamable_http_path=PATH, transport_security=_GUARDED)
    with bind_tcp(door.host, door.port, option="--http-port") as listening:
        listeners = Listeners(Guard(app, door, checks_host=True))
        async with server.session_manager.run():
            await listeners.serve(listening)
            click.echo(f"coop mcp: listening at http://{_authority(listening.getsockname())}{PATH}", err=True)
            try:
                await asyncio.Event().wait()
            finally:
                await listeners.close(within=_GOODBYE)


def _authority(address: tuple[str, int]) -> str:
    host, port = address[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
