"""What must be in order on a machine for sessions to run, each with what to do when it is not."""

import locale
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from coop.agents import Agent, installed_agents
from coop.client.finding import sessions
from coop.errors import ConfigError
from coop.model.runtime import LONGEST_SOCKET_PATH, SOCKET_SUFFIX, runtime_directory
from coop.session.disk import RealDisk

Level = Literal["ok", "warn", "fail"]
_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)?[\w.+-]*")
_SAYS_WITHIN = 20.0
_LONGEST_NAME = 64
"""Of the kernel, for a Unix socket."""
_PORTS = ("COOP_PORT", "COOP_HEALTH_PORT", "COOP_GRPC_PORT")
_TOOLS = {"tmux": "--attach tmux:…", "screen": "--attach screen:…"}


@dataclass(frozen=True, slots=True)
class Finding:
    level: Level
    subject: str
    said: str
    do: str = ""
    """What to do about it."""


Check = Callable[[Mapping[str, str]], Iterator[Finding]]


def python(env: Mapping[str, str]) -> Iterator[Finding]:
    """An older one than coop needs would not have come this far."""
    yield Finding("ok", "python", f"{sys.version.split()[0]}, {sys.executable}")


def engine(env: Mapping[str, str]) -> Iterator[Finding]:
    from coop.model.screen import XTERM, Size

    try:
        from coop.terminal.ghostty import GhosttyScreen

        GhosttyScreen(Size(80, 24), XTERM).feed(b"ok")
        yield Finding("ok", "engine", "the terminal emulator draws")
    except Exception as error:  # whatever a broken library does
        yield Finding(
            "fail", "engine", f"{type(error).__name__}: {error}", "install coop again: pip install --force-reinstall …"
        )


def pty(env: Mapping[str, str]) -> Iterator[Finding]:
    try:
        for fd in os.openpty():
            os.close(fd)
        yield Finding("ok", "pty", "a terminal can be made")
    except OSError as error:
        yield Finding("fail", "pty", f"no terminal can be made: {error.strerror}", "see that /dev/pts is there and not full")


def terminal(env: Mapping[str, str]) -> Iterator[Finding]:
    if env.get("COOP") == "1":
        yield Finding("ok", "session", f"this runs inside of a session: {env.get('COOP_SOCKET', '')}")
    term, encoding = env.get("TERM", ""), locale.getpreferredencoding(do_setlocale=False)
    if not sys.stdout.isatty():
        yield Finding("ok", "terminal", "none here: output is plain")
    elif term in ("", "dumb"):
        yield Finding("warn", "terminal", f"TERM is {term!r}", "set TERM, as in TERM=xterm-256color")
    else:
        size = shutil.get_terminal_size()
        yield Finding("ok", "terminal", f"{term}, {size.columns}×{size.lines}")
    if encoding.lower().replace("-", "") != "utf8":
        yield Finding("warn", "locale", f"text is {encoding} here", "set LANG=C.UTF-8, or agents draw question marks")


def runtime(env: Mapping[str, str]) -> Iterator[Finding]:
    directory = runtime_directory(env, os.getuid())
    if not env.get("XDG_RUNTIME_DIR"):
        yield Finding("ok", "runtime", f"XDG_RUNTIME_DIR is not set: sessions are found in {directory}")
    yield _of_directory(directory)
    if len(str(directory)) + _LONGEST_NAME + len(SOCKET_SUFFIX) + 1 > LONGEST_SOCKET_PATH:
        room = LONGEST_SOCKET_PATH - len(str(directory)) - len(SOCKET_SUFFIX) - 1
        do = (
            "set XDG_RUNTIME_DIR to a shorter path"
            if room < 1
            else "keep --name short, or set XDG_RUNTIME_DIR to a shorter path"
        )
        yield Finding("warn" if room > 0 else "fail", "runtime", f"its path leaves {max(0, room)} characters for names", do)


def _of_directory(directory: Path) -> Finding:
    try:
        found = directory.lstat()
    except FileNotFoundError:
        return _of_parent(directory)
    except OSError as error:
        return Finding("fail", "runtime", f"{directory}: {error.strerror}", "set XDG_RUNTIME_DIR to a directory of yours")
    if not stat.S_ISDIR(found.st_mode):
        return Finding("fail", "runtime", f"{directory} is not a directory", f"remove it: rm {directory}")
    if found.st_uid != os.getuid():
        return Finding("fail", "runtime", f"{directory} is not yours", "set XDG_RUNTIME_DIR to a directory of yours")
    if found.st_mode & 0o077:
        return Finding("fail", "runtime", f"{directory} has mode {found.st_mode & 0o777:04o}", f"chmod 0700 {directory}")
    return Finding("ok", "runtime", f"{directory}, mode 0700")


def _of_parent(directory: Path) -> Finding:
    there = next(path for path in directory.parents if path.exists())
    if os.access(there, os.W_OK | os.X_OK):
        return Finding("ok", "runtime", f"{directory} will be made")
    return Finding("fail", "runtime", f"{directory} cannot be made in {there}", "set XDG_RUNTIME_DIR to a directory of yours")


