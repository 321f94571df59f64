"""A model behind the Responses API of the provider."""

import json
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from coop_sim.codex.config import Provider
from coop_sim.codex.errors import CLOSED, DROPPED, UNREACHABLE, http_failure, stream_failure
from coop_sim.codex.history import text_of
from coop_sim.codex.model import Call, Failed, Hear, Response
from coop_sim.events import Stream
from coop_sim.posting import Answering, posting
from coop_sim.scenario import Faults
from coop_sim.shapes import Table, as_table, as_text, read_table

TOOLS: tuple[Table, ...] = (
    {"type": "function", "name": "exec_command"},
    {"type": "function", "name": "write_stdin"},
    {"type": "function", "name": "request_user_input"},
    {"type": "custom", "name": "apply_patch"},
)
_TITLE: Table = {"format": {"type": "json_schema", "name": "title", "schema": {"type": "object"}}}


@dataclass(frozen=True, slots=True)
class Remote:
    provider: Provider
    model: str

    def begin(self, prompt: str) -> Faults:
        return Faults()

    async def title(self, call: Call) -> str:
        response = await self.respond(call, lambda _: None)
        return as_text(read_table("".join(map(text_of, response.items))).get("title"))

    async def respond(self, call: Call, hear: Hear) -> Response:
        try:
            async with self._post(call) as answer:
                if answer.status >= 300:
                    raise Failed(http_failure(answer.status, await answer.text(), self._url))
                return await _read(answer, hear)
        except ConnectionRefusedError as problem:
            raise Failed(UNREACHABLE) from problem
        except (OSError, EOFError, ValueError, IndexError) as problem:
            raise Failed(DROPPED) from problem

    @property
    def _url(self) -> str:
        return f"{self.provider.url.rstrip('/')}/responses"

    def _post(self, call: Call) -> AbstractAsyncContextManager[Answering]:
        body: Table = {
            "model": self.model,
            "instructions": "You are a pretend Codex.",
            "input": list(call.items),
            "stream": True,
        }
        body |= {"tools": list(TOOLS)} if call.has_tools else {}
        body |= {"text": _TITLE} if call.wants_title else {}
        headers = {"Authorization": f"Bearer {self.provider.key}", "Accept": "text/event-stream"}
        return posting(self._url, headers, json.dumps(body).encode())


async def _read(answer: Answering, hear: Hear) -> Response:
    stream, coming = Stream(), Coming()
    async for piece in answer.pieces():
        for event in stream.receive(piece):
            if text := coming.receive(event):
                hear(text)
    if coming.error is not None:
        raise Failed(stream_failure(as_text(coming.error.get("code")), as_text(coming.error.get("message"))))
    if not coming.is_whole:
        raise Failed(CLOSED)
    return coming.response()


@dataclass
class Coming:
    """What has come of a response so far."""

    id: str = ""
    items: list[Table] = field(default_factory=list[Table])
    usage: Table = field(default_factory=dict[str, object])
    is_whole: bool = False
    error: Table | None = None

    def receive(self, event: Table) -> str:
        """The text that the event adds."""
        match event.get("type"):
            case "response.output_text.delta":
                return as_text(event.get("delta"))
            case "response.output_item.done":
                self.items.append(as_table(event.get("item")))
            case "response.completed":
                head = as_table(event.get("response"))
                self.id, self.usage, self.is_whole = as_text(head.get("id")), as_table(head.get("usage")), True
            case "response.failed":
                self.error = as_table(as_table(event.get("response")).get("error"))
            case _:
                pass
        return ""

    def response(self) -> Response:
        cached = as_table(self.usage.get("input_tokens_details")).get("cached_tokens")
        reasoning = as_table(self.usage.get("output_tokens_details")).get("reasoning_tokens")
        named = {**self.usage, "cached_input_tokens": cached, "reasoning_output_tokens": reasoning}
        usage = {name: count for name, count in named.items() if isinstance(count, int)}
        calls = any(as_text(item.get("type")).endswith("_call") for item in self.items)
        return Response(self.id, tuple(self.items), usage, ends=not calls)
