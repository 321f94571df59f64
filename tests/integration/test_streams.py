"""Streams: events that can be caught up on, readers that are slow, and floods."""

import base64
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from coop.model.screen import XTERM, Size
from coop.terminal.ghostty import GhosttyScreen
from coop.testing import CoopProcess, eventually, running_coop
from tests.support.wire import Wire

STATES = r"""
[screen]
prompt = '^\$ ?$'
quiet = 0.05
"""


def sse(response: httpx.Response) -> Iterator[dict[str, str]]:
    """The events of a stream; comments are passed over."""
    event: dict[str, str] = {}
    for line in response.iter_lines():
        if line.startswith(":"):
            continue
        if line:
            key, _, value = line.partition(": ")
            event[key] = value
        elif event:
            yield event
            event = {}


def events(coop: CoopProcess, last: str | None = None) -> Iterator[dict[str, str]]:
    headers = {"last-event-id": last} if last else {}
    with httpx.stream("GET", f"{coop.url}/api/v1/events", headers=headers, timeout=10) as response:
        assert response.status_code == 200
        yield from sse(response)


def test_events_begin_with_a_snapshot_and_are_numbered() -> None:
    with running_coop(command=("cat",)) as coop:
        wire = Wire(coop, "tcp")
        stream = events(coop)
        first = next(stream)
        assert (first["event"], json.loads(first["data"])["reason"]) == ("snapshot", "start")
        assert json.loads(first["data"])["state"]["state"] == "unknown"
        for cols in (50, 60):
            wire.post("/api/v1/resize", {"cols": cols, "rows": 20})
        seen = [next(stream), next(stream)]
        epoch = first["id"].rpartition("-")[0]
        assert [event["id"] for event in seen] == [f"{epoch}-1", f"{epoch}-2"]
        assert [json.loads(event["data"])["cols"] for event in seen] == [50, 60]


def test_a_reader_goes_on_where_it_left_off() -> None:
    with running_coop(command=("cat",)) as coop:
        wire = Wire(coop, "tcp")
        epoch = next(events(coop))["id"].rpartition("-")[0]
        for cols in range(50, 55):
            wire.post("/api/v1/resize", {"cols": cols, "rows": 20})
        stream = events(coop, last=f"{epoch}-2")
        assert [json.loads(next(stream)["data"])["cols"] for _ in range(3)] == [52, 53, 54]


def test_a_reader_of_an_earlier_run_is_told_and_given_a_snapshot() -> None:
    with running_coop(command=("cat",)) as coop:
        first = next(events(coop, last="another-7"))
        assert (first["event"], json.loads(first["data"])["reason"]) == ("snapshot", "restarted")
        epoch = first["id"].rpartition("-")[0]
        assert json.loads(next(events(coop, last=f"{epoch}-99"))["data"])["reason"] == "lagged"
        assert Wire(coop, "tcp").error("GET", "/api/v1/events", headers={"last-event-id": "junk"}) == (400, "BAD_REQUEST")


def test_the_stream_ends_with_the_exit() -> None:
    with running_coop(command=("sh", "-c", "read x; exit 4")) as coop:
        stream = events(coop)
        next(stream)
        Wire(coop, "tcp").post("/api/v1/input/keys", {"keys": ["Enter"]})
        *_, last = stream
        assert (last["event"], json.loads(last["data"])["code"]) == ("exit", 4)


