"""Seed 001, sections 4 and 10: every endpoint, message and error of its tables, over TCP and over the Unix socket.

What needs an agent that can be told is in `test_told`; what needs an unstarted or broken session in `test_unready`.
"""

import base64
import re
from collections.abc import Generator

import pytest
from websockets.exceptions import ConnectionClosed

from coop.testing import eventually, running_coop
from tests.support.wire import Transport, Wire

ECHO = ("sh", "-c", "stty -echo; echo ready; exec cat")


@pytest.fixture(params=["tcp", "unix"])
def transport(request: pytest.FixtureRequest) -> Transport:
    kind: Transport = request.param
    return kind


@pytest.fixture
def wire(transport: Transport) -> Generator[Wire]:
    """A coop whose child answers every line with itself."""
    with running_coop("--cols", "80", "--rows", "24", command=ECHO) as coop:
        wire = Wire(coop, transport)
        wire.shows("ready")
        yield wire


@pytest.fixture
def guarded(transport: Transport) -> Generator[Wire]:
    with running_coop(command=ECHO, env={"COOP_AUTH_TOKEN": "secret"}) as coop:
        yield Wire(coop, transport, token="secret")


@pytest.fixture
def ended(transport: Transport) -> Generator[Wire]:
    """A coop that goes on serving a child that is gone."""
    with running_coop("--keep-alive", command=("sh", "-c", "echo bye; exit 3")) as coop:
        wire = Wire(coop, transport)
        eventually(lambda: wire.get("/api/v1/status")["state"] == "exited")
        yield wire


# Section 4: terminal endpoints


def test_get_health(wire: Wire) -> None:
    health = wire.get("/api/v1/health")
    assert health["status"] == "running"
    assert health["pid"] == wire.coop.child_pid
    assert isinstance(health["uptime_secs"], int)
    assert (health["agent"], health["terminal"], health["ws_clients"]) == ("unknown", {"cols": 80, "rows": 24}, 0)


def test_get_screen(wire: Wire) -> None:
    screen = wire.get("/api/v1/screen")
    assert screen["lines"][0] == "ready"
    assert (len(screen["lines"]), screen["rows"], screen["cols"]) == (24, 24, 80)
    assert screen["cursor"] == {"row": 1, "col": 0}
    assert screen["alt_screen"] is False
    assert isinstance(screen["sequence"], int)


def test_get_screen_in_its_forms(wire: Wire) -> None:
    wire.post("/api/v1/input", {"text": "\x1b[31mred\x1b[0m", "enter": True})
    wire.shows("red")
    ansi = wire.get("/api/v1/screen", params={"format": "ansi", "cursor": "false"})
    assert "\x1b[0;38;5;1mred\x1b[0m" in ansi["lines"]
    assert ansi["cursor"] is None
    assert "red" in wire.get("/api/v1/screen", params={"format": "text"})["lines"]


def test_get_screen_with_what_scrolled_away(wire: Wire) -> None:
    wire.post("/api/v1/input", {"text": "\n".join(f"line {n}" for n in range(40)), "enter": True})
    wire.shows("line 39")
    screen = wire.get("/api/v1/screen", params={"scrollback": 5})
    assert len(screen["scrollback"]) == 5
    last, first = (int(line.split()[1]) for line in (screen["scrollback"][-1], screen["lines"][0]))
    assert first == last + 1


def test_get_screen_text(wire: Wire) -> None:
    response = wire.request("GET", "/api/v1/screen/text")
    assert response.headers["content-type"].startswith("text/plain")
    assert response.text.splitlines()[0] == "ready"
    assert len(response.text.splitlines()) == 24


def test_get_output(wire: Wire) -> None:
    output = wire.get("/api/v1/output")
    assert base64.b64decode(output["data"]) == b"ready\r\n"
    assert (output["offset"], output["next_offset"], output["total_written"]) == (0, 7, 7)
    part = wire.get("/api/v1/output", params={"offset": 2, "limit": 3})
    assert (base64.b64decode(part["data"]), part["offset"], part["next_offset"]) == (b"ady", 2, 5)
    assert wire.get("/api/v1/output", params={"offset": 99})["data"] == ""


