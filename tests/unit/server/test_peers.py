import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from coop.server.peers import Peer, belongs_to, peer_of

APART = ("unshare", "--map-root-user", "--pid", "--fork", "--mount-proc")
"""Processes of their own."""
JUDGE = """
import socket, sys
from coop.server.peers import belongs_to, peer_of
listener = socket.socket(fileno=int(sys.argv[1]))
print(belongs_to(peer_of(listener.accept()[0]), child=4000, socket_path="/run/s"), flush=True)
"""
FIRST = """
import os, socket, subprocess, sys
assert os.getpid() == 1
judge = subprocess.Popen([sys.executable, "-c", sys.argv[2], sys.argv[1]], pass_fds=[int(sys.argv[1])])
socket.socket(socket.AF_UNIX).connect(sys.argv[3])
judge.wait()
"""


def can_be_apart() -> bool:
    return bool(shutil.which("unshare")) and not subprocess.run([*APART, "true"], capture_output=True, check=False).returncode


@pytest.fixture
def listener(tmp_path: Path) -> socket.socket:
    if not can_be_apart() and os.environ.get("CI") != "true":
        pytest.skip("no namespace of processes is to be had here")
    found = socket.socket(socket.AF_UNIX)
    found.bind(str(tmp_path / "s"))
    found.listen()
    return found


def test_whoever_lives_among_other_processes_is_no_descendant(listener: socket.socket) -> None:
    """As the agent's supervisor does in another container, with the socket on a volume of both."""
    command = [*APART, sys.executable, "-c", JUDGE, str(listener.fileno())]
    with (
        listener,
        subprocess.Popen(command, pass_fds=[listener.fileno()], stdout=subprocess.PIPE, text=True) as judge,
        socket.socket(socket.AF_UNIX) as client,
    ):
        client.connect(listener.getsockname())
        assert judge.communicate(timeout=30)[0] == "False\n"


def test_the_first_process_of_all_is_no_descendant(listener: socket.socket) -> None:
    """As the entry point of a container is."""
    command = [*APART, sys.executable, "-c", FIRST, str(listener.fileno()), JUDGE, listener.getsockname()]
    with listener:
        done = subprocess.run(command, pass_fds=[listener.fileno()], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "False\n"


def test_the_child_and_what_it_has_started_belong_to_the_session() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        peer = peer_of(ours)
    assert peer.pid == os.getpid()
    assert belongs_to(peer, os.getpid(), "/run/s")
    assert belongs_to(peer, os.getppid(), "/run/s")
    assert not belongs_to(peer, 4_000_000, "/run/s")


def test_who_is_gone_before_we_look_is_taken_for_one_of_the_session() -> None:
    assert belongs_to(Peer(local=True, pid=4_000_000), 4_000_001, "/run/s")
    assert belongs_to(Peer(True, 7, frozenset({7}), frozenset({b"COOP_SOCKET=/run/s"})), 4_000_001, "/run/s")
