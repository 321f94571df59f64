"""`coop -- COMMAND`: binds, starts the child, serves it, and ends with its exit code."""

import asyncio
import contextlib
import ipaddress
import logging
import os
import secrets
import signal
import socket
import sys
import time
import uuid
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvloop

from coop.agents import UNKNOWN, Agent, installed_agents
from coop.agents.commands import program_of
from coop.agents.generic import configured
from coop.cli.detach import close_inherited, move_stderr, tell_ready
from coop.cli.files import toml
from coop.cli.logs import set_up
from coop.cli.options import Options
from coop.cli.subject import Subject, attached, launched, running
from coop.errors import BadRequest, ConfigError
from coop.model.launch import Launch, Prepared, SessionPlaces
from coop.model.readings import Learned
from coop.model.screen import Size
from coop.model.state import ExitStatus, Tier
from coop.server.app import application
from coop.server.facade import Served
from coop.server.health import health_application
from coop.server.hooks import PREFIX, hooks_application
from coop.server.listen import Listeners, bind_tcp, bind_unix
from coop.session.core import CoreSettings, SessionCore
from coop.session.disk import RealDisk
from coop.session.launch import HOOK_TOKEN, HookDoor, launch, remove_files, write_files
from coop.session.places import Places, default_name, identity, places, remove_if_same
from coop.session.processes import reap_orphans
from coop.session.recording import About, Recording, recording_path
from coop.session.runner import SHUTDOWN_GRACE, Session
from coop.session.sources.fifo import HookPipe
from coop.session.sources.tail import LogTail, PlanWatch, StatusWatch
from coop.session.sources.watching import FileSources
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.ring import Ring
from coop.wire.http import checked_size

if TYPE_CHECKING:
    from coop.server.grpc import GrpcListener
    from coop.session.attaching import Place

AUTO = "auto"
_GOODBYE = 2.0
_AT_ONCE = 5.0
_LAST_LINES = 5
_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)

log = logging.getLogger("coop")


def run(options: Options, env: Mapping[str, str]) -> int:
    """The exit code of the child. Raises `ConfigError` and `LaunchFailed` before anything is left behind."""
    _refuse_open_door(options)
    _refuse_giants(options)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, the child's end could not be told
    if options.ready_fd is not None:
        close_inherited(options.ready_fd)
    _keep_files_to_ourselves()
    place = _reached(options.attach, options, env) if options.attach is not None else None
    if place is not None:
        options = replace(options, command=running(place, _known_commands()))
    agent = find_agent(options)
    _hint(options)
    return uvloop.run(_run(options, env, agent, place))


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
    """The one that was asked for; `auto` goes by the command. Raises `ConfigError`."""
    wanted = _by_command(options) if options.agent == AUTO else options.agent
    if wanted == UNKNOWN.name:
        if options.dialogs is not None:
            raise ConfigError("--dialogs is for agents coop knows; describe this one with --agent-config")
        tables = toml(options.agent_config, "--agent-config") if options.agent_config else None
        return configured(tables, source=str(options.agent_config)) if tables is not None else UNKNOWN
    found = installed_agents().get(wanted)
    if found is None:
        available = ", ".join((AUTO, UNKNOWN.name, *installed_agents()))
        raise ConfigError(f"--agent {options.agent!r}: no such agent here; available: {available}")
    if options.agent_config is not None:
        raise ConfigError(f"--agent-config describes an unknown agent; {wanted} is known: leave one of the two out")
    dialogs = toml(options.dialogs, "--dialogs") if options.dialogs else None
    agent = found(dialogs, source=str(options.dialogs))
    return agent if options.answer_by is None else replace(agent, holds_hooks=options.answer_by == "hook")


def _by_command(options: Options) -> str:
    """The agent whose command it is."""
    program, known = program_of(options.command), _known_commands()
    if program not in known:
        log.info(f"--agent auto: {program!r} is the command of no agent here ({', '.join(sorted(known))}); it runs as unknown")
    return known.get(program, UNKNOWN.name)


def _known_commands() -> dict[str, str]:
    """Which agent each is of. A package that cannot be loaded is told of, and is in nobody's way."""
    known = dict[str, str]()
    for name, make in installed_agents().items():
        try:
            known |= dict.fromkeys(make().commands, name)
        except ConfigError as error:
            log.warning(f"--agent auto: {error.message}")
    return known


def _hint(options: Options) -> None:
    program = program_of(options.command)
    if options.agent == UNKNOWN.name and options.agent_config is None and program in installed_agents():
        log.info(f"{program} is running as an unknown agent: its state will not be known; use --agent {program}")


