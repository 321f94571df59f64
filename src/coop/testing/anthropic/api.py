"""The server: answers with the script, keeps every request, and serves on loopback from a thread of its own."""

import asyncio
import json
import re
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from coop.testing.anthropic import stream
from coop.testing.pretend import PretendModel, reply_of, streamed
from coop.testing.replies import Break, Fail, Reply, Turn, Use, say

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

    def begins_with(self, words: str) -> bool:
        """Are they in the message that the conversation began with?"""
        return words in json.dumps(self.body["messages"][0], ensure_ascii=False)

    def tool_results(self) -> list[dict[str, Any]]:
        content = self.body["messages"][-1]["content"]
        return [block for block in content if isinstance(block, dict) and block["type"] == "tool_result"]


@dataclass
class FakeAnthropic(PretendModel[Received]):
    """The Messages API."""

    hung_up: list[Received] = field(default_factory=list[Received])
    """Those whose sender went away before the answer was told to the end."""
    _apart: dict[str, deque[Turn]] = field(default_factory=dict[str, deque[Turn]])

    def script_apart(self, words: str, *turns: Turn) -> None:
        """Turns for the conversation that begins with these words: a subagent's, which may go on beside the main loop."""
        self._apart.setdefault(words, deque()).extend(turns)

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
        reply = reply_of(turn)
        number, model = next(self._numbers), str(body.get("model", "pretend"))
        if await _leaves(request, within=reply.delay):
            self.hung_up.append(received)
            return Response()
        if not body.get("stream"):
            return JSONResponse(stream.message(reply, number, model))
        events, closing = stream.events(reply, number, model), stream.closing(reply)
        failure = (stream.failure(turn.kind, turn.message),) if isinstance(turn, Break) else ()
        answer = self._watched(received, streamed(turn, events, closing=closing, failure=failure))
        return StreamingResponse(answer, media_type="text/event-stream")

    async def _watched(self, received: Received, answer: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        try:
            async for event in answer:
                yield event
        except (asyncio.CancelledError, GeneratorExit):
            self.hung_up.append(received)
            raise

    def _next(self, received: Received) -> Turn:
        if not received.is_main:
            return say(json.dumps({"title": "Pretend session", "isNewTopic": False}))
        apart = next((turns for words, turns in self._apart.items() if turns and received.begins_with(words)), None)
        turn = self._scripted() if apart is None else apart.popleft()
        return _with_plan_file(turn, received.body)

    async def _count_tokens(self, request: Request) -> Response:
        return JSONResponse({"input_tokens": max(1, len(await request.body()) // 4)})

    async def _models(self, request: Request) -> Response:
        models = [{"type": "model", "id": name, "display_name": name, "created_at": "2025-01-01T00:00:00Z"} for name in _MODELS]
        return JSONResponse({"data": models, "has_more": False, "first_id": _MODELS[0], "last_id": _MODELS[-1]})

    async def _anything(self, request: Request) -> Response:
        return JSONResponse({})


async def _leaves(request: Request, *, within: float) -> bool:
    """Waits that long; true when the one who asked hung up meanwhile. The body has been read: nothing else can come."""
    try:
        async with asyncio.timeout(within):
            return bool((await request.receive())["type"] == "http.disconnect")
    except TimeoutError:
        return False


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
