"""The pretend model with a clock: when each request came, and when the last byte of its answer went."""

import json
import re
import time
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coop.testing.anthropic import FakeAnthropic

_MAIN = frozenset({"Bash", "Read", "Edit", "Write"})
_ASIDE = re.compile(r"<system-reminder>.*?</system-reminder>\s*", re.DOTALL)


@dataclass
class Call:
    """One request to the model. `ended` is `None` while it is in flight."""

    began: float
    is_main: bool
    body: dict[str, Any]
    ended: float | None = None

    def said(self) -> str:
        """What the user said last, without what Claude adds around it."""
        last = next((each for each in reversed(self.body["messages"]) if each["role"] == "user"), {"content": ""})
        content = last["content"]
        texts = [content] if isinstance(content, str) else [block["text"] for block in content if block["type"] == "text"]
        own = [text for each in texts if (text := _ASIDE.sub("", each))]
        return own[-1] if own else ""

    def results(self) -> list[dict[str, Any]]:
        """Of the tools called last; Claude may have said something after them."""
        messages = self.body["messages"]
        last = max((at for at, each in enumerate(messages) if each["role"] == "assistant"), default=-1)
        blocks = [block for each in messages[last + 1 :] for block in each["content"]]
        return [block for block in blocks if isinstance(block, dict) and block["type"] == "tool_result"]


@dataclass
class Model(FakeAnthropic):
    """A `FakeAnthropic` whose calls are timed where they enter and leave the process."""

    calls: list[Call] = field(default_factory=list[Call])

    @property
    def main(self) -> list[Call]:
        return [call for call in self.calls if call.is_main]

    @property
    def in_flight(self) -> bool:
        return any(call.ended is None for call in self.main)

    def _application(self) -> Starlette:
        app = super()._application()
        app.add_middleware(_Clock, calls=self.calls)
        return app


class _Clock:
    def __init__(self, app: ASGIApp, calls: list[Call]) -> None:
        self._app, self._calls = app, calls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/v1/messages":
            await self._app(scope, receive, send)
            return
        began, data, asked = time.monotonic(), b"", False
        while not asked:
            part = await receive()
            data += part.get("body", b"")
            asked = part["type"] != "http.request" or not part.get("more_body")
        body = json.loads(data)
        call = Call(began, bool(_MAIN & {tool.get("name") for tool in body.get("tools") or ()}), body)
        self._calls.append(call)
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": data, "more_body": False}

        async def timed(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                call.ended = time.monotonic()

        try:
            await self._app(scope, again, timed)
        finally:
            call.ended = call.ended or time.monotonic()  # the agent has hung up
