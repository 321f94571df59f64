"""Who calls a tool: no agent may answer what it asks itself, by whichever way it comes."""

import contextlib
import errno
import ipaddress
import os
import socket
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_WORD = 4
Endpoint = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Caller:
    """The processes it descends from, with itself, and the sessions that its environment names."""

    pids: frozenset[int] = frozenset()
    sockets: frozenset[str] = frozenset()
    is_hidden: bool = False
    """It is on this machine, and cannot be looked at."""

    def __or__(self, other: "Caller") -> "Caller":
        return Caller(self.pids | other.pids, self.sockets | other.sockets, self.is_hidden or other.is_hidden)

    def is_within(self, child: int | None, socket_path: str) -> bool:
        """Does it run in the session of that child and that socket?"""
        return child in self.pids or socket_path in self.sockets


def process(pid: int) -> Caller:
    return Caller(frozenset(_lineage(pid)), frozenset(_sockets(_environment(pid))))


def ourselves(env: Mapping[str, str]) -> Caller:
    return process(os.getpid()) | Caller(frozenset({os.getpid(), os.getppid()}), frozenset(_sockets(env)))


def caller_at(client: Endpoint, server: Endpoint) -> Caller:
    """Whoever holds the other end of a TCP connection; one of another machine runs in no session of ours.

    Nobody is found who has hung up already, so of this machine that is one who hides.
    """
    inode = next(_inodes(client, server), None)
    if inode is None:
        return Caller(is_hidden=_is_of_this_machine(client[0]))
    owners = [process(pid) for pid in _owners(inode)]
    caller = Caller(is_hidden=not owners)
    for owner in owners:
        caller |= owner
    return caller


def _is_of_this_machine(host: str) -> bool:
    """Only its own addresses can be bound here; one that cannot be judged counts as one of them."""
    try:
        address = ipaddress.ip_address(host)
        address = getattr(address, "ipv4_mapped", None) or address
        with socket.socket(socket.AF_INET6 if address.version == 6 else socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except (OSError, ValueError) as error:
        return getattr(error, "errno", None) != errno.EADDRNOTAVAIL
    return True


def _sockets(env: Mapping[str, str]) -> Iterator[str]:
    if env.get("COOP") == "1" and "COOP_SOCKET" in env:
        yield env["COOP_SOCKET"]


def _lineage(pid: int | None) -> Iterator[int]:
    """The process, its parent, and so on, as far as the system tells."""
    while pid is not None and pid > 1:
        yield pid
        pid = _parent(pid)


def _parent(pid: int) -> int | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return int(stat.rpartition(")")[2].split()[1])  # its name may hold anything


def _environment(pid: int) -> dict[str, str]:
    try:
        told = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return {}
    pairs = (each.partition(b"=") for each in told.split(b"\0"))
    return {os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs}


# TCP, as the kernel tells of it


def _inodes(local: Endpoint, remote: Endpoint) -> Iterator[str]:
    """Of the socket with these two ends."""
    for table, spelled in (("tcp", _as_v4), ("tcp6", _as_v6)):
        try:
            wanted = [spelled(local), spelled(remote)]
            lines = Path(f"/proc/net/{table}").read_text().splitlines()[1:]
        except (OSError, ValueError):
            continue
        yield from (fields[9] for fields in map(str.split, lines) if fields[1:3] == wanted and fields[9] != "0")


def _as_v4(end: Endpoint) -> str:
    return f"{_spelled(ipaddress.IPv4Address(end[0]).packed)}:{end[1]:04X}"


def _as_v6(end: Endpoint) -> str:
    address = ipaddress.ip_address(end[0])
    packed = address.packed if address.version == 6 else socket.inet_pton(socket.AF_INET6, f"::ffff:{end[0]}")
    return f"{_spelled(packed)}:{end[1]:04X}"


def _spelled(packed: bytes) -> str:
    """In words of four bytes, each in the order of this machine."""
    words = (packed[at : at + _WORD] for at in range(0, len(packed), _WORD))
    return "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words)


def _owners(inode: str) -> Iterator[int]:
    yield from (pid for pid in _numbers("/proc") if f"socket:[{inode}]" in _open_files(pid))


def _open_files(pid: int) -> Iterator[str]:
    for fd in _numbers(f"/proc/{pid}/fd"):
        with contextlib.suppress(OSError):  # closed meanwhile
            yield os.readlink(f"/proc/{pid}/fd/{fd}")


def _numbers(folder: str) -> list[int]:
    try:
        return [int(name) for name in os.listdir(folder) if name.isdigit()]
    except OSError:
        return []