def test_post_input(wire: Wire) -> None:
    assert wire.post("/api/v1/input", {"text": "hello", "enter": True}) == {"bytes_written": 6}
    wire.shows("hello")


def test_post_input_without_enter_submits_nothing(wire: Wire) -> None:
    assert wire.post("/api/v1/input", {"text": "half"}) == {"bytes_written": 4}
    assert wire.post("/api/v1/input", {"text": "whole", "enter": True}) == {"bytes_written": 6}
    wire.shows("halfwhole")


def test_post_input_raw(wire: Wire) -> None:
    data = base64.b64encode("bytes é\r".encode()).decode()
    assert wire.post("/api/v1/input/raw", {"data": data}) == {"bytes_written": 9}
    wire.shows("bytes é")


def test_post_input_keys(wire: Wire) -> None:
    assert wire.post("/api/v1/input/keys", {"keys": ["o", "k", "Enter"]}) == {"bytes_written": 3}
    wire.shows("ok")
    assert wire.post("/api/v1/input/keys", {"keys": ["Escape", "Enter", "Ctrl-C"]}) == {"bytes_written": 3}


def test_post_resize(wire: Wire) -> None:
    assert wire.post("/api/v1/resize", {"cols": 100, "rows": 30}) == {"cols": 100, "rows": 30}
    assert wire.get("/api/v1/health")["terminal"] == {"cols": 100, "rows": 30}
    assert len(wire.get("/api/v1/screen")["lines"]) == 30


def test_post_signal(wire: Wire) -> None:
    with wire.stream("?mode=state") as stream:
        assert wire.post("/api/v1/signal", {"signal": "SIGINT"}) == {"delivered": True}
        exited = stream.until("exit")
    assert (exited["code"], exited["signal"]) == (None, 2)
    assert wire.coop.wait() == 130


def test_get_status(wire: Wire) -> None:
    wire.post("/api/v1/input", {"text": "four", "enter": True})
    wire.shows("four")
    status = wire.get("/api/v1/status")
    assert (status["state"], status["pid"], status["exit_code"]) == ("running", wire.coop.child_pid, None)
    assert (status["bytes_read"], status["bytes_written"], status["ws_clients"]) == (13, 5, 0)
    assert status["screen_seq"] == wire.get("/api/v1/screen")["sequence"]


# Section 4: agent endpoints, as specified for an unknown agent


def test_get_agent_state(wire: Wire) -> None:
    state = wire.get("/api/v1/agent/state")
    expected = {"agent": "unknown", "state": "unknown", "detection_tier": "process", "prompt": None}
    assert {key: state[key] for key in expected} == expected
    assert state["idle_grace_remaining_secs"] is None
    assert isinstance(state["since_seq"], int)
    assert state["screen_seq"] == wire.get("/api/v1/status")["screen_seq"]


def test_the_state_of_a_child_that_is_gone_is_exited(ended: Wire) -> None:
    assert ended.get("/api/v1/agent/state")["state"] == "exited"


# WebSocket, client to server


def test_ws_input(wire: Wire) -> None:
    with wire.stream("?mode=raw") as stream:
        stream.say(type="input", text="hello\r")
        assert stream.output_until(b"hello\r\n")


def test_ws_input_raw(wire: Wire) -> None:
    with wire.stream("?mode=raw") as stream:
        stream.say(type="input_raw", data=base64.b64encode(b"raw\r").decode())
        assert stream.output_until(b"raw\r\n")


def test_ws_keys(wire: Wire) -> None:
    with wire.stream("?mode=raw") as stream:
        stream.say(type="keys", keys=["k", "Enter"])
        assert stream.output_until(b"k\r\n")


