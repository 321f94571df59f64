"""The streams of gRPC: whole, caught up on, ended with the child, and no burden to anybody. With the official client."""

import base64
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest

from bench.grpc.__main__ import write
from bench.grpc.blocks import SIZE, expected
from bench.grpc.campaign import Reader, conduct
from bench.home import ROOT
from coop.errors import Lagged
from coop.testing import CoopProcess, eventually, running_coop
from coop.v1 import coop_pb2 as pb
from tests.support.clients.grpc import Rpc, connected
from tests.support.wire import Wire

ECHO = ("sh", "-c", "stty -echo; echo ready; exec cat")
WITHIN = 60.0


@contextmanager
def running(*options: str, command: tuple[str, ...] = ECHO) -> Generator[tuple[CoopProcess, Rpc]]:
    with running_coop("--grpc-port", "0", *options, command=command, cwd=ROOT) as coop, connected(coop) as rpc:
        yield coop, rpc


@pytest.fixture
def rpc() -> Generator[Rpc]:
    with running() as (_, rpc):
        eventually(lambda: rpc.GetScreen().lines[0] == "ready", within=WITHIN)
        yield rpc


def blocks(count: int) -> tuple[str, ...]:
    return (sys.executable, "-m", "bench.grpc.blocks", str(count))


def resized(rpc: Rpc, *widths: int) -> None:
    for width in widths:
        rpc.Resize(cols=width, rows=24)


def widths(events: Any, count: int) -> list[int]:
    return [next(events).resize.cols for _ in range(count)]


# Output


