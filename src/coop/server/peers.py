"""Who is at the other end of a connection."""

import socket
from dataclasses import dataclass
from pathlib import Path

from coop.session.processes import behind
from coop.session.sources.tail import lineage


@dataclass(frozen=True, slots=True)
class Peer:
    """Whoever is at the other end, as it was when it connected: it may be gone when its request is read."""

    local: bool = False
    """On a Unix socket."""
    pid: int | None = None
    """Known on Unix sockets only."""
    parents: frozenset[int] = frozenset()
    """With itself; empty when it was gone already."""
    environment: frozenset[bytes] = frozenset()


NOBODY_KNOWN = Peer()


def peer_of(connection: socket.socket | None) -> Peer:
    if connection is None or connection.family != socket.AF_UNIX:
        return NOBODY_KNOWN
    if not (pid := behind(connection)):
        return Peer(local=True)  # 0: in another namespace of processes, and so beneath no child of ours
    alive = Path(f"/proc/{pid}").exists()
    return Peer(True, pid, frozenset({pid, *lineage(pid)}) if alive else frozenset(), frozenset(_environment(pid)))


def belongs_to(peer: Peer, child: int, socket_path: str) -> bool:
    """Is it the child, a descendant, or a background job of it that only its environment still gives away?

    One that has not waited for us to look is taken for one of them, where the system tells at all.
    """
    if peer.pid is None:
        return False
    is_unknown = not peer.parents and Path("/proc/self").exists()
    return is_unknown or child in peer.parents or f"COOP_SOCKET={socket_path}".encode() in peer.environment


def _environment(pid: int | None) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []
