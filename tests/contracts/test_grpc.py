"""What only gRPC has: every RPC of the proto, its statuses, reflection and health, all with the official client.

What it shares with the other transports is in `clients`, its streams are in `tests/integration/test_grpc_streams.py`.
"""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import grpc
import pytest

from coop.errors import AgentBusy, CoopError
from coop.server.facade import Served
from coop.server.grpc import SERVICE, GrpcListener
from coop.server.listen import bind_tcp
from coop.testing import CoopProcess, eventually, running_coop
from coop.testing.claude import seeded_home
from coop.v1 import coop_pb2 as pb
from coop.v1.coop_pb2_grpc import CoopStub
from coop.wire.errors import GRPC_STATUS
from coop_sim.claude.versions import LATEST
from coop_sim.shims import write_shim
from tests.contracts.test_unready import unstarted
from tests.support.clients.grpc import WITHIN, Replies, Rpc, connected
from tests.support.official import answer, asking, told
from tests.support.wire import Wire

ECHO = ("sh", "-c", "stty -echo; echo ready; exec cat")
AGENT = (sys.executable, "-m", "coop_sim")
CONFIG = str(files("coop_sim") / "agent.toml")
SCENARIO = Path(__file__).parents[1] / "docs/client_scenario.toml"
GRPC = ("--grpc-port", "0")
NAMES = [rpc.name for rpc in SERVICE.methods]


@pytest.fixture
def coop() -> Generator[CoopProcess]:
    """Its child answers every line with itself."""
    with running_coop(*GRPC, "--cols", "80", "--rows", "24", "--label", "team=a", command=ECHO) as coop:
        yield coop


@pytest.fixture
def rpc(coop: CoopProcess) -> Generator[Rpc]:
    with connected(coop) as rpc:
        eventually(lambda: rpc.GetScreen().lines[0] == "ready")
        yield rpc


@pytest.fixture
def agent() -> Generator[Rpc]:
    with running_coop(*GRPC, "--agent-config", CONFIG, command=AGENT) as coop, connected(coop) as rpc:
        becomes(rpc, "waiting_for_input")
        yield rpc


@pytest.fixture
def claude(tmp_path: Path) -> Generator[Rpc]:
    """A pretend Claude Code, which has hooks and asks as the real one does."""
    write_shim(tmp_path / "bin", "claude", sim_version=LATEST.number, scenario=SCENARIO)
    place = seeded_home(tmp_path)
    env = place.environment("http://127.0.0.1:9")
    command = (str(tmp_path / "bin/claude"), "--permission-mode", "default")
    with (
        running_coop(*GRPC, "--agent", "claude", command=command, env=env, cwd=place.workspace) as coop,
        connected(coop) as rpc,
    ):
        becomes(rpc, "waiting_for_input")
        yield rpc


def becomes(rpc: Rpc, state: str) -> None:
    eventually(lambda: rpc.GetAgentState().state == state, within=30.0, what=state)


def status(call: Callable[..., Any], **fields: object) -> tuple[str, str]:
    """The status that a call is refused with, and the code in its metadata."""
    refused = refusal(call, **fields)
    cause: Any = refused.__cause__
    return cause.code().name, refused.code


def refusal(call: Callable[..., Any], **fields: object) -> CoopError:
    try:
        reply = call(**fields)
        next(reply, None) if isinstance(reply, Replies) else None
    except CoopError as refused:
        return refused
    raise AssertionError("it was not refused")


# Every RPC, by its name


def get_health(rpc: Rpc) -> None:
    told = rpc.GetHealth()
    assert (told.status, told.agent, told.terminal.cols, told.terminal.rows) == ("running", "unknown", 80, 24)
    assert (dict(told.labels), bool(told.name), bool(told.version), told.pid > 1) == ({"team": "a"}, True, True, True)