def test_states_from_screen_patterns_are_streamed(tmp_path: Path) -> None:
    path = str(tmp_path / "shell.toml")
    (tmp_path / "shell.toml").write_text(STATES)
    shell = ("sh", "-c", "while :; do printf '$ '; read x; read y; done")
    with running_coop("--agent-config", path, command=shell) as coop:
        wire = Wire(coop, "tcp")
        eventually(lambda: wire.get("/api/v1/agent/state")["state"] == "waiting_for_input")
        with wire.stream("?mode=state") as stream:
            assert stream.next()["state"] == "waiting_for_input"
            wire.post("/api/v1/input", {"text": "x", "enter": True})
            changes = [stream.until("state_change")]
            wire.post("/api/v1/input", {"text": "y", "enter": True})
            changes.append(stream.until("state_change"))
        assert [(change["prev"], change["next"]) for change in changes] == [
            ("waiting_for_input", "working"),
            ("working", "waiting_for_input"),
        ]
        assert [change["event_seq"] for change in changes] == sorted(change["event_seq"] for change in changes)


def test_a_reader_that_keeps_up_gets_every_byte_of_a_flood() -> None:
    with running_coop(command=("sh", "-c", "read x; seq 1 300000; echo done; read x")) as coop:
        wire = Wire(coop, "tcp")
        with wire.stream("?mode=raw") as stream:
            wire.post("/api/v1/input/keys", {"keys": ["Enter"]})
            output = stream.output_until(b"done\r\n")
        expected = "".join(f"{n}\r\n" for n in range(1, 300001)).encode()
        assert output.endswith(expected + b"done\r\n")


def test_a_terminal_gets_the_screen_first_then_every_byte_and_the_screen_anew_with_every_size() -> None:
    with running_coop("--cols", "40", "--rows", "5", command=("sh", "-c", "printf before; read x; echo after; read x")) as coop:
        wire = Wire(coop, "tcp")
        wire.shows("before")
        with wire.stream("?mode=terminal") as stream:
            assert stream.next()["type"] == "state"
            dump = stream.next()
            assert (dump["type"], dump["cols"], dump["rows"]) == ("dump", 40, 5)
            shown = GhosttyScreen(Size(40, 5), XTERM)
            shown.feed(base64.b64decode(dump["data"]))
            assert shown.snapshot().lines[0] == "before"
            wire.post("/api/v1/input/keys", {"keys": ["Enter"]})
            output = stream.until("output")
            assert output["offset"] == dump["offset"]
            wire.post("/api/v1/resize", {"cols": 30, "rows": 4})
            dump = stream.until("dump")
            assert (dump["cols"], dump["rows"]) == (30, 4)
            stream.say(type="dump_request")
            assert stream.until("dump") == dump


def test_every_dump_that_is_asked_for_comes() -> None:
    with running_coop(command=("cat",)) as coop, Wire(coop, "tcp").stream("?mode=state") as stream:
        for number in range(40):
            stream.say(type="dump_request", request_id=number)
        assert [stream.until("dump")["request_id"] for _ in range(40)] == list(range(40))


def test_the_last_words_of_a_child_come_before_its_exit() -> None:
    for _ in range(4):
        with running_coop(command=("sh", "-c", "read x; seq 1 60000; echo the-end")) as coop:
            wire = Wire(coop, "tcp")
            with wire.stream("?mode=raw") as stream:
                wire.post("/api/v1/input/keys", {"keys": ["Enter"]})
                messages: list[dict[str, Any]] = []
                while not messages or messages[-1]["type"] != "exit":
                    messages.append(stream.next())
        output = b"".join(base64.b64decode(message["data"]) for message in messages if message["type"] == "output")
        assert output.endswith(b"60000\r\nthe-end\r\n")
        assert len(output) > 400_000


def test_a_timer_far_away_does_not_delay_the_reading_of_a_screen(tmp_path: Path) -> None:
    (tmp_path / "shell.toml").write_text(STATES)
    shell = ("sh", "-c", "while :; do printf '$ '; read x; sleep 30; done")
    with running_coop("--agent-config", str(tmp_path / "shell.toml"), "--idle-timeout", "3600", command=shell) as coop:
        wire = Wire(coop, "tcp")
        eventually(lambda: wire.get("/api/v1/agent/state")["state"] == "waiting_for_input")
        wire.post("/api/v1/input", {"text": "x", "enter": True})
        eventually(lambda: wire.get("/api/v1/agent/state")["state"] == "working", within=3)


