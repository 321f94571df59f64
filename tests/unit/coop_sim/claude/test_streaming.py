"""A message is put together from the events of its stream."""

import json

import pytest

from coop_sim.claude.streaming import Message, whole_message
from coop_sim.events import Stream
from coop_sim.scenario import ToolUse

EVENTS: list[dict[str, object]] = [
    {"type": "message_start", "message": {"id": "msg_1", "usage": {"input_tokens": 12, "output_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "I will "}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "look."}},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t1", "name": "Read", "input": {}}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"file_path"'}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": ': "x"}'}},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 20}},
    {"type": "message_stop"},
]
BYTES = b"".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in EVENTS)


@pytest.mark.parametrize("size", [1, 7, 100, len(BYTES)])
def test_the_pieces_do_not_matter(size: int) -> None:
    stream, message, heard = Stream(), Message(), ""
    for at in range(0, len(BYTES), size):
        for event in stream.receive(BYTES[at : at + size]):
            heard += message.receive(event)
    reply = message.reply()
    assert (heard, reply.say, reply.id, reply.stopped_for) == ("I will look.", "I will look.", "msg_1", "tool_use")
    assert reply.tools == (ToolUse("Read", {"file_path": "x"}, "t1"),)
    assert reply.usage == {"input_tokens": 12, "output_tokens": 20}
    assert message.is_whole
    assert not reply.ends


def test_a_stream_says_that_it_failed() -> None:
    message = Message()
    message.receive({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    assert message.error == {"type": "overloaded_error", "message": "Overloaded"}
    assert not message.is_whole


def test_a_whole_message_is_read_alike() -> None:
    body = {"id": "m", "content": [{"type": "text", "text": "Hi."}], "stop_reason": "end_turn", "usage": {"output_tokens": 2}}
    reply = whole_message(json.dumps(body))
    assert (reply.say, reply.ends, reply.usage) == ("Hi.", True, {"output_tokens": 2})
