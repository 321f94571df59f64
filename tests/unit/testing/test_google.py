import json
from typing import Any

import httpx
import pytest

from coop.testing.google import Break, Drop, Fail, FakeGoogle, Reply, Say, Think, Use, say, use

MAIN: dict[str, Any] = {
    "tools": [{"functionDeclarations": []}],
    "contents": [{"role": "user", "parts": [{"text": "<session_context>x</session_context>hi"}]}],
}


def posted(api: FakeGoogle, method: str = "streamGenerateContent", **changes: object) -> httpx.Response:
    return httpx.post(f"{api.url}/v1beta/models/pretend:{method}", json={**MAIN, **changes})


def parts(text: str) -> list[dict[str, Any]]:
    chunks = [json.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]
    return [part for chunk in chunks for part in chunk["candidates"][0]["content"]["parts"]]


def test_a_reply_streams_every_kind_of_block_and_says_that_it_ends() -> None:
    with FakeGoogle().serving() as api:
        api.script(Reply((Think("hm"), Say("x" * 50), Use("run_shell_command", {"command": "ls"}))))
        text = posted(api).text
    call = {"functionCall": {"name": "run_shell_command", "args": {"command": "ls"}}}
    assert parts(text) == [{"text": "hm", "thought": True}, {"text": "x" * 40}, {"text": "x" * 10}, call, {"text": ""}]
    assert '"finishReason": "STOP"' in text


def test_turns_come_in_order_and_then_what_is_said_otherwise() -> None:
    with FakeGoogle(otherwise=say("more")).serving() as api:
        api.script(Fail(429, message="slow down"), say("one"))
        first, second, third = posted(api), posted(api), posted(api)
        api.script(say("never said"))
        api.forget()
        fourth = posted(api)
    assert (first.status_code, first.json()["error"]["status"]) == (429, "RESOURCE_EXHAUSTED")
    assert [parts(reply.text)[0]["text"] for reply in (second, third, fourth)] == ["one", "more", "more"]


def test_a_side_call_is_answered_as_it_wants_and_takes_nothing_from_the_script() -> None:
    schema = {"properties": {"complexity_score": {"type": "integer"}, "next": {"enum": ["user", "model"]}}}
    with FakeGoogle().serving() as api:
        api.script(say("for the main loop"))
        side = posted(api, "generateContent", generationConfig={"responseJsonSchema": schema}).json()
        assert json.loads(side["candidates"][0]["content"]["parts"][0]["text"]) == {"complexity_score": 50, "next": "user"}
        assert parts(posted(api).text)[0]["text"] == "for the main loop"
        assert [request.is_main for request in api.received] == [False, True]


def test_a_stream_can_end_without_a_word_or_break() -> None:
    with FakeGoogle().serving() as api:
        api.script(Break(say("half")), Drop(say("half")))
        assert "finishReason" not in posted(api).text
        with pytest.raises(httpx.HTTPError):
            posted(api)


def test_what_was_received_can_be_asked_for() -> None:
    results = {"role": "user", "parts": [{"functionResponse": {"name": "x", "response": {"output": "done"}}}]}
    with FakeGoogle().serving() as api:
        api.script(use("x"), say("Thanks."))
        posted(api)
        posted(api, contents=[*MAIN["contents"], results])
        first, second = api.main_requests
    assert first.last_user_text() == second.last_user_text() == "hi"
    assert (first.tool_results(), second.tool_results()[0]["name"]) == ([], "x")