def test_a_reader_that_does_not_is_told_and_can_go_on() -> None:
    flood = "read x; seq 1 3000000; echo done; read x"
    with running_coop("--ring-size", "65536", command=("sh", "-c", flood)) as coop:
        wire = Wire(coop, "tcp")
        with wire.stream("?mode=raw", max_queue=1) as stream:
            wire.post("/api/v1/input/keys", {"keys": ["Enter"]})
            wire.shows("done")  # without reading the stream meanwhile: the child was not slowed down for it
            lagged = stream.until("lagged")
            assert lagged["next_offset"] > lagged["offset"] > 0
            assert "coop_lost_bytes_total 0.0" not in wire.request("GET", "/metrics").text
            assert base64.b64decode(lagged["dump"]).startswith(b"\x1bc")
            assert (lagged["cols"], lagged["rows"]) == (200, 50)
            wire.post("/api/v1/input", {"text": "Z"})
            # What was under way when it fell behind may be overtaken again: then it is the later dump that shows it.
            last = eventually(lambda: (message := stream.next()) and shows_z(message) and message) or {}
            assert last["offset"] >= lagged["offset"]


def shows_z(message: dict[str, Any]) -> bool:
    return b"Z" in base64.b64decode(message.get("data") or message.get("dump") or "")


def test_a_replay_of_what_is_no_longer_kept_begins_where_it_is() -> None:
    with running_coop("--ring-size", "4096", command=("sh", "-c", "seq 1 5000; echo done; read x")) as coop:
        wire = Wire(coop, "tcp")
        wire.shows("done")
        with wire.stream("?mode=raw") as stream:
            stream.say(type="replay", offset=0)
            lagged = stream.until("lagged")
            output = stream.until("output")
        kept = wire.get("/api/v1/output")
        assert (lagged["offset"], lagged["next_offset"], output["offset"]) == (0, kept["offset"], kept["offset"])
        assert output["data"] == kept["data"]


def test_a_stuck_reader_does_not_slow_the_child_or_the_others() -> None:
    flood = "read x; seq 1 400000; echo done; read x"
    with running_coop(command=("sh", "-c", flood)) as coop:
        wire = Wire(coop, "tcp")
        with wire.stream("?mode=all", max_queue=1), wire.stream("?mode=raw") as reader:
            wire.post("/api/v1/input/keys", {"keys": ["Enter"]})
            assert reader.output_until(b"done\r\n")


def test_a_program_that_does_not_read_gets_what_it_takes_and_the_caller_is_told() -> None:
    child = "import signal, tty; tty.setraw(0); print('ready', flush=True); signal.pause()"
    with running_coop(command=(sys.executable, "-c", child)) as coop:
        wire = Wire(coop, "tcp")
        wire.shows("ready")
        began = time.monotonic()
        written = wire.post("/api/v1/input", {"text": "x" * 200_000})["bytes_written"]
        assert 0 < written < 200_000
        assert time.monotonic() - began < 8
        assert wire.get("/api/v1/status")["bytes_written"] == written
        assert wire.get("/api/v1/health")["status"] == "running"


def test_many_requests_at_once_never_mix_their_input() -> None:
    child = ("sh", "-c", "stty -echo; echo ready; exec cat")
    with running_coop(command=child) as coop:
        wire = Wire(coop, "tcp")
        wire.shows("ready")
        with wire.stream("?mode=raw") as stream:
            for letter in "abcdefgh":
                stream.say(type="input", text=letter * 500 + "\r")
                wire.post("/api/v1/input", {"text": letter.upper() * 500, "enter": True})
            wire.post("/api/v1/input", {"text": "end", "enter": True})
            lines = stream.output_until(b"end\r\n").decode().split()
    assert len(lines) == 17
    assert all(len(set(line)) == 1 for line in lines if line != "end")
