"""`coop -- COMMAND`: binds, starts the child, serves it, and ends with its exit code."""

import asyncio
import contextlib
import ipaddress
import logging
import os
import signal
import socket
import time
import tomllib
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvloop

from coop.agents import KNOWN_COMMANDS, UNKNOWN, Agent
from coop.agents.generic import configured
from coop.cli.options import Options
from coop.errors import BadRequest, ConfigError
from coop.model.launch import Launch
from coop.model.screen import Size
from coop.model.state import ExitStatus
from coop.server.app import application
from coop.server.facade import Served
from coop.server.health import health_application
from coop.server.listen import Listeners, bind_tcp, bind_unix
from coop.session.core import CoreSettings, SessionCore
from coop.session.launch import launch
from coop.session.places import Places, default_name, identity, places, remove_if_same
from coop.session.runner import Session
from coop.session.sources.fifo import HookPipe
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.ring import Ring
from coop.wire.http import checked_size

SHUTDOWN_GRACE = 10.0
"""How long the child has to go by itself when the session is ended."""
_GOODBYE = 2.0
_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

log = logging.getLogger("coop")


def run(options: Options, env: Mapping[str, str]) -> int:
    """The exit code of the child. Raises `ConfigError` and `LaunchFailed` before anything is left behind."""
    _refuse_open_door(options)
    _refuse_giants(options)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, the child's end could not be told
    _keep_files_to_ourselves()
    agent = find_agent(options)
    _hint(options)
    return uvloop.run(_run(options, env, agent))


def _refuse_giants(options: Options) -> None:
    try:
        checked_size(options.cols, options.rows)
    except BadRequest as error:
        raise ConfigError(f"--{error.message}") from None


def _keep_files_to_ourselves() -> None:
    """Whatever we were started with open, a token file say, is not the child's."""
    with contextlib.suppress(OSError):
        for fd in os.listdir("/proc/self/fd"):
            if int(fd) > 2:
                with contextlib.suppress(OSError):
                    os.set_inheritable(int(fd), False)


def find_agent(options: Options) -> Agent:
    if options.agent != UNKNOWN.name:
        raise ConfigError(
            f"--agent {options.agent!r}: no such agent here; available: {UNKNOWN.name} (with --agent-config for its states)"
        )
    return _configured(options.agent_config) if options.agent_config else UNKNOWN


