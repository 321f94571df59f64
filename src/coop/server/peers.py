"""Who is at the other end of a connection."""

import socket
import struct
from dataclasses import dataclass
from pathlib import Path

from coop.session.sources.tail import descends_from

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