def get_screen(rpc: Rpc) -> None:
    plain = rpc.GetScreen()
    assert (plain.lines[0], plain.cols, plain.rows, plain.alt_screen) == ("ready", 80, 24, False)
    assert not plain.HasField("cursor")
    rpc.SendInput(text="\x1b[31mred\x1b[0m" + "\n" * 30, enter=True)
    eventually(lambda: not rpc.GetScreen().lines[0])
    ansi = rpc.GetScreen(format=pb.GetScreenRequest.ANSI, include_cursor=True, scrollback=100)
    assert ansi.cursor.row == 23
    assert "red" in ansi.scrollback
    assert ansi.sequence > plain.sequence


def get_status(rpc: Rpc) -> None:
    told = rpc.GetStatus()
    assert (told.state, told.bytes_read, told.bytes_written, told.HasField("exit_code")) == ("running", 7, 0, False)
    assert told.screen_seq == rpc.GetScreen().sequence


def send_input(rpc: Rpc) -> None:
    assert rpc.SendInput(text="hällo", enter=True).bytes_written == 7
    eventually(lambda: rpc.GetScreen().lines[1] == "hällo")
    assert rpc.SendInput(text="").bytes_written == 0


def send_raw_input(rpc: Rpc) -> None:
    assert rpc.SendRawInput(data=b"\x00raw\r").bytes_written == 5
    eventually(lambda: rpc.GetOutput().data == b"ready\r\n\x00raw\r\n")


def send_keys(rpc: Rpc) -> None:
    assert rpc.SendKeys(keys=["o", "k", "Enter"]).bytes_written == 3
    eventually(lambda: rpc.GetScreen().lines[1] == "ok")


def resize(rpc: Rpc) -> None:
    told = rpc.Resize(cols=100, rows=30)
    assert (told.cols, told.rows) == (100, 30)
    assert len(rpc.GetScreen().lines) == 30


def send_signal(rpc: Rpc) -> None:
    states = rpc.StreamState()
    assert rpc.SendSignal(signal="SIGINT").delivered
    assert [event.next for event in states] == ["unknown", "exited"]


def stream_output(rpc: Rpc) -> None:
    output = rpc.StreamOutput(from_offset=2)
    assert next(output) == pb.OutputChunk(data=b"ady\r\n", offset=2)
    rpc.SendInput(text="more", enter=True)
    assert next(output) == pb.OutputChunk(data=b"more\r\n", offset=7)
    output.cancel()


def stream_screen(rpc: Rpc) -> None:
    screens = rpc.StreamScreen()
    first = next(screens)
    assert (first.lines[0], first.cursor.row, first.cols, first.rows) == ("ready", 1, 80, 24)
    rpc.SendInput(text="changed", enter=True)
    assert any(shown.lines[1] == "changed" and shown.sequence > first.sequence for shown in screens)
    screens.cancel()


def get_agent_state(rpc: Rpc) -> None:
    told = rpc.GetAgentState()
    assert (told.agent, told.state, told.detection_tier) == ("unknown", "unknown", "process")
    assert not told.HasField("prompt")
    assert not told.HasField("idle_grace_remaining_secs")
    assert told.epoch


def stream_state(rpc: Rpc) -> None:
    states = rpc.StreamState()
    first = next(states)
    assert (first.prev, first.next, first.snapshot.reason, first.snapshot.state.state) == (
        "unknown",
        "unknown",
        "start",
        "unknown",
    )
    rpc.Resize(cols=90, rows=20)
    rpc.SendKeys(keys=["Ctrl-D"])
    (change,) = states  # a resize changes no state
    assert (change.prev, change.next, change.exit_code, change.WhichOneof("what")) == ("unknown", "exited", 0, None)


def get_output(rpc: Rpc) -> None:
    assert rpc.GetOutput() == pb.GetOutputResponse(data=b"ready\r\n", offset=0, next_offset=7, total_written=7)
    assert rpc.GetOutput(offset=2, limit=3) == pb.GetOutputResponse(data=b"ady", offset=2, next_offset=5, total_written=7)
    assert rpc.GetOutput(limit=0).data == b""


def explain_agent_state(rpc: Rpc) -> None:
    told = rpc.ExplainAgentState()
    assert (told.state, told.detection_tier, [each.tier for each in told.tiers if each.decides]) == (
        "unknown",
        "process",
        ["process"],
    )
    assert told.rule


