"""Who is at the other end of a connection."""

import socket
import struct
from dataclasses import dataclass
from pathlib import Path

_CREDENTIALS = struct.Struct("3i")
_SO_PEERCRED: int | None = getattr(socket, "SO_PEERCRED", None)


@dataclass(frozen=True, slots=True)
class Peer:
    local: bool = False
    """On a Unix socket."""
    pid: int | None = None
    """Known on Unix sockets only."""


NOBODY_KNOWN = Peer()


def peer_of(connection: socket.socket | None) -> Peer:
    if connection is None or connection.family != socket.AF_UNIX:
        return NOBODY_KNOWN
    if _SO_PEERCRED is None:
        return Peer(local=True)
    pid, _, _ = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, _SO_PEERCRED, _CREDENTIALS.size))
    return Peer(local=True, pid=pid)


def belongs_to(pid: int | None, child: int, socket_path: str) -> bool:
    """Is it the child, a descendant, or a background job of it that only its environment still gives away?"""
    return descends_from(pid, child) or f"COOP_SOCKET={socket_path}".encode() in _environment(pid)


def _environment(pid: int | None) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


def descends_from(pid: int | None, ancestor: int) -> bool:
    """Is `ancestor` among this process and its parents? Says no where the system does not tell."""
    while pid is not None and pid > 1:
        if pid == ancestor:
            return True
        pid = _parent(pid)
    return False


def _parent(pid: int) -> int | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The name in parentheses may hold anything; the fields come after its last one.
    return int(stat.rpartition(b")")[2].split()[1])
