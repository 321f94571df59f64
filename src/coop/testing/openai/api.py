"""The Responses API: answers with the script, and keeps every request."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from coop.testing.openai import stream
from coop.testing.pretend import PretendModel, reply_of, streamed
from coop.testing.replies import Break, Fail, Turn, say


@dataclass(frozen=True, slots=True)
class Received:
    """One request to the Responses API, as it came."""

    body: dict[str, Any]
    is_main: bool
    """Of the agent's own loop; not a side call for a title or a summary."""

    def user_texts(self) -> list[str]:
        """Everything that was said as the user, what the agent itself says so included."""
        return ["".join(part.get("text", "") for part in item["content"]) for item in self._input() if _is_users(item)]

    def last_user_text(self) -> str:
        """What the user said last, in one piece."""
        return next(reversed(self.user_texts()), "")

    def tool_results(self) -> list[dict[str, Any]]:
        """Those that came since the user last said something."""
        items = self._input()
        last = max((n for n, item in enumerate(items) if _is_users(item)), default=-1)
        return [item for item in items[last + 1 :] if str(item.get("type", "")).endswith("_call_output")]

    def freeform_tools(self) -> frozenset[str]:
        return frozenset(tool["name"] for tool in self.body.get("tools") or () if tool.get("type") == "custom")

    def _input(self) -> list[dict[str, Any]]:
        given: list[dict[str, Any]] = self.body.get("input") or []
        return given


def _is_users(item: dict[str, Any]) -> bool:
    return item.get("type") == "message" and item.get("role") == "user"


@dataclass
class FakeOpenAI(PretendModel[Received]):
    """The Responses API."""

    aside: Turn = field(default_factory=lambda: say("It was about nothing."))
    """What a side call is told that wants words: a summary, say."""

    def _application(self) -> Starlette:
        routes = [
            Route("/v1/responses", self._responses, methods=["POST"]),
            Route("/v1/models", self._models),
            Route("/{path:path}", self._nothing, methods=["GET", "POST", "HEAD"]),
        ]
        return Starlette(routes=routes)

    async def _responses(self, request: Request) -> Response:
        body: dict[str, Any] = await request.json()
        received = Received(body, is_main=bool(body.get("tools")) and not _wants_json(body))
        self.received.append(received)
        turn = self._next(received)
        if isinstance(turn, Fail):
            return _failed(turn)
        reply, number = reply_of(turn), next(self._numbers)
        await asyncio.sleep(reply.delay)
        freeform = received.freeform_tools()
        events, closing = stream.events(reply, number, freeform), stream.closing(reply, number, freeform)
        failure = (stream.failure(number, turn.kind, turn.message),) if isinstance(turn, Break) else ()
        return StreamingResponse(streamed(turn, events, closing=closing, failure=failure), media_type="text/event-stream")

    def _next(self, received: Received) -> Turn:
        if _wants_json(received.body):
            return say(json.dumps({"title": "Pretend session"}))
        if not received.is_main:
            return self.aside
        return self._scripted()

    async def _models(self, request: Request) -> Response:
        return JSONResponse({"models": []})

    async def _nothing(self, request: Request) -> Response:
        return JSONResponse({"error": {"message": f"nothing is at {request.url.path}"}}, status_code=404)


def _wants_json(body: dict[str, Any]) -> bool:
    """A side call for a title wants it in a form."""
    text: dict[str, Any] = body.get("text") or {}
    return bool(text.get("format"))


def _failed(turn: Fail) -> Response:
    error = {"error": {"type": turn.kind, "code": turn.kind, "message": turn.message}}
    return JSONResponse(error, status_code=turn.status, headers=dict(turn.headers))
