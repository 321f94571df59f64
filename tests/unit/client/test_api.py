import asyncio
import json
from collections.abc import Callable

import httpx
import pytest

from coop.client.address import address_of
from coop.client.api import Api
from coop.errors import AgentBusy, CoopError, Internal, KeyReused, Unauthorized, Unreachable
from coop.wire.http import InputRequest


def api(answer: Callable[[httpx.Request], httpx.Response], token: str | None = None) -> Api:
    return Api(address_of("http://coop:1"), token, httpx.MockTransport(answer))


def failure(answer: Callable[[httpx.Request], httpx.Response]) -> CoopError:
    with pytest.raises(CoopError) as raised:
        asyncio.run(api(answer).get("/x"))
    return raised.value


def test_the_token_goes_with_every_request_and_a_body_is_json() -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={})

    asyncio.run(api(answer, token="secret").say("/input", InputRequest("hi")))
    assert asked[0].headers["authorization"] == "Bearer secret"
    assert json.loads(asked[0].content) == {"text": "hi", "enter": False}


def test_refusals_are_raised_as_their_class_with_all_they_tell() -> None:
    body = {"error": {"code": "AGENT_BUSY", "message": "later"}, "reason": "agent_busy", "state": "working", "receipt": {}}
    error = failure(lambda _: httpx.Response(409, json=body))
    assert isinstance(error, AgentBusy)
    assert (error.message, error.state, error.reason, error.more) == ("later", "working", "agent_busy", {"receipt": {}})


@pytest.mark.parametrize(("code", "kind"), [("UNAUTHORIZED", Unauthorized), ("KEY_REUSED", KeyReused), ("INTERNAL", Internal)])
def test_refusals_by_their_code(code: str, kind: type[CoopError]) -> None:
    assert type(failure(lambda _: httpx.Response(400, json={"error": {"code": code, "message": "no"}}))) is kind


def test_a_code_of_a_newer_coop_is_kept() -> None:
    error = failure(lambda _: httpx.Response(400, json={"error": {"code": "TOO_TIRED", "message": "no"}}))
    assert (type(error), error.code, error.message) == (CoopError, "TOO_TIRED", "no")


@pytest.mark.parametrize("answer", [httpx.Response(502, text="<html>"), httpx.Response(500, json=[1])])
def test_an_answer_that_is_not_coops_says_so(answer: httpx.Response) -> None:
    error = failure(lambda _: answer)
    assert isinstance(error, Unreachable)
    assert str(answer.status_code) in error.message


def test_an_answer_without_json_says_so() -> None:
    assert isinstance(failure(lambda _: httpx.Response(200, text="hello")), Unreachable)


@pytest.mark.parametrize(
    ("trouble", "says"), [(httpx.ConnectError("refused"), "refused"), (httpx.ReadTimeout("slow"), "does not answer GET /x")]
)
def test_no_answer_is_told_with_the_address(trouble: Exception, says: str) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise trouble

    error = failure(answer)
    assert isinstance(error, Unreachable)
    assert error.message.startswith("http://coop:1")
    assert says in error.message
