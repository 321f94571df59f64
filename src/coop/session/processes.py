"""What runs beneath a process and behind a socket, as the system tells it."""

import contextlib
import os
import socket
import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from coop.model.attach import Process

_CREDENTIALS = struct.Struct("3i")
_SO_PEERCRED: int | None = getattr(socket, "SO_PEERCRED", None)


def behind(connection: socket.socket) -> int | None:
    """The process at the other end of a Unix socket: it connected, or listens. `None` where the system does not tell."""
    if _SO_PEERCRED is None:
        return None
    pid, _, _ = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, _SO_PEERCRED, _CREDENTIALS.size))
    return int(pid)


def is_stopped(pid: int) -> bool:
    """By a signal, as Ctrl-Z does it."""
    return _bytes(pid, "stat").rpartition(b")")[2].split()[:1] == [b"T"]


def beneath(pid: int) -> tuple[Process, ...]:
    """The process itself, its children, theirs, and so on."""
    children: dict[int, list[int]] = {}
    parents = dict(_parents())
    for each, parent in parents.items():
        children.setdefault(parent, []).append(each)
    found = [pid]
    for each in found:
        found.extend(sorted(children.get(each, ())))
    processes = [_process(each) for each in found]
    beside = _in_folders({each.cwd for each in processes if each.argv}, sorted(parents.keys() - set(found)))
    return tuple(replace(each, beside=beside.get(each.cwd, ())) for each in processes)


def reap_orphans(*, but: int) -> None:
    """Takes the end of whoever was left to us, as the first process of a container has to; but not of a child of our own."""
    ours = os.getpid()
    for pid, parent in list(_parents()):
        if parent == ours and pid != but:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def _in_folders(folders: Collection[str], pids: Sequence[int]) -> Mapping[str, tuple[Process, ...]]:
    found: dict[str, tuple[Process, ...]] = {}
    for pid in pids:
        if (folder := _cwd(pid)) in folders:
            found[folder] = (*found.get(folder, ()), _process(pid))
    return found


def _parents() -> Iterator[tuple[int, int]]:
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdigit() and (stat := _bytes(int(name), "stat")):
                # The name in parentheses may hold anything; the fields come after its last one.
                yield int(name), int(stat.rpartition(b")")[2].split()[1])


def _process(pid: int) -> Process:
    variables = (each.partition("=") for each in _strings(pid, "environ"))
    env = {name: value for name, equals, value in variables if equals}
    return Process(pid, _strings(pid, "cmdline"), env, _cwd(pid), _began(pid), tuple(_opened(pid)))


def _strings(pid: int, name: str) -> tuple[str, ...]:
    return tuple(os.fsdecode(each) for each in _bytes(pid, name).split(b"\0")[:-1])


def _bytes(pid: int, name: str) -> bytes:
    """Nothing, when the process is gone or somebody else's."""
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def _began(pid: int) -> float | None:
    fields = _bytes(pid, "stat").rpartition(b")")[2].split()
    booted = next((line.split()[1] for line in _lines("/proc/stat") if line.startswith(b"btime ")), None)
    return int(booted) + int(fields[19]) / os.sysconf("SC_CLK_TCK") if fields and booted is not None else None


def _lines(path: str) -> list[bytes]:
    try:
        return Path(path).read_bytes().splitlines()
    except OSError:
        return []


def _opened(pid: int) -> Iterator[str]:
    with contextlib.suppress(OSError):
        for fd in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                path = os.readlink(f"/proc/{pid}/fd/{fd}")
                if path.startswith("/"):  # else a pipe or a socket
                    yield path


def _cwd(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return "/"