def get_stop_gate(rpc: Rpc) -> None:
    assert (rpc.GetStopGate().mode, rpc.GetStopGate().blocks) == ("allow", 0)


def resolve_stop(rpc: Rpc) -> None:
    told = rpc.ResolveStop(kind="complete", message="all green")
    assert (told.signal.kind, told.signal.message) == ("complete", "all green")


def nudge(rpc: Rpc) -> None:
    told = rpc.Nudge(message="tidy up", idempotency_key="once")
    assert (told.delivered, told.state_before, told.receipt.progress) == (True, "waiting_for_input", "confirmed")
    assert rpc.Nudge(message="tidy up", idempotency_key="once").receipt == told.receipt
    assert status(rpc.Nudge, message="another", idempotency_key="once") == ("ALREADY_EXISTS", "KEY_REUSED")
    assert status(rpc.Nudge, message="x", when="later") == ("INVALID_ARGUMENT", "BAD_REQUEST")


def respond(rpc: Rpc) -> None:
    rpc.Nudge(message="Which database?")
    becomes(rpc, "ask_user")
    asked = rpc.GetAgentState().prompt
    assert [(each.label, each.description) for each in asked.questions[0].options] == [
        ("PostgreSQL", "a server"),
        ("SQLite", "a file"),
    ]
    answer = pb.Answer(options=[pb.Choice(label="SQLite")])
    assert status(rpc.Respond, answers=[answer], prompt_id="gone") == ("FAILED_PRECONDITION", "PROMPT_CHANGED")
    told = rpc.Respond(answers=[answer], prompt_id=asked.id)
    assert (told.delivered, told.prompt_type, told.prompt_id, told.effect) == (True, "question", asked.id, "answered")
    rpc.Nudge(message="Fix the login bug", when="queue")
    becomes(rpc, "permission_prompt")
    asked = rpc.GetAgentState().prompt
    assert (asked.tool, json.loads(asked.input_json)["command"]) == ("Bash", "touch login-fixed")
    assert rpc.Respond(accept=True, prompt_id=asked.id).effect == "accepted"


def set_stop_gate(rpc: Rpc) -> None:
    assert status(rpc.SetStopGate, mode="open") == ("INVALID_ARGUMENT", "BAD_REQUEST")
    assert rpc.SetStopGate(mode="gate", reason="not yet", most_blocks=5).most_blocks == 5
    events = rpc.StreamState(all_events=True)
    rpc.Nudge(message="Say hello")
    blocked = next(event.stop for event in events if event.WhichOneof("what") == "stop")
    assert (blocked.result, blocked.blocks, blocked.reason) == ("blocked", 1, "not yet")
    assert rpc.ResolveStop(kind="complete").signal.kind == "complete"
    assert any(event.next == "waiting_for_input" for event in events)


def get_receipt(rpc: Rpc) -> None:
    receipt = rpc.Nudge(message="tidy up").receipt
    assert rpc.GetReceipt(id=receipt.id) == receipt
    assert status(rpc.GetReceipt, id="r999") == ("NOT_FOUND", "NOT_FOUND")


OF_A_TERMINAL = (
    get_health, get_screen, get_status, send_input, send_raw_input, send_keys, resize, send_signal, stream_output, stream_screen,
    get_agent_state, stream_state, get_output, explain_agent_state, get_stop_gate, resolve_stop,
)  # fmt: skip
OF_AN_AGENT = (nudge, get_receipt)
OF_CLAUDE = (respond, set_stop_gate)
EVERY = {each.__name__.replace("_", ""): each for each in (*OF_A_TERMINAL, *OF_AN_AGENT, *OF_CLAUDE)}


@pytest.mark.parametrize("name", NAMES)
def test_every_rpc(name: str, request: pytest.FixtureRequest) -> None:
    """One that is new in the proto fails here, until it has its lines above."""
    test = EVERY[name.lower()]
    test(request.getfixturevalue("claude" if test in OF_CLAUDE else "agent" if test in OF_AN_AGENT else "rpc"))


# Refusals