def _refuse_open_door(options: Options) -> None:
    is_on_network = options.port is not None or options.grpc_port is not None
    if not is_on_network or options.auth_token or options.insecure_no_auth or _is_loopback(options.host):
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


def _reached(spec: str, options: Options, env: Mapping[str, str]) -> "Place":
    from coop.session.attaching import reach

    return reach(spec, env, history=options.scrollback)


async def _run(options: Options, env: Mapping[str, str], agent: Agent, place: "Place | None") -> int:
    where = places(options.name or default_name(options.command[0], os.getpid()), env)
    with contextlib.ExitStack() as cleanup:
        hooks = cleanup.enter_context(bind_tcp("127.0.0.1", 0))
        door = HookDoor(_url(hooks), secrets.token_urlsafe(24))
        if place is not None:
            subject = attached(place, agent, resume=options.resume)
        else:
            subject = launched(_prepared(options, agent, _launch(options, env, where, door), where, door))
        prepared = subject.prepared
        session = _session(options, agent, subject)
        if options.otel:
            _trace(session, where.name, cleanup)
        recording = _recording(options, session, where, env)
        cleanup.callback(recording.close)
        served = _served(options, session, where, recording)
        doors = _open_doors(options, where, session, cleanup, hooks)
        cleanup.callback(remove_files, prepared, where.files)
        write_files(prepared, where.files)
        cleanup.callback(session.close)
        return await _serve(served, subject, doors, door.token, partial(_announce, options, served, doors))


def _launch(options: Options, env: Mapping[str, str], where: Places, door: HookDoor) -> Launch:
    size = Size(options.cols, options.rows)
    return launch(options.command, inherited=env, size=size, term=options.term, places=where, door=door, cwd=_folder())


def _folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise ConfigError("the folder coop was started in is gone; go to one that is there") from None


def _prepared(options: Options, agent: Agent, child: Launch, where: Places, door: HookDoor) -> Prepared:
    if agent.prepare is None:
        if options.resume is not None:
            raise ConfigError("--resume is for agents coop knows; choose one with --agent")
        return Prepared(child)
    hook_url = f"{door.url}{PREFIX.rstrip('/')}"
    offered = SessionPlaces(
        str(where.files),
        hook_url,
        HOOK_TOKEN,
        str(uuid.uuid4()),
        python=sys.executable,
        holds_hooks=agent.holds_hooks,
        resume=options.resume,
    )
    prepared = agent.prepare(child, offered, RealDisk())
    if prepared.warning is not None:
        log.warning(prepared.warning)
    if not prepared.files and agent.read_hook is not None:
        hidden = f"this command starts no session of {agent.name}, or hides it from us"
        log.info(f"no hooks are installed: {prepared.absent.get(Tier.HOOKS, hidden)}")
    return prepared


def _session(options: Options, agent: Agent, subject: Subject) -> Session:
    prepared = subject.prepared
    settings = CoreSettings(
        epoch=f"{time.time_ns() // 1_000_000:x}{os.getpid():x}",
        idle_grace=options.idle_grace,
        idle_timeout=options.idle_timeout,
        speaks_json=prepared.speaks_json,
        is_headless=prepared.is_headless,
        accepts_setup=options.skip_startup_prompts,
        attachment=subject.attachment,
        absent=prepared.absent,
    )
    screen = GhosttyScreen(prepared.launch.size, agent.identity, scrollback=options.scrollback)
    core = SessionCore(settings, agent=agent, screen=screen, ring=Ring(options.ring_size), now=time.monotonic())
    core.insight.learn(Learned(session_id=prepared.session_id, transcript_path=prepared.log if prepared.log_from_end else None))
    return Session(core, clock=time.monotonic)


def _trace(session: Session, name: str, cleanup: contextlib.ExitStack) -> None:
    try:
        from coop.server.tracing import Exporter, Tracing
    except ModuleNotFoundError as missing:
        package = str(missing.name).partition(".")[0]
        raise ConfigError(f"--otel: {package} is not installed; it comes with: pip install 'coop-agents[otel]'") from None
    exporter = Exporter(name)
    cleanup.callback(exporter.close)
    wall = time.time  # noqa: TID251 - a collector wants the time of day
    session.observers.append(Tracing(session.core, exporter.tracer(), epoch=wall() - session.now))


