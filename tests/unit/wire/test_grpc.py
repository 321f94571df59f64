import json
from typing import Any

import msgspec
import pytest
from google.protobuf.message import Message
from hypothesis import given

from coop.errors import BadRequest
from coop.model.commands import Answer, Nudge, Respond, TypeRaw, When
from coop.model.events import Event, Fact, StateChanged
from coop.model.ids import EventSeq, PromptId
from coop.server.rpcs import ALWAYS, COMMANDS, READS, STREAMS
from coop.v1 import coop_pb2 as pb
from coop.wire import decode, grpc, http, states, ws
from tests.unit.wire.test_decode import facts

TWINS: dict[str, tuple[type[msgspec.Struct], dict[str, set[str]]]] = {
    "GetHealthResponse": (http.Health, {}),
    "Terminal": (http.Terminal, {}),
    "GetScreenResponse": (http.Screen, {}),
    "ScreenSnapshot": (http.Screen, {"only HTTP": {"scrollback"}}),
    "CursorPosition": (http.CursorPosition, {}),
    "GetStatusResponse": (http.Status, {}),
    "SendInputRequest": (http.InputRequest, {}),
    "SendInputResponse": (http.BytesWritten, {}),
    "SendRawInputRequest": (http.RawInputRequest, {}),
    "SendRawInputResponse": (http.BytesWritten, {}),
    "SendKeysRequest": (http.KeysRequest, {}),
    "SendKeysResponse": (http.BytesWritten, {}),
    "ResizeRequest": (http.ResizeRequest, {}),
    "ResizeResponse": (http.Terminal, {}),
    "SendSignalRequest": (http.SignalRequest, {}),
    "SendSignalResponse": (http.Delivered, {}),
    "GetOutputRequest": (http.OutputQuery, {}),
    "GetOutputResponse": (http.Output, {}),
    "PromptContext": (states.PromptContext, {}),
    "QuestionContext": (states.QuestionContext, {}),
    "ChoiceContext": (states.ChoiceContext, {}),
    "GetAgentStateResponse": (http.AgentStateReply, {}),
    "ExplainAgentStateResponse": (http.Explanation, {}),
    "PendingWord": (http.PendingWord, {}),
    "TierWord": (http.TierWord, {}),
    "AttachedTo": (http.AttachedTo, {}),
    "NudgeRequest": (http.NudgeRequest, {}),
    "NudgeResponse": (http.Nudged, {"only gRPC": {"reason"}}),
    "Receipt": (http.ReceiptBody, {}),
    "RespondRequest": (http.RespondRequest, {}),
    "Answer": (http.AnswerRequest, {"only HTTP": {"option"}}),
    "RespondResponse": (http.Responded, {"only gRPC": {"reason"}}),
    "SetStopGateRequest": (http.StopConfigBody, {}),
    "StopGate": (http.StopStatus, {}),
    "StopSignal": (http.SignalBody, {}),
    "Snapshot": (ws.SnapshotMessage, {}),
    "PromptAnswered": (ws.PromptAnsweredMessage, {"only HTTP": {"event_seq", "epoch"}}),
    "StopDecided": (ws.StopMessage, {"only HTTP": {"event_seq", "epoch"}}),
    "ShutdownStarted": (ws.ShutdownMessage, {"only HTTP": {"event_seq", "epoch"}}),
    "Exit": (ws.ExitMessage, {}),
}
OF_GRPC_ALONE = {"OutputChunk", "AgentStateEvent", "Position", "Choice", "GetReceiptRequest", "GetScreenRequest"}
CHOICES = {"snapshot", "answered", "stop", "resize", "shutdown", "exit"}


def names(kind: Any) -> set[str]:
    return {field.name.removesuffix("_json") for field in kind.DESCRIPTOR.fields}


@pytest.mark.parametrize("name", TWINS)
def test_a_message_has_the_fields_that_http_has(name: str) -> None:
    twin, differences = TWINS[name]
    ours, theirs = names(getattr(pb, name)), set(twin.__struct_fields__)
    assert (ours - theirs, theirs - ours) == (differences.get("only gRPC", set()), differences.get("only HTTP", set()))


def test_no_message_is_without_a_twin() -> None:
    told = {kind.name for kind in pb.DESCRIPTOR.message_types_by_name.values() if kind.fields}
    assert told - set(TWINS) - OF_GRPC_ALONE == {"StreamOutputRequest", "StreamStateRequest"}
    assert names(pb.AgentStateEvent) - CHOICES == set(ws.StateChangeMessage.__struct_fields__)