def test_a_twentieth_of_the_campaign_loses_nothing() -> None:
    run = conduct(size=50_000_000)
    assert [each for each in run.readers if each.fault or each.gaps or each.differing] == []
    assert run.is_whole
    assert "| differing chunks | 0 | ≤ 0 | met |" in write(run, command="a test", size=50_000_000)


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda chunk: pb.OutputChunk(data=chunk.data, offset=chunk.offset + 1), "gaps"),
        (lambda chunk: pb.OutputChunk(data=chunk.data, offset=chunk.offset, lost_from=0), "gaps"),
        (lambda chunk: pb.OutputChunk(data=b"?" + chunk.data[1:], offset=chunk.offset), "differing"),
        (lambda chunk: pb.OutputChunk(data=expected(chunk.offset + 1, 9), offset=chunk.offset), "differing"),
    ],
)
def test_a_stream_that_is_wrong_is_found_out(spoil: Callable[[Any], Any], fault: str) -> None:
    good = [pb.OutputChunk(data=expected(offset, SIZE // 2), offset=offset) for offset in (0, SIZE // 2, SIZE)]
    right, wrong = Reader("right"), Reader("wrong")
    for number, chunk in enumerate(good):
        right.take(chunk)
        wrong.take(spoil(chunk) if number == 1 else chunk)
    assert (right.gaps, right.differing) == (0, 0)
    assert getattr(wrong, fault) > 0


@pytest.mark.parametrize("offset", [0, 1, SIZE - 1, 100_000, 40 * SIZE, 10**9])
def test_output_from_anywhere_is_what_http_has(offset: int) -> None:
    with running("--keep-alive", "--ring-size", str(1 << 22), command=blocks(40)) as (coop, rpc):
        eventually(lambda: rpc.GetStatus().state == "exited", within=WITHIN)
        chunks = list(rpc.StreamOutput(from_offset=offset))
        http = Wire(coop, "tcp").get("/api/v1/output", params={"offset": offset})
    streamed = b"".join(chunk.data for chunk in chunks)
    assert streamed == base64.b64decode(http["data"]) == expected(0, 40 * SIZE)[offset:]
    assert all(before.offset + len(before.data) == after.offset for before, after in pairwise(chunks))
    assert all(len(chunk.data) <= 64 * 1024 and not chunk.HasField("lost_from") for chunk in chunks)


def test_what_is_no_longer_kept_is_said_in_the_first_chunk() -> None:
    with running("--keep-alive", "--ring-size", "65536", command=blocks(4)) as (_, rpc):
        eventually(lambda: rpc.GetStatus().state == "exited", within=WITHIN)
        first, *others = rpc.StreamOutput(from_offset=10)
    assert (first.lost_from, first.offset, others) == (10, 3 * SIZE, [])
    assert first.data == expected(3 * SIZE, SIZE)


def test_a_late_joiner_gets_a_drawing_and_what_follows(rpc: Rpc) -> None:
    rpc.SendInput(text="\x1b[31mred", enter=True)
    eventually(lambda: rpc.GetScreen().lines[1] == "red", within=WITHIN)
    output = rpc.StreamOutput(from_now=True)
    first = next(output)
    assert (b"ready" in first.dump, b"red" in first.dump, first.data) == (True, True, b"")
    rpc.SendInput(text="more", enter=True)
    assert next(output) == pb.OutputChunk(data=b"more\r\n", offset=first.offset)
    output.cancel()


def test_a_reader_that_is_too_slow_is_told_and_nobody_suffers() -> None:
    when_told = ("sh", "-c", f"read go; exec {' '.join(blocks(800))}")
    with running("--keep-alive", "--ring-size", str(1 << 20), command=when_told) as (_, rpc):
        stalled, screens = rpc.StreamOutput(), rpc.StreamScreen()
        rpc.SendInput(text="go", enter=True)
        at = len(next(stalled).data)
        eventually(lambda: rpc.GetStatus().state == "exited", within=WITHIN)
        total = rpc.GetStatus().bytes_read
        assert total >= 800 * SIZE
        assert list(screens)[-1].lines == rpc.GetScreen().lines
        at, status = read_on(stalled, at)
        assert status == "DATA_LOSS"
        assert at < total - (1 << 20)
        assert sum(len(chunk.data) for chunk in rpc.StreamOutput(from_offset=at)) == 1 << 20


def read_on(output: Any, at: int) -> tuple[int, str]:
    """How far a stream goes without a gap, and the status that ends it."""
    try:
        for chunk in output:
            assert chunk.offset == at
            at += len(chunk.data)
    except Lagged as lagged:
        cause: Any = lagged.__cause__
        return at, str(cause.code().name)
    return at, "OK"


def test_one_who_never_reads_keeps_neither_others_from_reading_nor_coop_from_ending() -> None:
    with running("--ring-size", str(1 << 28), command=blocks(800)) as (coop, rpc), connected(coop) as other:
        next(rpc.StreamOutput())
        whole = sum(len(chunk.data) for chunk in other.StreamOutput())
        assert (whole, coop.wait(within=WITHIN)) == (800 * SIZE, 0)


def test_one_who_has_gone_is_forgotten() -> None:
    def readers(coop: CoopProcess) -> float:
        figures = Wire(coop, "tcp").request("GET", "/metrics").text.splitlines()
        return sum(float(line.rpartition(" ")[2]) for line in figures if line.startswith("coop_subscribers{"))

    with running() as (coop, rpc):
        eventually(lambda: rpc.GetScreen().lines[0] == "ready", within=WITHIN)
        with connected(coop) as other:
            streams = [call() for each in (rpc, other) for call in (each.StreamOutput, each.StreamScreen, each.StreamState)]
            for stream in streams:
                next(stream)
            assert readers(coop) == 6
            for stream in streams[:3]:
                stream.cancel()
            eventually(lambda: readers(coop) == 3, within=WITHIN)
        eventually(lambda: readers(coop) == 0, within=WITHIN)


# State


def test_the_stream_of_states_begins_with_a_snapshot_and_ends_with_the_child(rpc: Rpc) -> None:
    events = rpc.StreamState(all_events=True)
    first = next(events)
    assert (first.snapshot.reason, first.event_seq, first.epoch) == ("start", 0, rpc.GetAgentState().epoch)
    resized(rpc, 90)
    rpc.SendKeys(keys=["Ctrl-D"])
    rest = list(events)
    assert [each.WhichOneof("what") for each in rest] == ["resize", None, "exit"]
    assert [each.event_seq for each in rest] == [1, 2, 3]
    assert rest[-1].exit.code == 0


def test_a_reader_that_comes_back_gets_what_it_has_missed_and_no_more(rpc: Rpc) -> None:
    events = rpc.StreamState(all_events=True)
    start = next(events)
    resized(rpc, 81, 82)
    assert widths(events, 2) == [81, 82]
    events.cancel()
    resized(rpc, 83, 84)
    back = rpc.StreamState(all_events=True, after=pb.Position(epoch=start.epoch, event_seq=2))
    assert widths(back, 2) == [83, 84]
    resized(rpc, 85)
    assert widths(back, 1) == [85]
    back.cancel()


@pytest.mark.parametrize(("epoch", "seq", "reason"), [("another", 0, "restarted"), (None, 999, "lagged")])
def test_where_it_cannot_go_on_a_snapshot_says_so(rpc: Rpc, epoch: str | None, seq: int, reason: str) -> None:
    here = rpc.GetAgentState().epoch
    events = rpc.StreamState(after=pb.Position(epoch=epoch or here, event_seq=seq))
    first = next(events)
    assert (first.snapshot.reason, first.epoch, first.snapshot.state.state) == (reason, here, "unknown")
    events.cancel()


def test_a_stream_that_has_been_read_to_its_end_has_nothing_more() -> None:
    with running("--keep-alive", command=("true",)) as (_, rpc):
        eventually(lambda: rpc.GetStatus().state == "exited", within=WITHIN)
        now = rpc.GetAgentState()
        assert list(rpc.StreamState(after=pb.Position(epoch=now.epoch, event_seq=now.event_seq))) == []


# Screens


def test_a_flood_is_a_few_screens() -> None:
    with running("--keep-alive", "--ring-size", "4194304", command=blocks(300)) as (_, rpc):
        screens = list(rpc.StreamScreen())
        last = rpc.GetScreen(include_cursor=True)
    assert list(screens[-1].lines) == list(last.lines)
    assert screens[-1].cursor == last.cursor
    assert [each.sequence for each in screens] == sorted({each.sequence for each in screens})
    assert len(screens) < 100