def _recording(options: Options, session: Session, where: Places, env: Mapping[str, str]) -> Recording:
    first = recording_path(options.record, where.name, session.core.settings.epoch, env)
    wall = time.time  # noqa: TID251 - a recording says when it was made
    recording = Recording(session, About(where.name, options.scrollback), first, wall=wall)
    if options.record is not None:
        recording.start(only_first=True)
    return recording


def _served(options: Options, session: Session, where: Places, recording: Recording) -> Served:
    return Served(
        session,
        where.name,
        socket=str(where.socket),
        labels=dict(options.labels),
        token=options.auth_token,
        keep_alive=options.keep_alive,
        allow_self=options.allow_self,
        allowed_hosts=frozenset({options.host.lower(), *(host.lower() for host in options.allowed_hosts)}),
        recording=recording,
    )


@dataclass(frozen=True, slots=True)
class _Doors:
    """Every way in, open before there is a child: a failed bind never leaves one."""

    sockets: tuple[socket.socket, ...]
    grpc: socket.socket | None
    health: socket.socket | None
    hooks: socket.socket
    pipe: HookPipe
    where: Places


def _open_doors(
    options: Options, where: Places, session: Session, cleanup: contextlib.ExitStack, hooks: socket.socket
) -> _Doors:
    sockets: list[socket.socket] = []
    for path in (where.socket, options.socket):
        if path is not None:
            sockets.append(cleanup.enter_context(bind_unix(path)))
            cleanup.callback(remove_if_same, path, identity(path))
    if options.port is not None:
        sockets.append(cleanup.enter_context(bind_tcp(options.host, options.port)))
    grpc = None
    if options.grpc_port is not None:
        grpc = cleanup.enter_context(bind_tcp(options.host, options.grpc_port, option="--grpc-port"))
    health = None
    if options.health_port is not None:
        health = cleanup.enter_context(
            bind_tcp(options.health_host, options.health_port, option="--health-port", host_option="--health-host")
        )
    pipe = HookPipe(where.hook_pipe, session.post)
    cleanup.callback(pipe.close)
    return _Doors(tuple(sockets), grpc, health, hooks, pipe, where)


async def _serve(served: Served, subject: Subject, doors: _Doors, hook_token: str, announce: Callable[[], None]) -> int:
    sources = _sources(served.session, subject.prepared)
    with sources.watching():
        return await _serve_child(served, subject, doors, hook_token, sources, announce)


def _sources(session: Session, prepared: Prepared) -> FileSources:
    wall = time.time  # noqa: TID251 - the agent's files have the time of day
    root = Path(prepared.log_root) if prepared.log_root else None
    tail = LogTail(
        session.post,
        wall,
        root=root,
        pattern=prepared.log_pattern,
        opened=prepared.open_log,
        running=prepared.is_running,
    )
    if prepared.log is not None:
        tail.follow(Path(prepared.log), from_end=prepared.log_from_end)
    status = StatusWatch(Path(prepared.status_files), session.post, wall) if prepared.status_files else None
    sources = FileSources(tail, status, plan=PlanWatch(session.post), log_of=prepared.log_of_status)
    session.follow_log, session.follow_plan = sources.follow, sources.follow_plan
    return sources


async def _serve_child(
    served: Served, subject: Subject, doors: _Doors, hook_token: str, sources: FileSources, announce: Callable[[], None]
) -> int:
    session, stop, hurry = served.session, asyncio.Event(), asyncio.Event()
    asyncio.get_running_loop().set_exception_handler(_on_bug)
    probes, listeners = Listeners(health_application(served)), Listeners(application(served))
    hooks = Listeners(hooks_application(served, hook_token))
    grpc = _grpc(served) if doors.grpc is not None else None
    if doors.health is not None:
        await probes.serve(doors.health)
    with _signals(session, stop, hurry):
        session.start(subject.open(), on_shutdown=stop.set)
        sources.bind(session.core.pid)
        doors.pipe.listen()
        await hooks.serve(doors.hooks)
        for listening in doors.sockets:
            await listeners.serve(listening)
        if grpc is not None and doors.grpc is not None:
            await grpc.serve(doors.grpc)
        announce()
        status = await _until_ended(session, (listeners, grpc), stop)
        log.info("exited", extra={"code": status.code, "signal": status.signal, **_last_lines(session, status)})
        if served.keep_alive and not stop.is_set():
            await stop.wait()
        stop.set()  # from now on, a signal asks for more haste
        doors_of_clients = tuple(each for each in (listeners, grpc) if each is not None)
        await _leave(doors_of_clients, (hooks, probes), hurry, within=0.1 if served.keep_alive else _GOODBYE)
    return status.shell_code