def test_without_the_token_no_rpc_tells_or_changes_anything() -> None:
    with running_coop(*GRPC, "--keep-alive", command=ECHO, env={"COOP_AUTH_TOKEN": "s3cret"}) as coop:
        with connected(coop, "s3cret") as rpc:
            eventually(lambda: rpc.GetScreen().lines[0] == "ready")
            before = rpc.GetStatus()
        for token in (None, "wrong", "s3cre", "s3cret2"):
            with connected(coop, token) as outsider:
                for name in NAMES:
                    assert status(getattr(outsider, name)) == ("UNAUTHENTICATED", "UNAUTHORIZED")
        with connected(coop, "s3cret") as rpc:
            after = rpc.GetStatus()
            assert (after.state, after.bytes_written, after.screen_seq) == (
                before.state,
                before.bytes_written,
                before.screen_seq,
            )
        for what in ("reflect", "check", "watch"):
            assert answer(what, coop.grpc_target) == "UNAUTHENTICATED"
        assert "s3cret" not in "".join(coop.stderr)


def test_the_statuses_of_the_table_are_the_seeds() -> None:
    seed = {
        "NOT_READY": "UNAVAILABLE", "EXITED": "NOT_FOUND", "WRITER_BUSY": "RESOURCE_EXHAUSTED", "UNAUTHORIZED": "UNAUTHENTICATED",
        "BAD_REQUEST": "INVALID_ARGUMENT", "NO_DRIVER": "UNIMPLEMENTED", "AGENT_BUSY": "FAILED_PRECONDITION",
        "NO_PROMPT": "FAILED_PRECONDITION", "INTERNAL": "INTERNAL",
    }  # fmt: skip
    assert {code: GRPC_STATUS[code] for code in seed} == seed


def test_error_exited() -> None:
    with running_coop(*GRPC, "--keep-alive", command=("sh", "-c", "echo bye; exit 3")) as coop, connected(coop) as rpc:
        eventually(lambda: rpc.GetStatus().state == "exited")
        assert rpc.GetStatus().exit_code == 3
        assert status(rpc.SendInput, text="x") == ("NOT_FOUND", "EXITED")
        assert [chunk.data for chunk in rpc.StreamOutput()] == [b"bye\r\n"]
        assert [shown.lines[0] for shown in rpc.StreamScreen()] == ["bye"]
        (last,) = rpc.StreamState()
        assert (last.next, last.snapshot.ended, last.snapshot.state.exit_code) == ("exited", True, 3)


def test_error_writer_busy(coop: CoopProcess, rpc: Rpc) -> None:
    with Wire(coop, "tcp").stream("?mode=raw") as holder:
        holder.say(type="lock", action="acquire")
        holder.until("lock")
        assert status(rpc.SendInput, text="x") == ("RESOURCE_EXHAUSTED", "WRITER_BUSY")


def test_error_bad_request_names_the_field(rpc: Rpc) -> None:
    for call, fields, names in (
        (rpc.SendKeys, {"keys": ["Nope"]}, "Nope"),
        (rpc.Resize, {"cols": 0, "rows": 1}, "cols"),
        (rpc.SendSignal, {"signal": "SIGNOPE"}, "signal"),
        (rpc.Respond, {}, "accept"),
        (rpc.Respond, {"option": 0}, "option"),
        (rpc.GetScreen, {"scrollback": -1}, "scrollback"),
        (rpc.StreamState, {"after": {"event_seq": 1}}, "epoch"),
    ):
        assert status(call, **fields) == ("INVALID_ARGUMENT", "BAD_REQUEST")
        assert names in refusal(call, **fields).message


def test_error_too_large_leaves_the_connection_alone(rpc: Rpc) -> None:
    assert status(rpc.SendInput, text="x" * 5_000_000) == ("RESOURCE_EXHAUSTED", "TOO_LARGE")
    assert rpc.GetHealth().status == "running"


def test_error_no_driver(rpc: Rpc) -> None:
    assert status(rpc.Nudge, message="x") == ("UNIMPLEMENTED", "NO_DRIVER")
    assert status(rpc.Respond, accept=True) == ("UNIMPLEMENTED", "NO_DRIVER")


