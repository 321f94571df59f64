"""The server: answers with the script, keeps every request, and serves on loopback from a thread of its own."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from coop.testing.google import stream
from coop.testing.pretend import PretendModel, reply_of, streamed
from coop.testing.replies import Fail, Turn, say

_CONTEXT = "</session_context>"


@dataclass(frozen=True, slots=True)
class Received:
    """One request for content, as it came."""

    body: dict[str, Any]
    is_main: bool
    """Of the agent's own loop; not a side call that chooses a model or sums up."""
    model: str = ""

    def last_user_text(self) -> str:
        """What the user said last, in one piece, without the context the agent puts before it."""
        for content in reversed(self.body.get("contents", [])):
            texts = [part["text"] for part in content.get("parts", []) if "text" in part]
            if content.get("role") == "user" and texts:
                return "".join(texts).rpartition(_CONTEXT)[2]
        return ""

    def tool_results(self) -> list[dict[str, Any]]:
        """Those this request brings: name and response."""
        last = self.body["contents"][-1]
        return [part["functionResponse"] for part in last.get("parts", []) if "functionResponse" in part]


@dataclass
class FakeGoogle(PretendModel[Received]):
    """The API of generativelanguage."""

    def _application(self) -> Starlette:
        routes = [
            Route("/v1beta/models/{model}:{method}", self._model, methods=["POST"]),
            Route("/{path:path}", self._anything, methods=["GET", "POST", "HEAD"]),
        ]
        return Starlette(routes=routes)

    async def _model(self, request: Request) -> Response:
        body: dict[str, Any] = await request.json()
        method = request.path_params["method"]
        if method == "countTokens":
            return JSONResponse({"totalTokens": max(1, len(json.dumps(body)) // 4)})
        schema = _schema(body)
        received = Received(body, is_main=schema is None and bool(body.get("tools")), model=request.path_params["model"])
        self.received.append(received)
        return await self._answered(self._next(received, schema), streams=method.startswith("stream"))

    def _next(self, received: Received, schema: dict[str, Any] | None) -> Turn:
        if schema is not None:
            return say(json.dumps(_fitting(schema)))
        if not received.is_main:
            return say("A summary of nothing.")
        return self._scripted()

    async def _answered(self, turn: Turn, *, streams: bool) -> Response:
        if isinstance(turn, Fail):
            return JSONResponse(stream.failure(turn), status_code=turn.status, headers=dict(turn.headers))
        reply = reply_of(turn)
        number = next(self._numbers)
        await asyncio.sleep(reply.delay)
        if not streams:
            return JSONResponse(stream.message(reply, number))
        events, closing = stream.events(reply, number), (stream.closing(reply, number),)
        answer = streamed(turn, events, closing=closing, failure=())  # one that breaks off does not say why
        return StreamingResponse(answer, media_type="text/event-stream")

    async def _anything(self, request: Request) -> Response:
        return JSONResponse(stream.failure(Fail(404, message=f"nothing is at {request.url.path}")), status_code=404)


def _schema(body: dict[str, Any]) -> dict[str, Any] | None:
    """What a side call wants its answer to look like."""
    config: dict[str, Any] = body.get("generationConfig") or {}
    wanted: dict[str, Any] | None = config.get("responseJsonSchema") or config.get("responseSchema")
    return wanted or ({} if config.get("responseMimeType") == "application/json" else None)


def _fitting(schema: dict[str, Any]) -> dict[str, object]:
    return dict(_fields(schema.get("properties", {})))


def _fields(properties: dict[str, Any]) -> Iterator[tuple[str, object]]:
    for name, wanted in properties.items():
        of_type: dict[str, object] = {"boolean": False, "number": 50, "integer": 50, "array": [], "object": {}}
        choices = wanted.get("enum")
        yield name, choices[0] if choices else of_type.get(str(wanted.get("type", "")).lower(), "nothing")
