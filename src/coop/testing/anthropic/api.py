"""The server: answers with the script, keeps every request, and serves on loopback from a thread of its own."""

import asyncio
import itertools
import json
import re
from collections import deque
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from coop.testing.anthropic import stream
from coop.testing.replies import Break, Drop, Fail, Reply, Turn, Use, say
from coop.testing.serving import served

_MAIN_TOOLS = frozenset({"Bash", "Read", "Edit", "Write", "AskUserQuestion", "ExitPlanMode"})
_PLAN_FILE = re.compile(r'(/[^\s"`\\]*\.claude/plans/[^\s"`\\]+\.md)')
_MODELS = ("claude-sonnet-5", "claude-opus-4-8", "claude-haiku-4-5-20251001")


@dataclass(frozen=True, slots=True)
class Received:
    """One request to the Messages API, as it came."""

    body: dict[str, Any]
    is_main: bool
    """Of the agent's own loop; not a side call for a title or a summary."""

    def last_user_text(self) -> str:
        """What the user said last, in one piece."""
        last = next((message for message in reversed(self.body["messages"]) if message["role"] == "user"), {"content": ""})
        content = last["content"]
        if isinstance(content, str):
            return content
        return "\n".join(block["text"] for block in content if block["type"] == "text")

    def tool_results(self) -> list[dict[str, Any]]:
        content = self.body["messages"][-1]["content"]
        return [block for block in content if isinstance(block, dict) and block["type"] == "tool_result"]


@dataclass
class FakeAnthropic:
    """`script` turns for the main loop; when there are none left, `otherwise` is said."""

    otherwise: Turn = field(default_factory=lambda: say("Nothing more is scripted."))
    received: list[Received] = field(default_factory=list[Received])
    url: str = ""
    _script: deque[Turn] = field(default_factory=deque[Turn])
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def script(self, *turns: Turn) -> None:
        self._script.extend(turns)

    def forget(self) -> None:
        """What was scripted and not said."""
        self._script.clear()

    @property
    def main_requests(self) -> list[Received]:
        return [request for request in self.received if request.is_main]

    @contextmanager
    def serving(self) -> Generator["FakeAnthropic"]:
        with served(self._application()) as self.url:
            yield self

    def _application(self) -> Starlette:
        routes = [
            Route("/v1/messages", self._messages, methods=["POST"]),
            Route("/v1/messages/count_tokens", self._count_tokens, methods=["POST"]),
            Route("/v1/models", self._models),
            Route("/{path:path}", self._anything, methods=["GET", "POST", "HEAD"]),
        ]
        return Starlette(routes=routes)

    async def _messages(self, request: Request) -> Response:
        body: dict[str, Any] = await request.json()
        received = Received(body, is_main=_is_main(body))
        self.received.append(received)
        turn = self._next(received)
        if isinstance(turn, Fail):
            return _failed(turn)
        reply = turn if isinstance(turn, Reply) else turn.reply
        number, model = next(self._numbers), str(body.get("model", "pretend"))
        await asyncio.sleep(reply.delay)
        if not body.get("stream"):
            return JSONResponse(stream.message(reply, number, model))
        return StreamingResponse(_streamed(turn, reply, number, model), media_type="text/event-stream")

    def _next(self, received: Received) -> Turn:
        if not received.is_main:
            return say(json.dumps({"title": "Pretend session", "isNewTopic": False}))
        turn = self._script.popleft() if self._script else self.otherwise
        return _with_plan_file(turn, received.body)

    async def _count_tokens(self, request: Request) -> Response:
        return JSONResponse({"input_tokens": max(1, len(await request.body()) // 4)})

    async def _models(self, request: Request) -> Response:
        models = [{"type": "model", "id": name, "display_name": name, "created_at": "2025-01-01T00:00:00Z"} for name in _MODELS]
        return JSONResponse({"data": models, "has_more": False, "first_id": _MODELS[0], "last_id": _MODELS[-1]})

    async def _anything(self, request: Request) -> Response:
        return JSONResponse({})


def _is_main(body: dict[str, Any]) -> bool:
    return bool(_MAIN_TOOLS & {tool.get("name") for tool in body.get("tools") or ()})


def _failed(turn: Fail) -> Response:
    error = {"type": "error", "error": {"type": turn.kind, "message": turn.message}, "request_id": "req_pretend"}
    return JSONResponse(error, status_code=turn.status, headers=dict(turn.headers))


def _with_plan_file(turn: Turn, body: dict[str, Any]) -> Turn:
    found = _PLAN_FILE.search(json.dumps(body))
    if found is None or not isinstance(turn, Reply):
        return turn
    return replace(turn, blocks=tuple(_named(block, found[1]) if isinstance(block, Use) else block for block in turn.blocks))


def _named(block: Use, path: str) -> Use:
    given: dict[str, object] = json.loads(json.dumps(dict(block.input)).replace("$PLANFILE", path))
    return replace(block, input=given)


async def _streamed(turn: Turn, reply: Reply, number: int, model: str) -> AsyncIterator[bytes]:
    for event in stream.events(reply, number, model):
        yield event
        if reply.pace:
            await asyncio.sleep(reply.pace)
    match turn:
        case Drop():
            raise ConnectionError("dropped, as scripted")
        case Break(_, kind, text):
            yield stream.failure(kind, text)
        case _:
            for event in stream.closing(reply):
                yield event
