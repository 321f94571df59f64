import os
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from coop.mcp.callers import Caller, caller_at, ourselves, process
from coop.testing import eventually


def test_a_process_is_within_the_sessions_of_its_parents() -> None:
    caller = process(os.getpid())
    assert caller.is_within(os.getppid(), "elsewhere")
    assert not caller.is_within(None, "elsewhere")


def test_one_without_parents_is_given_away_by_its_environment() -> None:
    env = {"COOP": "1", "COOP_SOCKET": "/run/a.sock", "PATH": os.environ["PATH"]}
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, env=env) as child:
        eventually(lambda: process(child.pid).is_within(None, "/run/a.sock"))  # it may not be told right after its start
        assert child.stdin is not None
        child.stdin.close()


def test_our_own_session_is_that_of_the_environment_we_were_given() -> None:
    assert ourselves({"COOP": "1", "COOP_SOCKET": "/run/b.sock"}).is_within(None, "/run/b.sock")
    assert not ourselves({"COOP_SOCKET": "/run/b.sock"}).is_within(None, "/run/b.sock")  # a setting, outside of sessions


@contextmanager
def connected(family: socket.AddressFamily, server_at: str, client_to: str) -> Generator[socket.socket]:
    """The server's end of a connection that another process has made."""
    script = "import socket, sys; s = socket.create_connection((sys.argv[1], int(sys.argv[2]))); s.recv(1)"
    with socket.socket(family) as listening:
        if family is socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listening.bind((server_at, 0))
        listening.listen()
        listening.settimeout(30)
        port = str(listening.getsockname()[1])
        with subprocess.Popen([sys.executable, "-c", script, client_to, port]):
            accepted, _ = listening.accept()
            with accepted:
                yield accepted


@pytest.mark.parametrize(
    ("family", "server_at", "client_to"),
    [
        (socket.AF_INET, "127.0.0.1", "127.0.0.1"),
        (socket.AF_INET, "127.0.0.1", "localhost"),
        (socket.AF_INET6, "::1", "::1"),
    ],
)
def test_whoever_holds_the_other_end_of_a_connection_is_found(
    family: socket.AddressFamily, server_at: str, client_to: str
) -> None:
    try:
        socket.create_server((server_at, 0), family=family).close()
    except OSError:
        pytest.skip(f"no {server_at} here")
    with connected(family, server_at, client_to) as accepted:
        client, server = accepted.getpeername(), accepted.getsockname()
        caller = caller_at((client[0], client[1]), (server[0], server[1]))
        assert os.getpid() in caller.pids  # its parent
        assert not caller.is_hidden


def test_one_of_another_machine_is_in_no_session_of_ours() -> None:
    assert caller_at(("192.0.2.1", 4711), ("192.0.2.2", 80)) == Caller()


def test_nor_does_hanging_up_at_once_make_one_of_this_machine_a_stranger() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        with socket.create_connection(listening.getsockname()) as client:
            accepted, address = listening.accept()
            assert os.getpid() in caller_at(address, accepted.getsockname()).pids
            client.sendall(b"POST /mcp")
        with accepted:
            assert accepted.recv(100) == b"POST /mcp"
            assert caller_at(address, accepted.getsockname()) == Caller(is_hidden=True)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.5.5.5", "::ffff:127.0.0.1", "no address"])
def test_one_of_this_machine_who_has_hung_up_hides(address: str) -> None:
    assert caller_at((address, 1), ("127.0.0.1", 2)).is_hidden


def test_callers_are_joined() -> None:
    assert Caller(frozenset({1})) | Caller(frozenset({2}), is_hidden=True) == Caller(frozenset({1, 2}), is_hidden=True)
