"""Input nobody sends by accident: it is refused by name, costs little, and the session goes on."""

import asyncio
import json
import socket
from collections.abc import Generator
from pathlib import Path

import pytest

from coop.server import listen
from coop.server.health import health_application
from coop.testing import eventually, running_coop
from tests.contracts.test_unready import unstarted
from tests.fuzz.frames import opened
from tests.fuzz.handshakes import FAULTS, handshake, refusal
from tests.support.wire import Wire

WITHIN = 60.0
PINGS = (bytes((0x89, 0x80 | 125)) + b"\0\0\0\0" + b"x" * 125) * 1000


@pytest.fixture
def wire() -> Generator[Wire]:
    with running_coop("--health-port", "0", command=("cat",)) as coop:
        yield Wire(coop, "tcp")
        assert not [entry for entry in coop.log if entry["level"] == "error"], coop.log


def resident(wire: Wire) -> int:
    status = Path(f"/proc/{wire.coop.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def raw(url: object) -> socket.socket:
    host, _, port = str(url).removeprefix("http://").rpartition(":")
    return socket.create_connection((host, int(port)), timeout=10)


def is_cut_off(connection: socket.socket, data: bytes, *, times: int) -> bool:
    """Does the server end the connection while this is sent so many times?"""
    try:
        for _ in range(times):
            connection.sendall(data)
    except TimeoutError:
        return False
    except OSError:
        return True
    return False


@pytest.mark.parametrize("origin", ["http://[", "http://]", "[", "http://a:b:c"])
def test_an_origin_that_is_none_is_a_foreign_one(wire: Wire, origin: str) -> None:
    assert wire.error("GET", "/api/v1/health", headers={"origin": origin}) == (403, "FORBIDDEN")


@pytest.mark.parametrize("last", ["x-" + "9" * 5000, "x-²", "-", "x-", "-1"])
def test_an_event_id_that_is_none_is_refused(wire: Wire, last: str) -> None:
    assert wire.error("GET", "/api/v1/events", params={"last_event_id": last}) == (400, "BAD_REQUEST")


@pytest.mark.parametrize("key", ["Ctrl-ß", "Ctrl-ﬁ", "Ctrl-İ", "Alt-Ctrl-ŉ"])
def test_a_letter_that_is_two_in_capitals_has_no_control_code(wire: Wire, key: str) -> None:
    assert wire.error("POST", "/api/v1/input/keys", json={"keys": [key]}) == (400, "BAD_REQUEST")


def test_nesting_without_end_is_refused(wire: Wire) -> None:
    deep = '{"type":"ping","x":' + "[" * 100_000 + "]" * 100_000 + "}"
    with wire.stream("?mode=raw") as stream:
        stream.socket.send(deep)
        assert stream.until("error")["code"] == "BAD_REQUEST"
    assert wire.error("POST", "/api/v1/input", content=deep) == (400, "BAD_REQUEST")


def test_a_terminal_too_large_to_draw_is_refused(wire: Wire) -> None:
    assert wire.error("POST", "/api/v1/resize", json={"cols": 2000, "rows": 2000}) == (400, "BAD_REQUEST")
    with wire.stream("?mode=raw") as stream:
        stream.say(type="resize", cols=2000, rows=2000)
        assert stream.until("error")["code"] == "BAD_REQUEST"


def test_a_path_with_a_slash_too_many_is_not_there(wire: Wire) -> None:
    assert wire.error("POST", "/api/v1/input/", json={"text": "x"}) == (404, "NOT_FOUND")


def test_headers_beyond_measure_are_refused(wire: Wire) -> None:
    assert wire.error("GET", "/api/v1/health", headers={"x-long": "x" * 70_000}) == (413, "TOO_LARGE")


@pytest.mark.parametrize("where", ["url", "health_url"])
@pytest.mark.parametrize(
    "opening", [b"GET /livez HTTP/1.1\r\n", b"GET /livez HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"]
)
def test_a_head_or_trailer_that_never_ends_is_cut_off(wire: Wire, where: str, opening: bytes) -> None:
    before = resident(wire)
    with raw(wire.coop.announced[where]) as connection:
        connection.sendall(opening)
        assert is_cut_off(connection, b"".join(b"a%d: %s\r\n" % (number, b"b" * 500) for number in range(100)), times=2_000)
    assert resident(wire) - before < 20_000


@pytest.mark.anyio
async def test_the_head_of_a_second_request_is_waited_for_no_longer_than_that_of_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listen, "HEAD_WITHIN", 0.05)
    listeners, listens = listen.Listeners(health_application(unstarted())), listen.bind_tcp("127.0.0.1", 0)
    await listeners.serve(listens)
    reader, writer = await asyncio.open_connection(*listens.getsockname()[:2])
    try:
        async with asyncio.timeout(WITHIN):
            writer.write(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
            await reader.readuntil(b"ok\n\r\n0\r\n\r\n")
            writer.write(b"G")
            assert await reader.read() == b""
    finally:
        writer.close()
        await listeners.close(within=1.0)


@pytest.mark.parametrize(
    "nonsense", [b"NONSENSE\r\n\r\n", b"POST /api/v1/input HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"]
)
def test_what_is_no_request_is_answered_like_one_that_is_wrong(wire: Wire, nonsense: bytes) -> None:
    with raw(wire.coop.url) as connection:
        connection.sendall(nonsense)
        head, _, body = connection.makefile("rb").read().partition(b"\r\n\r\n")
    assert b" 400 " in head.partition(b"\r\n")[0]
    assert json.loads(body)["error"]["code"] == "BAD_REQUEST"


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_no_handshake_is_refused_at_once(wire: Wire, fault: str) -> None:
    with raw(wire.coop.url) as connection:
        connection.sendall(handshake(fault))
        status, error = refusal(connection)
    assert (status, error["code"]) == ((405, "METHOD_NOT_ALLOWED") if fault == "a method of its own" else (400, "BAD_REQUEST"))
    assert error["message"].startswith("Failed to open a WebSocket connection: ")


@pytest.mark.parametrize(
    "head",
    [
        b"POST /api/v1/input HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n",
        b"PUT /api/v1/config/stop HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n",
    ],
)
def test_who_hangs_up_in_the_middle_of_a_body_has_asked_for_nothing(wire: Wire, head: bytes) -> None:
    for _ in range(5):
        with raw(wire.coop.url) as connection:
            connection.sendall(head + b'{"text":')
        assert wire.get("/api/v1/health")["status"] == "running"
    assert wire.get("/api/v1/status")["bytes_written"] == 0


def test_the_head_of_an_endless_stream_has_an_end(wire: Wire) -> None:
    with wire.client() as client:
        assert client.head("/api/v1/events").headers["content-type"].startswith("text/event-stream")
        assert client.get("/api/v1/health").status_code == 200


def test_pongs_nobody_reads_do_not_pile_up(wire: Wire) -> None:
    before = resident(wire)
    with opened(int(wire.coop.url.rpartition(":")[2])) as connection:
        assert is_cut_off(connection, PINGS, times=2_000)
    assert resident(wire) - before < 60_000
    eventually(lambda: wire.get("/api/v1/health")["ws_clients"] == 0)


EVENTS = b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
UPGRADE = EVENTS[:-2].replace(b"/api/v1/events", b"/ws") + (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


@pytest.mark.parametrize("second", [EVENTS, UPGRADE], ids=["another", "a handshake"])
def test_streams_of_a_connection_that_is_gone_are_forgotten(wire: Wire, second: bytes) -> None:
    for _ in range(20):
        with raw(wire.coop.url) as connection:
            connection.sendall(EVENTS + second)
            connection.recv(4096)
    eventually(lambda: 'coop_subscribers{kind="events"} 0.0' in wire.request("GET", "/metrics").text)
