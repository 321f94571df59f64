"""The door of gRPC: who is let in, what is said to nonsense, and how it is closed."""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from grpclib.client import UnaryUnaryMethod
from grpclib.const import Status
from grpclib.encoding.proto import ProtoCodec
from grpclib.exceptions import GRPCError
from grpclib.testing import ChannelFor
from hpack import Encoder
from hyperframe.frame import Frame, GoAwayFrame, HeadersFrame, PingFrame, SettingsFrame

from coop.server import http2
from coop.server.facade import Served
from coop.server.grpc import Calls, GrpcListener
from coop.server.http2 import Caller
from coop.server.listen import bind_tcp
from coop.server.peers import Peer
from coop.testing import running_coop
from coop.v1 import coop_pb2 as pb
from tests.contracts.test_unready import unstarted
from tests.support.clients.grpc import connected

ECHO = ("sh", "-c", "stty -echo; echo ready; exec cat")
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
GREETING = PREFACE + SettingsFrame(0).serialize()
WITHIN = 60.0


def refused(tmp_path: Path, *options: str) -> tuple[int, str]:
    env = {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-m", "coop.cli.main", *options, "--", "touch", "started"]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=WITHIN, check=False)
    assert not (tmp_path / "started").exists()
    return done.returncode, done.stderr


def test_an_open_door_is_refused(tmp_path: Path) -> None:
    code, said = refused(tmp_path, "--host", "0.0.0.0", "--grpc-port", "0")
    assert (code, "would let anybody on the network" in said) == (2, True)


def test_a_port_that_is_taken_is_said_before_there_is_a_child(tmp_path: Path) -> None:
    with bind_tcp("127.0.0.1", 0) as taken:
        code, said = refused(tmp_path, "--grpc-port", str(taken.getsockname()[1]))
    assert (code, "choose another --grpc-port" in said) == (2, True)


def test_without_the_option_nothing_of_it_is_imported() -> None:
    script = "import sys, coop.cli.run, coop.cli.command; print([m for m in sys.modules if m.startswith(('grpclib', 'google.protobuf', 'h2'))])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_nonsense_is_hung_up_on_and_nobody_else_notices() -> None:
    with running_coop("--grpc-port", "0", command=ECHO) as coop, connected(coop) as rpc:
        host, _, port = coop.grpc_target.rpartition(":")
        unknown = bytes([0, 0, 4, 0xEE, 0, 0, 0, 0, 0]) + b"what"
        no_text = HeadersFrame(1, Encoder().encode([(b":path", b"/\xff")]), flags=["END_HEADERS"]).serialize()
        http = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        for nonsense in (http, b"\x00" * 1000, GREETING + b"\x00" * 9, PREFACE + b"\x00" * 9, GREETING + no_text):
            with socket.create_connection((host, int(port)), timeout=WITHIN) as connection:
                connection.sendall(nonsense)
                while connection.recv(65536):
                    pass
        with socket.create_connection((host, int(port)), timeout=WITHIN) as connection:
            connection.sendall(GREETING + unknown + PingFrame(0, opaque_data=b"12345678").serialize())
            assert b"12345678" in b"".join(read_until(connection, b"12345678"))
        assert rpc.GetHealth().status == "running"
        assert [entry for entry in coop.log if entry["level"] not in ("info", "debug")] == []
        assert "Traceback" not in "".join(coop.stderr)


def read_until(connection: socket.socket, wanted: bytes) -> list[bytes]:
    got = [connection.recv(65536)]
    while wanted not in b"".join(got) and got[-1]:
        got.append(connection.recv(65536))
    return got


@asynccontextmanager
async def listening(served: Served) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    listener, listens = GrpcListener(served), bind_tcp("127.0.0.1", 0)
    await listener.serve(listens)
    reader, writer = await asyncio.open_connection(*listens.getsockname()[:2])
    try:
        yield reader, writer
    finally:
        writer.close()
        await listener.close(within=1.0)


@pytest.mark.anyio
async def test_one_who_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2, "HEAD_WITHIN", 0.05)
    async with listening(unstarted()) as (reader, _), asyncio.timeout(WITHIN):
        await reader.read()
        assert reader.at_eof()


