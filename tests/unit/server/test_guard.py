from typing import Any

import pytest

from coop.server.guard import Guard
from tests.contracts.test_unready import unstarted

pytestmark = pytest.mark.anyio

HEADERS = [(b"host", b"localhost"), (b"content-length", b"8")]


async def asked(*messages: dict[str, Any]) -> tuple[list[dict[str, Any]], list[Any]]:
    """What the application was given, and what was answered."""
    given: list[dict[str, Any]] = []
    answered: list[Any] = []
    coming = iter(messages)

    async def application(scope: Any, receive: Any, send: Any) -> None:
        given.append(await receive())
        await send({"type": "http.response.start", "status": 200})

    async def receive() -> dict[str, Any]:
        return next(coming)

    async def send(message: Any) -> None:
        answered.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": HEADERS, "query_string": b""}
    await Guard(application, unstarted())(scope, receive, send)
    return given, answered


def piece(body: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


async def test_a_body_is_given_whole() -> None:
    given, _ = await asked(piece(b"half", more=True), piece(b"more", more=False))
    assert given == [piece(b"halfmore", more=False)]


@pytest.mark.parametrize("came", [(), (piece(b"half", more=True),)])
async def test_a_body_that_breaks_off_is_given_to_nobody(came: tuple[dict[str, Any], ...]) -> None:
    assert await asked(*came, {"type": "http.disconnect"}) == ([], [])