def _last_lines(session: Session, status: ExitStatus) -> dict[str, str]:
    """Of a child that failed at once: nobody has been quick enough to see on its screen why."""
    if not status.code or session.now - session.core.started_at > _AT_ONCE:
        return {}
    lines = [line.strip() for line in session.core.screen.snapshot().lines if line.strip()]
    return {"screen": " | ".join(lines[-_LAST_LINES:])} if lines else {}


async def _leave(
    clients: Iterable["Listeners | GrpcListener"], others: Iterable[Listeners], hurry: asyncio.Event, *, within: float
) -> None:
    """Says goodbye to those who listen, but not to the end when somebody is in a hurry."""

    async def goodbyes() -> None:
        async with asyncio.TaskGroup() as leaving:
            for each in clients:
                leaving.create_task(each.close(within=within))
        for each in others:
            await each.close(within=0.1)

    said, hurried = asyncio.ensure_future(goodbyes()), asyncio.ensure_future(hurry.wait())
    await asyncio.wait((said, hurried), return_when=asyncio.FIRST_COMPLETED)
    hurried.cancel()
    if said.done():
        await said  # a bug is told
    said.cancel()


def _grpc(served: Served) -> "GrpcListener":
    """Before there is a child; and only who wants it waits for its import."""
    from coop.server.grpc import GrpcListener

    return GrpcListener(served)


async def _until_ended(session: Session, doors: Iterable["Listeners | GrpcListener | None"], stop: asyncio.Event) -> ExitStatus:
    """How the child ended: by itself, or because we were told to stop."""
    ended = asyncio.ensure_future(session.wait_ended())
    stopped = asyncio.ensure_future(stop.wait())
    await asyncio.wait((ended, stopped), return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    if not ended.done():
        log.info("shutting down")
        for door in doors:
            if door is not None:
                door.stop_accepting()
        session.shut_down(session.grace)
        done, _ = await asyncio.wait((ended,), timeout=SHUTDOWN_GRACE + _GOODBYE)
        if not done:
            log.warning("the child cannot be ended from here; letting go of its terminal")
            return ExitStatus(signal=signal.SIGHUP)
    return await ended


def _on_bug(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    log.error(context["message"], exc_info=context.get("exception"))


@contextlib.contextmanager
def _signals(session: Session, stop: asyncio.Event, hurry: asyncio.Event) -> Generator[None]:
    """The first Ctrl-C asks, the second does not."""
    loop = asyncio.get_running_loop()

    def on_signal() -> None:
        if stop.is_set():
            session.shut_down(0.0)
            hurry.set()
        stop.set()

    # What was ignored when we were started (nohup) stays so.
    handled = [number for number in _STOPS if signal.getsignal(number) is not signal.SIG_IGN]
    for number in handled:
        loop.add_signal_handler(number, on_signal)
    if session.core.settings.attachment is None:
        signal.signal(signal.SIGCHLD, partial(_on_child, loop, session))  # the loop would keep this one to itself
    try:
        yield
    finally:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for number in handled:
            loop.remove_signal_handler(number)


def _on_child(loop: asyncio.AbstractEventLoop, session: Session, _number: int, _frame: object) -> None:
    """The first process of a container takes the end of orphans too; of our own child's the session finds out by itself."""
    if os.getpid() == 1 and session.core.pid is not None:
        reap_orphans(but=session.core.pid)
    loop.call_soon_threadsafe(session.on_child_signal)  # we may be in the midst of anything


def _announce(options: Options, served: Served, doors: _Doors) -> None:
    if options.ready_fd is not None:  # what was wrong until now is on the terminal of whoever waits
        move_stderr(doors.where.log)
        set_up(options.log_format, options.log_level)
    _say_where(served, doors)
    if options.ready_fd is not None:
        tell_ready(options.ready_fd, doors.where.name)
    elif sys.stderr.isatty():
        log.info(f"attach with: coop attach {doors.where.name} · Ctrl-C ends it")


def _say_where(served: Served, doors: _Doors) -> None:
    extra: dict[str, object] = {"session": doors.where.name, "pid": served.core.pid, "socket": str(doors.where.socket)}
    if (recorded := served.recorded()).on:
        extra["recording"] = recorded.path
    for key, listening in (*(("url", each) for each in doors.sockets), ("grpc_url", doors.grpc), ("health_url", doors.health)):
        if listening is not None and listening.family != socket.AF_UNIX:
            extra[key] = _url(listening)
    log.info("listening", extra=extra)


def _url(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