@pytest.mark.anyio
async def test_one_who_has_greeted_may_be_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2, "HEAD_WITHIN", 1.0)
    async with listening(unstarted()) as (reader, writer), asyncio.timeout(WITHIN):
        writer.write(GREETING)
        await reader.read(65536)
        await asyncio.sleep(1.2)  # nothing is to happen, and there is nothing else to wait for
        writer.write(PingFrame(0, opaque_data=b"12345678").serialize())
        await reader.readuntil(b"12345678")


@pytest.mark.anyio
async def test_one_who_has_greeted_and_asks_nothing_is_hung_up_on_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2, "_IDLE", 0.05)
    async with listening(unstarted()) as (reader, writer), asyncio.timeout(WITHIN):
        writer.write(GREETING)
        said = await reader.read()
        assert GoAwayFrame(0, last_stream_id=2**31 - 1).serialize() in said


@pytest.mark.anyio
async def test_one_who_asks_and_never_reads_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2, "_MOST_UNREAD", 1024)
    async with listening(unstarted()) as (_, writer), asyncio.timeout(WITHIN):
        writer.write(GREETING)
        pings = PingFrame(0, opaque_data=b"12345678").serialize() * 1000
        with pytest.raises(ConnectionError):
            await write_on(writer, pings)


@pytest.mark.anyio
async def test_a_bug_is_told_in_the_log_and_ends_its_own_connection(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(http2._Reading, "process_remote_settings_changed", broken)
    async with listening(unstarted()) as (reader, writer), asyncio.timeout(WITHIN):
        writer.write(GREETING)
        with contextlib.suppress(ConnectionError):
            await reader.read()
    assert [(entry.levelname, entry.message) for entry in caplog.records if entry.name == "coop.server"] == [
        ("ERROR", "a gRPC connection failed")
    ]


async def write_on(writer: asyncio.StreamWriter, data: bytes) -> None:
    while True:
        writer.write(data)
        await writer.drain()


@pytest.mark.anyio
async def test_clients_are_asked_to_hang_up() -> None:
    listener, listens = GrpcListener(unstarted()), bind_tcp("127.0.0.1", 0)
    await listener.serve(listens)
    reader, writer = await asyncio.open_connection(*listens.getsockname()[:2])
    writer.write(GREETING)
    await reader.read(65536)
    async with asyncio.timeout(WITHIN), asyncio.TaskGroup() as tasks:
        tasks.create_task(listener.close(within=1.0))
        kinds = [kind async for kind in frames(reader)]
    writer.close()
    assert kinds[-1] == "GoAwayFrame"


async def frames(reader: asyncio.StreamReader) -> AsyncGenerator[str]:
    while head := await reader.read(9):
        frame, length = Frame.parse_frame_header(memoryview(head))
        await reader.readexactly(length)
        yield type(frame).__name__


@pytest.mark.anyio
@pytest.mark.parametrize("allow_self", [False, True])
async def test_a_process_of_the_session_may_not_type_into_it(allow_self: bool) -> None:
    """Over TCP nobody knows who it is, as with HTTP: so the peer is given here."""
    served = unstarted()
    served.core.pid = 4242
    served = Served(served.session, "it", allow_self=allow_self)
    child = Peer(local=True, pid=4243, parents=frozenset({4242, 4243}))
    async with ChannelFor([Calls(served, Caller(child), set())], codec=ProtoCodec()) as channel:
        call = UnaryUnaryMethod(channel, "/coop.v1.Coop/Respond", pb.RespondRequest, pb.RespondResponse)
        with pytest.raises(GRPCError) as refusal:
            await call(pb.RespondRequest(accept=True), timeout=WITHIN)
    assert refusal.value.status is (Status.UNIMPLEMENTED if allow_self else Status.PERMISSION_DENIED)


def test_a_client_of_a_session_that_ends_has_read_everything() -> None:
    with running_coop("--grpc-port", "0", command=("sh", "-c", "read go; seq 20000; exit 4")) as coop, connected(coop) as rpc:
        output, states = rpc.StreamOutput(), rpc.StreamState()
        next(states)
        rpc.SendInput(text="go", enter=True)
        text = b"".join(chunk.data for chunk in output)
        assert text.endswith(b"19999\r\n20000\r\n")
        assert [state.next for state in states] == ["exited"]
        assert coop.wait(within=WITHIN) == 4
