"""Who may come in, and who may not: on every transport, at every door."""

import json
import socket
import sys
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from coop.server.app import ROUTES
from coop.server.routes import Route
from coop.testing import eventually, running_coop
from tests.support.wire import Transport, Wire

CHILD = ("sh", "-c", "stty -echo; echo secret-output; exec cat")
GUESSES = (None, "Bearer", "Bearer wrong", "Bearer s3cre", "Bearer s3cret2", "Bearer S3CRET", "Basic s3cret", "s3cret")


@pytest.fixture(scope="module")
def guarded() -> Generator[Wire]:
    with running_coop("--keep-alive", command=CHILD, env={"COOP_AUTH_TOKEN": "s3cret"}) as coop:
        wire = Wire(coop, "tcp", token="s3cret")
        wire.shows("secret-output")
        yield wire


@pytest.fixture(scope="module")
def open_coop() -> Generator[Wire]:
    with running_coop("--allowed-host", "coop.example", command=CHILD) as coop:
        yield Wire(coop, "tcp")


BODIES: dict[str, object] = {
    "/api/v1/input": {"text": "x"},
    "/api/v1/input/raw": {"data": "eA=="},
    "/api/v1/input/keys": {"keys": ["x"]},
    "/api/v1/resize": {"cols": 33, "rows": 11},
    "/api/v1/signal": {"signal": "SIGINT"},
    "/api/v1/recording": {"on": True},
    "/api/v1/shutdown": {},
    "/api/v1/agent/nudge": {"message": "x"},
    "/api/v1/agent/respond": {"accept": True},
    "/api/v1/config/stop": {"mode": "gate"},
    "/api/v1/stop/resolve": {"kind": "complete"},
}
"""What would change something, if it were let in."""


def state_of(wire: Wire) -> tuple[object, ...]:
    status, health = wire.get("/api/v1/status"), wire.get("/api/v1/health")
    return status["state"], status["bytes_written"], status["bytes_read"], health["terminal"]


@pytest.mark.parametrize("transport", ["tcp", "unix"])
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_without_the_token_no_route_tells_or_changes_anything(guarded: Wire, route: Route, transport: Transport) -> None:
    before, outsider = state_of(guarded), Wire(guarded.coop, transport)
    for guess in GUESSES:
        headers = {} if guess is None else {"authorization": guess}
        response = outsider.request(route.method, route.path, headers=headers, json=BODIES.get(route.path))
        assert response.status_code == 401
        assert "secret-output" not in response.text
        assert "s3cret" not in response.text
    assert state_of(guarded) == before


def test_every_route_that_changes_something_was_tried() -> None:
    assert set(BODIES) == {route.path for route in ROUTES if route.method in ("POST", "PUT")}


@pytest.mark.parametrize("transport", ["tcp", "unix"])
@pytest.mark.parametrize(
    "first", ['{"type":"auth","token":"wrong"}', '{"type":"replay","offset":0}', '{"type":"input","text":"x"}', "{", ""]
)
def test_without_the_token_a_websocket_says_nothing_and_closes(guarded: Wire, transport: Transport, first: str) -> None:
    outsider = Wire(guarded.coop, transport)
    with outsider.stream("?mode=all&token=wrong") as stream:
        stream.socket.send(first)
        with pytest.raises(ConnectionClosed) as closed:
            stream.next()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401
    assert guarded.get("/api/v1/status")["bytes_written"] == 0


def test_the_token_is_taken_from_the_query_only_where_a_browser_needs_it(guarded: Wire) -> None:
    outsider = Wire(guarded.coop, "tcp")
    assert outsider.error("GET", "/api/v1/screen", params={"token": "s3cret"}) == (401, "UNAUTHORIZED")
    with httpx.stream("GET", f"{guarded.coop.url}/api/v1/events?token=s3cret") as response:
        assert response.status_code == 200


