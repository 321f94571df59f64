import asyncio
import json
from typing import Any

import anyio
import pytest

from coop.agents import UNKNOWN
from coop.model.records import Started
from coop.model.screen import XTERM, Size
from coop.server.facade import Served
from coop.server.ws import WebSocketApp
from coop.session.core import CoreSettings, SessionCore
from coop.session.runner import Session
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.ring import Ring
from coop.testing import ManualClock

pytestmark = pytest.mark.anyio


def started() -> Served:
    """A session, as if it had a child."""
    clock = ManualClock()
    screen = GhosttyScreen(Size(80, 24), XTERM)
    session = Session(SessionCore(CoreSettings("e"), agent=UNKNOWN, screen=screen, ring=Ring(64), now=clock.now), clock=clock)
    session._loop = asyncio.get_running_loop()
    session.post(Started(1))
    return Served(session, "it")


class Turns:
    """How often the loop has come round."""

    def __init__(self) -> None:
        self.count = 0
        self._come_round()

    def _come_round(self) -> None:
        self.count += 1
        self._next = asyncio.get_running_loop().call_soon(self._come_round)

    def stop(self) -> None:
        self._next.cancel()


async def answered_in(*texts: str) -> list[tuple[str, int]]:
    """The type of every answer to what has all come already, and in which turn of the loop it was given."""
    turns, answers = Turns(), list[tuple[str, int]]()
    messages: list[dict[str, Any]] = [{"type": "websocket.connect"}]
    messages += [{"type": "websocket.receive", "text": text} for text in texts]
    messages.append({"type": "websocket.disconnect"})
    coming = iter(messages)

    async def receive() -> dict[str, Any]:
        return next(coming)

    async def send(message: Any) -> None:
        if message["type"] == "websocket.send":
            answers.append((json.loads(message["text"])["type"], turns.count))

    served = started()
    scope = {"type": "websocket", "path": "/ws", "headers": [], "query_string": b"mode=state"}
    with anyio.fail_after(10):
        await WebSocketApp(served, lambda scope, headers: True)(scope, receive, send)
    turns.stop()
    return answers


@pytest.mark.parametrize(("text", "answer"), [('{"type":"ping"}', "pong"), ('{"type":"x"}', "error"), ("", "error")])
async def test_others_have_their_turns_during_a_burst(text: str, answer: str) -> None:
    turns = [turn for kind, turn in await answered_in(*[text] * 5000) if kind == answer]
    assert len(turns) == 5000
    assert len(set(turns)) > 3