def test_ws_resize_is_told_to_everybody(wire: Wire) -> None:
    with wire.stream("?mode=raw") as stream, wire.stream("?mode=screen") as other:
        stream.say(type="resize", cols=90, rows=20)
        for reader in (stream, other):
            resized = reader.until("resize")
            assert (resized["cols"], resized["rows"]) == (90, 20)


def test_ws_screen_request(wire: Wire) -> None:
    with wire.stream("?mode=raw") as stream:
        stream.say(type="screen_request")
        screen = stream.until("screen")
    assert set(screen) == {"type", "lines", "cols", "rows", "alt_screen", "cursor", "seq"}
    assert (screen["lines"][0], screen["cursor"]) == ("ready", {"row": 1, "col": 0})


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        ({"type": "screen_request"}, "screen"),
        ({"type": "dump_request"}, "dump"),
        ({"type": "resize", "cols": 90, "rows": 30}, "input_result"),
    ],
)
def test_ws_replies_echo_the_request_id(wire: Wire, request_: dict[str, object], reply: str) -> None:
    with wire.stream("?mode=raw") as stream:
        stream.say(**request_, request_id="mine")
        assert stream.until(reply)["request_id"] == "mine"


@pytest.mark.parametrize(
    "message",
    [
        {"type": "input", "text": 5},
        {"type": "nothing we know"},
        {"type": "lock", "action": "steal"},
        {"type": "replay", "offset": "x"},
    ],
)
def test_a_ws_message_that_cannot_be_read_is_answered_by_its_request_id(wire: Wire, message: dict[str, object]) -> None:
    with wire.stream() as stream:
        stream.say(**message, request_id="mine")
        error = stream.until("error")
    assert (error["code"], error["request_id"]) == ("BAD_REQUEST", "mine")


def test_ws_state_request(wire: Wire) -> None:
    with wire.stream("?mode=raw") as stream:
        stream.say(type="state_request", request_id="mine")
        state = stream.until("state")
    assert (state["state"], state["request_id"]) == ("unknown", "mine")


@pytest.mark.parametrize("message", [{"type": "nudge", "message": "x"}, {"type": "respond", "accept": True}])
def test_ws_nudge_and_respond_without_a_driver(wire: Wire, message: dict[str, object]) -> None:
    with wire.stream("?mode=raw") as stream:
        stream.say(**message, request_id=1)
        error = stream.until("error")
    assert (error["code"], error["request_id"]) == ("NO_DRIVER", 1)


def test_ws_replay_joins_what_is_live_without_gap_or_overlap(wire: Wire) -> None:
    with wire.stream("?mode=raw") as stream:
        stream.say(type="replay", offset=0)
        stream.say(type="input", text="one\r")
        output = stream.output_until(b"one\r\n")
        stream.say(type="input", text="two\r")
        output += stream.output_until(b"two\r\n")
    assert output == b"ready\r\none\r\ntwo\r\n"


def test_ws_replay_in_another_mode_gives_what_was_and_no_more(wire: Wire) -> None:
    with wire.stream("?mode=state") as stream:
        stream.say(type="replay", offset=2)
        assert stream.output_until(b"\r\n") == b"ady\r\n"
        stream.say(type="input", text="quiet\r")
        wire.shows("quiet")
        stream.say(type="ping")
        assert stream.next()["type"] == "pong"


def test_ws_lock(wire: Wire) -> None:
    with wire.stream("?mode=raw") as holder, wire.stream("?mode=raw") as other:
        holder.say(type="lock", action="acquire")
        lock = holder.until("lock")
        assert (lock["held"], lock["expires_in_secs"]) == (True, 30.0)
        other.say(type="input", text="x")
        assert other.until("error")["code"] == "WRITER_BUSY"
        other.say(type="lock", action="acquire")
        assert other.until("error")["code"] == "WRITER_BUSY"
        assert wire.error("POST", "/api/v1/input", json={"text": "x"}) == (409, "WRITER_BUSY")
        holder.say(type="input", text="mine\r")
        holder.output_until(b"mine\r\n")
        holder.say(type="lock", action="release")
        assert holder.until("lock")["held"] is False
        other.say(type="lock", action="acquire")
        assert other.until("lock")["held"] is True