def test_the_token_is_in_no_log_no_process_list_and_not_the_childs(guarded: Wire) -> None:
    Wire(guarded.coop, "tcp").request("GET", "/api/v1/events?token=s3cret-wrong")
    with guarded.stream("?mode=state&token=s3cret"):
        pass
    assert "s3cret" not in "".join(guarded.coop.stderr)
    for path in (f"/proc/{guarded.coop.child_pid}/environ", f"/proc/{guarded.coop.process.pid}/cmdline"):
        assert "s3cret" not in Path(path).read_text()


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "localhost.evil.example", "", "127.0.0.1.evil.example", "[::1].evil.example"]
)
def test_a_foreign_host_is_refused_without_a_token(open_coop: Wire, host: str) -> None:
    assert open_coop.error("GET", "/api/v1/screen", headers={"host": host}) == (403, "FORBIDDEN")
    with pytest.raises(InvalidStatus) as refused, open_coop.stream(headers={"Host": host}):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:80", "coop.example", "10.1.2.3:80"])
def test_names_nobody_else_can_point_here_are_welcome(open_coop: Wire, host: str) -> None:
    assert open_coop.request("GET", "/api/v1/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost", "file://", "http://127.0.0.1:1"])
def test_a_page_of_another_origin_is_refused(open_coop: Wire, guarded: Wire, origin: str) -> None:
    for wire in (open_coop, guarded):
        assert wire.error("POST", "/api/v1/input", headers={"origin": origin}, json={"text": "x"}) == (403, "FORBIDDEN")
        with pytest.raises(InvalidStatus) as refused, wire.stream(origin=origin):
            pass
        assert refused.value.response.status_code == 403


def test_a_page_of_our_own_is_welcome_and_no_other_may_read(open_coop: Wire) -> None:
    response = open_coop.request(
        "GET", "/api/v1/health", headers={"origin": open_coop.coop.url, "sec-fetch-site": "same-origin"}
    )
    assert response.status_code == 200
    assert not [name for name in response.headers if name.startswith("access-control")]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_another_origin_cannot_load_what_is_here_as_a_script_but_link_to_it(open_coop: Wire, site: str) -> None:
    loads = {"sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"}
    assert open_coop.error("GET", "/api/v1/screen/text", headers=loads) == (403, "FORBIDDEN")
    response = open_coop.request("GET", "/api/v1/screen/text", headers=loads | {"sec-fetch-mode": "navigate"})
    assert response.status_code == 200
    for answer in (response, open_coop.request("GET", "/nowhere")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("name", ["Host", "Origin"])
def test_a_request_that_says_twice_where_it_goes_or_comes_from_is_refused(open_coop: Wire, name: str) -> None:
    host = str(open_coop.coop.url).removeprefix("http://")
    own = {"Host": host, "Origin": f"http://{host}"}
    heads = [f"{each}: {value}" for each, value in (*own.items(), (name, own[name].replace("127", "128")), (name, own[name]))]
    with socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2])), timeout=10) as connection:
        connection.sendall("\r\n".join(("GET /api/v1/health HTTP/1.1", *heads, "Connection: close", "", "")).encode())
        answer = connection.makefile("rb").read()
    assert b" 403 " in answer.partition(b"\r\n")[0]
    assert b'"FORBIDDEN"' in answer


TYPES = ("input", {"text": "x"})


def typed_by_itself(*options: str, how: str = '"$0" -c "$1"', asks: tuple[str, object] = TYPES) -> str:
    """What a child sees that types into its own session, through the socket it was told of."""
    path, body = asks[0], json.dumps(asks[1])
    head = f"POST /api/v1/{path} HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n"
    script = f"""
import os, socket
session = socket.socket(socket.AF_UNIX)
session.connect(os.environ["COOP_SOCKET"])
session.sendall(b"{head}" + b'{body}')
print(session.makefile().read(), "over")
"""
    with running_coop(*options, command=("sh", "-c", f"{how}; read x", sys.executable, script)) as coop:
        wire = Wire(coop, "tcp")
        return eventually(lambda: (shown := wire.text()) and "over" in shown and shown) or ""


def test_a_session_may_not_type_into_itself() -> None:
    assert "SELF_ANSWER" in typed_by_itself()


def test_a_session_may_not_signal_itself() -> None:
    """A terminal makes signals of keys."""
    assert "SELF_ANSWER" in typed_by_itself(asks=("signal", {"signal": "SIGINT"}))


def test_nor_may_a_background_job_that_lost_its_parent() -> None:
    assert "SELF_ANSWER" in typed_by_itself(how='(setsid "$0" -c "$1" &)')


def test_unless_it_was_allowed_to() -> None:
    assert "200 OK" in typed_by_itself("--allow-self")
