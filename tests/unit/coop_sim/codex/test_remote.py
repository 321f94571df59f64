"""A response is put together from its events, and errors have Codex's own names."""

import json

import pytest

from coop_sim.codex.errors import http_failure, stream_failure
from coop_sim.codex.remote import Coming

CALL = {"type": "function_call", "name": "exec_command", "arguments": "{}", "call_id": "c"}


def test_events_become_a_response() -> None:
    coming = Coming()
    usage = {"input_tokens": 12, "output_tokens": 20, "total_tokens": 32, "input_tokens_details": {"cached_tokens": 3}}
    assert coming.receive({"type": "response.output_text.delta", "delta": "He"}) == "He"
    coming.receive({"type": "response.output_item.done", "item": CALL})
    assert not coming.is_whole
    coming.receive({"type": "response.completed", "response": {"id": "r", "usage": usage}})
    response = coming.response()
    assert (response.id, response.items, response.ends) == ("r", (CALL,), False)
    assert response.usage == {"input_tokens": 12, "output_tokens": 20, "total_tokens": 32, "cached_input_tokens": 3}


@pytest.mark.parametrize(
    ("status", "code", "message", "is_retried"),
    [
        (400, "x", '{"error": {"code": "x", "message": "told"}}', False),
        (401, "x", "unexpected status 401 Unauthorized: told, url: http://u", True),
        (429, "x", "exceeded retry limit, last status: 429 Too Many Requests", False),
        (429, "insufficient_quota", "Quota exceeded. Check your plan and billing details.", False),
        (503, "x", "unexpected status 503 Service Unavailable: told, url: http://u", True),
    ],
)
def test_an_error_is_told_in_its_words(status: int, code: str, message: str, *, is_retried: bool) -> None:
    failure = http_failure(status, json.dumps({"error": {"code": code, "message": "told"}}), "http://u")
    assert (failure.message, failure.is_retried) == (message, is_retried)


def test_a_stream_that_fails_says_why() -> None:
    assert stream_failure("rate_limit_exceeded", "slow").message == "rate limit exceeded: slow"
    assert stream_failure("server_error", "broken").message == "stream disconnected before completion: broken"