def _configured(path: Path) -> Agent:
    try:
        return configured(tomllib.loads(path.read_text()), source=str(path))
    except OSError as error:
        raise ConfigError(f"--agent-config {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"--agent-config {path}: not TOML: {error}") from None


def _hint(options: Options) -> None:
    known = KNOWN_COMMANDS.get(os.path.basename(options.command[0]))
    if known and options.agent == UNKNOWN.name:
        log.info(f"{known} is running as an unknown agent: its state will not be known")


def _refuse_open_door(options: Options) -> None:
    if options.port is None or options.auth_token or options.insecure_no_auth or _is_loopback(options.host):
        return
    raise ConfigError(
        f"--host {options.host} would let anybody on the network type into this session; "
        "set --auth-token, or --insecure-no-auth if that is what you want"
    )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


async def _run(options: Options, env: Mapping[str, str], agent: Agent) -> int:
    where = places(options.name or default_name(options.command[0], os.getpid()), env)
    session = _session(options, agent)
    served = _served(options, session, where)
    size = Size(options.cols, options.rows)
    child = launch(options.command, inherited=env, size=size, term=options.term, places=where)
    with contextlib.ExitStack() as cleanup:
        doors = _open_doors(options, where, session, cleanup)
        cleanup.callback(session.close)
        return await _serve(served, child, doors)


def _session(options: Options, agent: Agent) -> Session:
    settings = CoreSettings(
        epoch=f"{time.time_ns() // 1_000_000:x}{os.getpid():x}",
        idle_grace=options.idle_grace,
        idle_timeout=options.idle_timeout,
    )
    screen = GhosttyScreen(Size(options.cols, options.rows), agent.identity, scrollback=options.scrollback)
    core = SessionCore(settings, agent=agent, screen=screen, ring=Ring(options.ring_size), now=time.monotonic())
    return Session(core, clock=time.monotonic)


def _served(options: Options, session: Session, where: Places) -> Served:
    return Served(
        session,
        where.name,
        socket=str(where.socket),
        labels=dict(options.labels),
        token=options.auth_token,
        keep_alive=options.keep_alive,
        allow_self=options.allow_self,
        allowed_hosts=frozenset({options.host.lower(), *(host.lower() for host in options.allowed_hosts)}),
    )


@dataclass(frozen=True, slots=True)
class _Doors:
    """Every way in, open before there is a child: a failed bind never leaves one."""

    sockets: tuple[socket.socket, ...]
    health: socket.socket | None
    hooks: HookPipe
    where: Places


def _open_doors(options: Options, where: Places, session: Session, cleanup: contextlib.ExitStack) -> _Doors:
    sockets: list[socket.socket] = []
    for path in (where.socket, options.socket):
        if path is not None:
            sockets.append(cleanup.enter_context(bind_unix(path)))
            cleanup.callback(remove_if_same, path, identity(path))
    if options.port is not None:
        sockets.append(cleanup.enter_context(bind_tcp(options.host, options.port)))
    health = None
    if options.health_port is not None:
        health = cleanup.enter_context(bind_tcp(options.health_host, options.health_port))
    hooks = HookPipe(where.hook_pipe, session.post)
    cleanup.callback(hooks.close)
    return _Doors(tuple(sockets), health, hooks, where)


async def _serve(served: Served, child: Launch, doors: _Doors) -> int:
    session, stop = served.session, asyncio.Event()
    asyncio.get_running_loop().set_exception_handler(_on_bug)
    probes, listeners = Listeners(health_application(served)), Listeners(application(served))
    if doors.health is not None:
        await probes.serve(doors.health)
    with _signals(session, stop):
        session.start(child, on_shutdown=stop.set)
        doors.hooks.listen()
        for listening in doors.sockets:
            await listeners.serve(listening)
        _announce(session, doors)
        status = await _until_ended(session, listeners, stop)
        log.info("exited", extra={"code": status.code, "signal": status.signal})
        if served.keep_alive and not stop.is_set():
            await stop.wait()
    await listeners.close(within=0.1 if served.keep_alive else _GOODBYE)
    await probes.close(within=0.1)
    return status.shell_code


async def _until_ended(session: Session, listeners: Listeners, stop: asyncio.Event) -> ExitStatus:
    """How the child ended: by itself, or because we were told to stop."""
    ended = asyncio.ensure_future(session.wait_ended())
    stopped = asyncio.ensure_future(stop.wait())
    await asyncio.wait((ended, stopped), return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    if not ended.done():
        log.info("shutting down")
        listeners.stop_accepting()
        session.shut_down(SHUTDOWN_GRACE)
        done, _ = await asyncio.wait((ended,), timeout=SHUTDOWN_GRACE + _GOODBYE)
        if not done:
            log.warning("the child cannot be ended from here; letting go of its terminal")
            return ExitStatus(signal=signal.SIGHUP)
    return await ended


def _on_bug(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    log.error(context["message"], exc_info=context.get("exception"))


@contextlib.contextmanager
def _signals(session: Session, stop: asyncio.Event) -> Generator[None]:
    """The first Ctrl-C asks, the second does not."""
    loop = asyncio.get_running_loop()

    def on_signal() -> None:
        if stop.is_set():
            session.shut_down(0.0)
        stop.set()

    # What was ignored when we were started (nohup) stays so.
    handled = [number for number in _STOPS if signal.getsignal(number) is not signal.SIG_IGN]
    for number in handled:
        loop.add_signal_handler(number, on_signal)
    try:
        yield
    finally:
        for number in handled:
            loop.remove_signal_handler(number)


def _announce(session: Session, doors: _Doors) -> None:
    extra: dict[str, object] = {"session": doors.where.name, "pid": session.core.pid, "socket": str(doors.where.socket)}
    for key, listening in (*(("url", each) for each in doors.sockets), ("health_url", doors.health)):
        if listening is not None and listening.family != socket.AF_UNIX:
            extra[key] = _url(listening)
    log.info("listening", extra=extra)


def _url(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