def test_ws_lock_ends_with_its_connection(wire: Wire) -> None:
    with wire.stream("?mode=raw") as holder:
        holder.say(type="lock", action="acquire")
        holder.until("lock")
    eventually(lambda: wire.request("POST", "/api/v1/input", json={"text": "x"}).status_code == 200)


def test_ws_ping(wire: Wire) -> None:
    with wire.stream("?mode=raw") as stream:
        stream.say(type="ping")
        assert stream.until("pong") == {"type": "pong"}


def test_ws_auth_message(guarded: Wire) -> None:
    token, guarded.token = guarded.token, None
    with guarded.stream("?mode=state") as stream:
        stream.say(type="auth", token=token)
        assert stream.next()["type"] == "state"


def test_ws_token_in_the_query(guarded: Wire) -> None:
    guarded.token = None
    with guarded.stream("?mode=state&token=secret") as stream:
        assert stream.next()["type"] == "state"


# WebSocket, server to client


@pytest.mark.parametrize(
    ("mode", "kinds"),
    [
        ("raw", {"output", "exit"}),
        ("screen", {"screen", "exit"}),
        ("state", {"state", "state_change", "exit"}),
        ("all", {"output", "screen", "state", "state_change", "exit"}),
        (None, {"output", "screen", "state", "state_change", "exit"}),
    ],
)
def test_ws_modes(wire: Wire, mode: str | None, kinds: set[str]) -> None:
    seen: list[str] = []
    with wire.stream(f"?mode={mode}" if mode else "") as stream:
        wire.post("/api/v1/input", {"text": "hello", "enter": True})
        wire.shows("hello")
        wire.post("/api/v1/input/keys", {"keys": ["Ctrl-D"]})
        while "exit" not in seen:
            seen.append(stream.next()["type"])
        with pytest.raises(ConnectionClosed) as closed:
            stream.next()
    assert set(seen) == kinds
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1000


def test_ws_state_change_and_exit(wire: Wire) -> None:
    with wire.stream("?mode=state") as stream:
        wire.post("/api/v1/input/keys", {"keys": ["Ctrl-D"]})
        change = stream.until("state_change")
        assert (change["prev"], change["next"], change["prompt"]) == ("unknown", "exited", None)
        assert isinstance(change["seq"], int)
        assert stream.until("exit") == {"type": "exit", "code": 0, "signal": None}
    assert wire.coop.wait() == 0


def test_ws_screen_comes_first_and_again_when_it_changes(wire: Wire) -> None:
    with wire.stream("?mode=screen") as stream:
        first = stream.next()
        assert (first["type"], first["lines"][0]) == ("screen", "ready")
        wire.post("/api/v1/input", {"text": "hello", "enter": True})
        changed = stream.until("screen", lambda screen: "hello" in screen["lines"])
        assert changed["seq"] > first["seq"]


def test_ws_row_deltas_add_up_to_the_screen(wire: Wire) -> None:
    with wire.stream("?mode=screen&delta=1") as stream:
        first = stream.next()
        lines, seq = first["lines"], first["seq"]
        for number in range(5):
            wire.post("/api/v1/input", {"text": f"row {number}", "enter": True})
            while f"row {number}" not in lines:
                delta = stream.until("screen_delta")
                assert delta["base_seq"] == seq
                seq = delta["seq"]
                for row, text in delta["changed"].items():
                    lines[int(row)] = text
                assert len(delta["changed"]) < 5
    assert lines == wire.get("/api/v1/screen")["lines"]


# The error table


