import json
from contextlib import suppress
from typing import Any

import httpx
import pytest

from coop.testing import eventually
from coop.testing.anthropic import Break, Drop, Fail, FakeAnthropic, Reply, Say, Think, Turn, Use, say, use

MAIN: dict[str, Any] = {
    "model": "pretend-1",
    "stream": True,
    "tools": [{"name": "Bash"}],
    "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
}


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]


def posted(api: FakeAnthropic, **changes: object) -> httpx.Response:
    return httpx.post(f"{api.url}/v1/messages", json={**MAIN, **changes})


def test_a_reply_streams_every_kind_of_block() -> None:
    with FakeAnthropic().serving() as api:
        api.script(Reply((Think("hm"), Say("x" * 50), Use("Bash", {"command": "ls"}))))
        seen = events(posted(api).text)
    kinds = [event["content_block"]["type"] for event in seen if event["type"] == "content_block_start"]
    assert kinds == ["thinking", "text", "tool_use"]
    text = [event["delta"]["text"] for event in seen if event.get("delta", {}).get("type") == "text_delta"]
    assert text == ["x" * 40, "x" * 10]
    assert seen[-2]["delta"]["stop_reason"] == "tool_use"
    assert seen[-1]["type"] == "message_stop"


def test_turns_come_in_order_and_then_what_is_said_otherwise() -> None:
    with FakeAnthropic(otherwise=say("more")).serving() as api:
        api.script(Fail(529, "overloaded_error"), say("one"))
        first, second, third = posted(api), posted(api, stream=False), posted(api, stream=False)
    assert (first.status_code, first.json()["error"]["type"]) == (529, "overloaded_error")
    assert [reply.json()["content"][0]["text"] for reply in (second, third)] == ["one", "more"]


def test_a_side_call_takes_nothing_from_the_script() -> None:
    with FakeAnthropic().serving() as api:
        api.script(say("for the main loop"))
        posted(api, tools=[])
        assert posted(api, stream=False).json()["content"][0]["text"] == "for the main loop"
        assert [request.is_main for request in api.received] == [False, True]


def test_a_conversation_of_its_own_has_a_script_of_its_own() -> None:
    with FakeAnthropic().serving() as api:
        api.script(say("for the main loop"))
        api.script_apart("make it", say("for the subagent"))
        other = [{"role": "user", "content": "make it"}, {"role": "assistant", "content": "hi"}]
        said = [posted(api, stream=False, **given).json()["content"][0]["text"] for given in ({"messages": other}, {})]
    assert said == ["for the subagent", "for the main loop"]


def test_a_stream_can_break_in_the_middle() -> None:
    with FakeAnthropic().serving() as api:
        api.script(Break(say("half")))
        assert events(posted(api).text)[-1]["error"]["type"] == "overloaded_error"


def test_one_who_hangs_up_before_an_answer_is_remembered() -> None:
    with FakeAnthropic().serving() as api:
        api.script(say("later", delay=30))
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{api.url}/v1/messages", json=MAIN, timeout=httpx.Timeout(10, read=0.5))
        eventually(lambda: api.received and api.hung_up == api.received)


def test_one_who_hangs_up_in_the_middle_is_remembered() -> None:
    with FakeAnthropic().serving() as api:
        api.script(say("word " * 400, pace=0.05))
        with httpx.stream("POST", f"{api.url}/v1/messages", json=MAIN) as answer:
            pieces = answer.iter_bytes()
            assert next(pieces)
            assert api.hung_up == []
        eventually(lambda: api.received and api.hung_up == api.received)


@pytest.mark.parametrize("turn", [say("whole"), say("whole", delay=0.05), Break(say("half")), Drop(say("half"))])
def test_one_who_listens_to_the_end_has_not_hung_up(turn: Turn) -> None:
    with FakeAnthropic().serving() as api:
        api.script(turn)
        with suppress(httpx.RemoteProtocolError):
            posted(api)
        posted(api)
        assert len(api.received) == 2
        assert api.hung_up == []


def test_the_plan_file_of_the_request_is_put_into_the_reply() -> None:
    with FakeAnthropic().serving() as api:
        api.script(use("Write", file_path="$PLANFILE", content="x"))
        plan = [{"role": "user", "content": "write to /h/.claude/plans/a-b.md please"}]
        reply = posted(api, stream=False, messages=plan).json()
    assert reply["content"][0]["input"]["file_path"] == "/h/.claude/plans/a-b.md"