def test_error_agent_busy_and_no_prompt_say_what_the_agent_does(agent: Rpc) -> None:
    assert status(agent.Respond, option=1) == ("FAILED_PRECONDITION", "NO_PROMPT")
    agent.Nudge(message="something long")
    assert status(agent.Nudge, message="more") == ("FAILED_PRECONDITION", "AGENT_BUSY")
    busy = refusal(agent.Nudge, message="more")
    assert isinstance(busy, AgentBusy)
    assert (busy.reason, busy.state) == ("agent_busy", "working")


def test_an_rpc_that_is_not_there(coop: CoopProcess) -> None:
    with grpc.insecure_channel(coop.grpc_target) as channel, pytest.raises(grpc.RpcError) as refused:
        channel.unary_unary("/coop.v1.Coop/Nothing")(b"", timeout=WITHIN)
    assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_bytes_that_are_no_message(coop: CoopProcess) -> None:
    with grpc.insecure_channel(coop.grpc_target) as channel, pytest.raises(grpc.RpcError) as refused:
        channel.unary_unary("/coop.v1.Coop/SendInput")(b"\xff\xff\xff", timeout=WITHIN)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


@asynccontextmanager
async def listening(served: Served) -> AsyncGenerator[Any]:
    listener, listens = GrpcListener(served), bind_tcp("127.0.0.1", 0)
    await listener.serve(listens)
    channel = await asyncio.to_thread(grpc.insecure_channel, f"127.0.0.1:{listens.getsockname()[1]}")
    try:
        yield Rpc(channel)
    finally:
        await asyncio.to_thread(channel.close)
        await listener.close(within=1.0)


@pytest.mark.anyio
async def test_error_not_ready() -> None:
    async with listening(unstarted()) as rpc:
        for name in NAMES:
            if name not in ("GetHealth", "GetStatus", "GetReceipt", "GetStopGate"):
                assert await asyncio.to_thread(status, getattr(rpc, name)) == ("UNAVAILABLE", "NOT_READY")
        assert (await asyncio.to_thread(rpc.GetHealth)).status == "starting"


@pytest.mark.anyio
async def test_error_internal() -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    served = unstarted()
    served.core.pid = 1
    served.core.screen.snapshot = broken  # type: ignore[method-assign, assignment]
    async with listening(served) as rpc:
        assert await asyncio.to_thread(status, rpc.GetScreen) == ("INTERNAL", "INTERNAL")
        assert await asyncio.to_thread(status, rpc.StreamScreen) == ("INTERNAL", "INTERNAL")


# Reflection and health


def test_the_official_reflection_client_finds_everything_it_needs(coop: CoopProcess) -> None:
    found = answer("reflect", coop.grpc_target, "coop.v1.Coop")
    assert found == {"services": ["coop.v1.Coop", "grpc.health.v1.Health"], "rpcs": NAMES, "status": "running"}


def test_the_standard_health_service_tells_of_the_child() -> None:
    with running_coop(*GRPC, "--keep-alive", command=ECHO) as coop, connected(coop) as rpc:
        for service in ("", "coop.v1.Coop"):
            assert answer("check", coop.grpc_target, service) == "SERVING"
        assert answer("check", coop.grpc_target, "nothing") == "NOT_FOUND"
        with asking("watch", coop.grpc_target) as watching:
            assert told(watching) == "SERVING"
            rpc.SendSignal(signal="KILL")
            assert told(watching) == "NOT_SERVING"


def test_a_refusal_can_be_read_without_our_code(rpc: Rpc, coop: CoopProcess) -> None:
    with grpc.insecure_channel(coop.grpc_target) as channel, pytest.raises(grpc.RpcError) as refused:
        CoopStub(channel).Resize(pb.ResizeRequest(), timeout=WITHIN)
    trailers = dict(refused.value.trailing_metadata())
    assert trailers["coop-code"] == "BAD_REQUEST"
    assert json.loads(trailers["coop-error-bin"])["error"]["message"] == refused.value.details()