def test_error_exited(ended: Wire) -> None:
    assert ended.error("POST", "/api/v1/input", json={"text": "x"}) == (410, "EXITED")
    assert ended.error("POST", "/api/v1/input/keys", json={"keys": ["Enter"]}) == (410, "EXITED")
    assert ended.error("POST", "/api/v1/input/raw", json={"data": ""}) == (410, "EXITED")
    assert ended.error("POST", "/api/v1/resize", json={"cols": 9, "rows": 9}) == (410, "EXITED")
    assert ended.error("POST", "/api/v1/signal", json={"signal": "INT"}) == (410, "EXITED")
    assert ended.get("/api/v1/status")["exit_code"] == 3
    assert ended.get("/api/v1/screen")["lines"][0] == "bye"
    with ended.stream("?mode=raw") as stream:
        assert stream.next() == {"type": "exit", "code": 3, "signal": None}


def test_error_unauthorized(guarded: Wire) -> None:
    for token in (None, "wrong"):
        guarded.token = token
        for method, path in (("GET", "/api/v1/screen/text"), ("POST", "/api/v1/input"), ("GET", "/api/v1/health")):
            assert guarded.error(method, path) == (401, "UNAUTHORIZED")
        with guarded.stream("?mode=raw&token=wrong") as stream:
            stream.say(type="auth", token="wrong")
            with pytest.raises(ConnectionClosed) as closed:
                stream.next()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/input", {}),
        ("/api/v1/input", {"text": 5}),
        ("/api/v1/input/keys", {"keys": ["Nope"]}),
        ("/api/v1/input/raw", {"data": "not base64!"}),
        ("/api/v1/resize", {"cols": 0, "rows": 1}),
        ("/api/v1/signal", {"signal": "SIGNOPE"}),
        ("/api/v1/agent/nudge", {"massage": "x"}),
        ("/api/v1/agent/respond", {"option": 0}),
    ],
)
def test_error_bad_request(wire: Wire, path: str, body: object) -> None:
    assert wire.error("POST", path, json=body) == (400, "BAD_REQUEST")


def test_error_bad_request_on_the_websocket_leaves_it_open(wire: Wire) -> None:
    with wire.stream("?mode=raw") as stream:
        for message in ("{", "[]", '{"type":"nope"}', '{"type":"keys","keys":["Nope"]}'):
            stream.socket.send(message)
            assert stream.until("error")["code"] == "BAD_REQUEST"
        stream.say(type="ping")
        assert stream.until("pong")


def test_error_no_driver(wire: Wire) -> None:
    assert wire.error("POST", "/api/v1/agent/nudge", json={"message": "x"}) == (404, "NO_DRIVER")
    assert wire.error("POST", "/api/v1/agent/respond", json={"accept": True}) == (404, "NO_DRIVER")


def test_errors_beyond_the_table(wire: Wire) -> None:
    assert wire.error("GET", "/api/v1/nothing") == (404, "NOT_FOUND")
    assert wire.error("DELETE", "/api/v1/input") == (405, "METHOD_NOT_ALLOWED")
    assert wire.error("POST", "/api/v1/input", content=b'{"text":"' + b"x" * 5_000_000 + b'"}') == (413, "TOO_LARGE")
    with wire.stream("?mode=nope") as stream:
        assert re.search("mode", stream.until("error")["message"])


def test_a_wrong_method_is_answered_with_the_right_ones(wire: Wire) -> None:
    for path, methods in (("/api/v1/input", "POST"), ("/api/v1/config/stop", "GET, HEAD, PUT"), ("/ws", "GET, HEAD")):
        refused = wire.request("DELETE", path)
        assert (refused.status_code, refused.headers["allow"]) == (405, methods)
        assert refused.json()["error"]["message"] == f"DELETE is not for {path}; expected {methods}"


def test_a_websocket_that_is_asked_for_as_a_page_says_what_it_is(wire: Wire) -> None:
    assert wire.error("GET", "/ws?mode=raw") == (426, "BAD_REQUEST")
    assert wire.request("GET", "/ws").headers["upgrade"] == "websocket"


def test_a_stream_of_events_takes_no_word_that_it_does_not_know(wire: Wire) -> None:
    assert wire.error("GET", "/api/v1/events?last_event=a-1") == (400, "BAD_REQUEST")
    assert wire.error("GET", "/api/v1/events?token=any&last_event_id=x") == (400, "BAD_REQUEST")