def test_every_rpc_is_in_one_table() -> None:
    served = [name for table in (ALWAYS, READS, COMMANDS, STREAMS) for name in table]
    assert sorted(served) == sorted(rpc.name for rpc in pb.DESCRIPTOR.services_by_name["Coop"].methods)
    assert {rpc.name for rpc in pb.DESCRIPTOR.services_by_name["Coop"].methods if rpc.server_streaming} == set(STREAMS)


def as_json(message: Message) -> dict[str, Any]:
    """As HTTP would have it, made from nothing but the message."""
    return {name.removesuffix("_json"): _value(name, value) for name, value in grpc.body_of(message).items()}


def _value(name: str, value: Any) -> Any:
    if name.endswith("_json"):
        return [json.loads(each) for each in value] if isinstance(value, list) else json.loads(value)
    if isinstance(value, dict):
        return {key.removesuffix("_json"): _value(key, each) for key, each in value.items()}
    return [_value("", each) for each in value] if isinstance(value, list) else value


@given(fact=facts)
def test_an_event_is_the_same_on_the_other_side(fact: Fact) -> None:
    sent = grpc.event(Event(EventSeq(7), "e", 0.0, fact)).SerializeToString()
    read = pb.AgentStateEvent.FromString(sent)
    kind, body = read.WhichOneof("what") or "state_change", as_json(read)
    told = body if kind == "state_change" else {"code": None, "signal": None, "outcome": None, **body[kind]}
    place = {"type": kind, "event_seq": read.event_seq, "epoch": read.epoch}
    before = fact.previous if isinstance(fact, StateChanged) else None
    assert decode.fact(kind, {**told, **place}, before) == fact
    assert (read.event_seq, read.epoch) == (7, "e")


def test_what_is_left_out_is_left_to_the_api() -> None:
    assert grpc.decode(pb.NudgeRequest(message="x"), http.NudgeRequest).command() == Nudge("x")
    full = pb.NudgeRequest(message="x", when="queue", raw=True, keep_draft=True, wait=0.0, idempotency_key="k")
    assert grpc.decode(full, http.NudgeRequest).command() == Nudge(
        "x", When.QUEUE, raw=True, keep_draft=True, wait=0.0, key="k"
    )


def test_answers_are_numbers_labels_and_words() -> None:
    answers = [
        pb.Answer(options=[pb.Choice(number=2), pb.Choice(label="Billing")]),
        pb.Answer(text="neither"),
    ]
    request = pb.RespondRequest(accept=False, answers=answers, prompt_id="p1", always=True, by_keys=True)
    assert grpc.decode(request, http.RespondRequest).command() == Respond(
        accept=False,
        answers=(Answer((2, "Billing")), Answer((), "neither")),
        always=True,
        prompt_id=PromptId("p1"),
        by_keys=True,
    )


def test_bytes_are_bytes() -> None:
    assert grpc.decode(pb.SendRawInputRequest(data=b"\x00\xff"), http.RawInputRequest).command() == TypeRaw(b"\x00\xff")
    assert grpc.encode(http.Output("AP8=", 1, 3, 3), pb.GetOutputResponse).data == b"\x00\xff"


@pytest.mark.parametrize(
    ("message", "kind", "says"),
    [
        (pb.ResizeRequest(cols=80), http.ResizeRequest, r"\$\.rows"),
        (pb.NudgeRequest(message="x", when="never"), http.NudgeRequest, r"\$\.when"),
        (pb.NudgeRequest(message="x", wait=1e9), http.NudgeRequest, r"\$\.wait"),
        (pb.RespondRequest(answers=[pb.Answer(options=[pb.Choice()])]), http.RespondRequest, "options"),
        (pb.SetStopGateRequest(), http.StopConfigBody, r"\$\.mode"),
    ],
)
def test_what_http_would_refuse_is_refused(message: Message, kind: type, says: str) -> None:
    with pytest.raises(BadRequest, match=says):
        grpc.decode(message, kind)


def test_a_format_of_a_newer_client_is_refused() -> None:
    assert grpc.screen_query(pb.GetScreenRequest(format="ANSI", include_cursor=True)) == http.ScreenQuery("ansi", cursor=True)
    newer = pb.GetScreenRequest.FromString(b"\x08\x09")
    with pytest.raises(BadRequest, match="format"):
        grpc.screen_query(newer)


def test_a_position_needs_its_epoch() -> None:
    assert grpc.position(pb.Position(epoch="e", event_seq=4)) == ("e", 4)
    with pytest.raises(BadRequest, match="epoch"):
        grpc.position(pb.Position(event_seq=4))


def test_a_chunk_says_what_is_lost() -> None:
    assert grpc.chunk(b"x", 5, asked=5) == pb.OutputChunk(data=b"x", offset=5)
    assert grpc.chunk(b"x", 5, asked=0).lost_from == 0
    assert grpc.chunk(b"x", 5, asked=0).HasField("lost_from")
