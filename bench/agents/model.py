"""A pretend model with a clock: when each request came, and when the last byte of its answer went."""

import json
import re
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coop.testing.replies import Turn


@dataclass(frozen=True, slots=True)
class Asked:
    """What one request says."""

    is_main: bool
    """Of the agent's own loop; not a side call for a title or a summary."""
    said: str
    """What the user said last, without what the agent adds around it."""
    results: Sequence[object]
    """What the tools that were called last came to."""


@dataclass
class Call:
    """One request to the model. `ended` is `None` while it is in flight."""

    began: float
    asked: Asked
    body: dict[str, Any]
    ended: float | None = None


Read = Callable[[dict[str, Any]], Asked]


@dataclass
class Clocked:
    """Beside a pretend API: its calls, timed where they enter and leave the process."""

    calls: list[Call] = field(default_factory=list[Call])

    @property
    def main(self) -> list[Call]:
        return [call for call in self.calls if call.asked.is_main]

    @property
    def in_flight(self) -> bool:
        return any(call.ended is None for call in self.main)


class Model(Protocol):
    """A pretend API that is `Clocked`."""

    otherwise: Turn
    url: str
    calls: list[Call]

    @property
    def main(self) -> list[Call]: ...
    @property
    def in_flight(self) -> bool: ...
    def script(self, *turns: Turn) -> None: ...
    def forget(self) -> None: ...
    def serving(self) -> AbstractContextManager[object]: ...


def clocked(app: Starlette, calls: list[Call], *, path: str, read: Read) -> Starlette:
    """The same application; what is sent to `path`, a pattern, is timed."""
    app.add_middleware(_Clock, calls=calls, path=re.compile(path), read=read)
    return app


class _Clock:
    def __init__(self, app: ASGIApp, calls: list[Call], path: "re.Pattern[str]", read: Read) -> None:
        self._app, self._calls, self._path, self._read = app, calls, path, read

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self._path.fullmatch(scope["path"]):
            await self._app(scope, receive, send)
            return
        began, data, asked = time.monotonic(), b"", False
        while not asked:
            part = await receive()
            data += part.get("body", b"")
            asked = part["type"] != "http.request" or not part.get("more_body")
        body = json.loads(data)
        call = Call(began, self._read(body), body)
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