def sockets(env: Mapping[str, str]) -> Iterator[Finding]:
    directory = runtime_directory(env, os.getuid())
    try:
        live = sessions(env)
    except ConfigError as error:
        wrong, _, do = error.message.rpartition("; ")
        yield Finding("warn", "sessions", f"none is looked for: {wrong}", do)
        return
    if not os.access(directory, os.R_OK | os.X_OK):
        return
    yield Finding("ok", "sessions", f"{len(live)} running")
    stale = {path for path in directory.glob(f"*{SOCKET_SUFFIX}") if path.is_socket()} - {each.socket for each in live}
    for path in sorted(stale):
        yield Finding("warn", "sessions", f"{path.stem} is left of a coop that was killed", f"rm {path.with_suffix('')}.*")


def doors(env: Mapping[str, str]) -> Iterator[Finding]:
    yield _bound("hooks", 0, "a port on 127.0.0.1 can be had", "agents' hooks need loopback: ip link set lo up")
    if env.get("COOP") == "1":
        return  # these describe the session around us
    for variable in _PORTS:
        if (port := env.get(variable, "")).isdecimal() and int(port):
            yield _bound(variable, int(port), f"{port} is free", f"choose another port, or 0 for any: {variable}=0")


def _bound(subject: str, port: int, said: str, do: str) -> Finding:
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            probe.listen(1)
        except (OSError, OverflowError) as error:
            return Finding("fail", subject, f"cannot listen on 127.0.0.1:{port}: {error}", do)
    return Finding("ok", subject, said)


def pipes(env: Mapping[str, str]) -> Iterator[Finding]:
    """Where sessions make theirs, when that is there already."""
    directory = runtime_directory(env, os.getuid())
    with tempfile.TemporaryDirectory(prefix=".doctor-", dir=directory if os.access(directory, os.W_OK) else None) as here:
        try:
            os.mkfifo(Path(here, "hooks"))
            yield Finding("ok", "hook pipe", "a named pipe can be made")
        except OSError as error:
            do = "set XDG_RUNTIME_DIR to a directory on a local filesystem"
            yield Finding("fail", "hook pipe", f"no named pipe can be made: {error.strerror}", do)


def agents(env: Mapping[str, str]) -> Iterator[Finding]:
    found = False
    for name, make in installed_agents().items():
        try:
            agent = make()
        except ConfigError as error:
            yield Finding("fail", name, error.message, "update the package or uninstall it")
            continue
        for path in filter(None, (shutil.which(command, path=env.get("PATH")) for command in agent.commands)):
            found = True
            yield _of_version(agent, path, env)
    if not found:
        known = ", ".join(installed_agents())
        yield Finding("warn", "agents", f"none of {known} is on the PATH", "install one; coop -- COMMAND runs any program")


def _of_version(agent: Agent, path: str, env: Mapping[str, str]) -> Finding:
    version = _version(path, env)
    if version is None:
        return Finding("warn", agent.name, f"{path} does not tell its version", f"see what it says: {path} --version")
    if version in agent.tested or not agent.tested:
        return Finding("ok", agent.name, f"{version}, {path}")
    tested = ", ".join(agent.tested)
    do = "it may work; coop doctor and coop explain tell where not" if agent.tested else ""
    return Finding("warn", agent.name, f"{version} at {path} is not a version coop was tested with ({tested})", do)


def _version(path: str, env: Mapping[str, str], option: str = "--version") -> str | None:
    try:
        done = subprocess.run(
            [path, option], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=_SAYS_WITHIN, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(done.stdout)
    return found[0] if found is not None and done.returncode == 0 else None


def hooks(env: Mapping[str, str]) -> Iterator[Finding]:
    """Of those agents that do not take ours everywhere."""
    directory = runtime_directory(env, os.getuid())
    folder = next(path for path in (directory, *directory.parents) if path.exists())
    for make in installed_agents().values():
        with suppress(ConfigError):  # told of above
            agent = make()
            if agent.hooks_here is not None and any(shutil.which(each, path=env.get("PATH")) for each in agent.commands):
                here = agent.hooks_here(env, str(folder), RealDisk())
                yield Finding("warn" if here.do else "ok", f"{agent.name} hooks", here.said, here.do)


def tools(env: Mapping[str, str]) -> Iterator[Finding]:
    for name, needed_for in _TOOLS.items():
        path = shutil.which(name, path=env.get("PATH"))
        if path is None:
            yield Finding("ok", name, f"not installed; only {needed_for} needs it")
        else:
            yield _of_tmux(path, env) if name == "tmux" else Finding("ok", name, path)


def _of_tmux(path: str, env: Mapping[str, str]) -> Finding:
    """What has no number is newer than all that have."""
    from coop.terminal.tmux_server import CONTROL_SINCE, POLLED_SINCE, version_of

    told = _version(path, env, "-V")
    version, do = version_of(told or ""), f"install tmux {'.'.join(map(str, CONTROL_SINCE))} or newer"
    if version is None:
        return Finding("ok", "tmux", path)
    if version < POLLED_SINCE:
        return Finding("warn", "tmux", f"{told}, {path}: too old for --attach tmux:…", do)
    if version < CONTROL_SINCE:
        return Finding(
            "warn", "tmux", f"{told}, {path}: --attach looks at it once a second; raw output is drawings of the screen", do
        )
    return Finding("ok", "tmux", f"{told}, {path}: --attach gets output as it is written")


CHECKS: tuple[Check, ...] = (python, engine, pty, terminal, runtime, sockets, doors, pipes, agents, hooks, tools)


def examined(env: Mapping[str, str]) -> Iterator[Finding]:
    for check in CHECKS:
        yield from check(env)
