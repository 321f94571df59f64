"""A model behind the Messages API, at ANTHROPIC_BASE_URL."""

import json
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from coop_sim.claude.errors import api_error, broken, broken_off, unreachable
from coop_sim.claude.model import Call, Hear
from coop_sim.claude.streaming import Message, whole_message
from coop_sim.events import Stream
from coop_sim.posting import Answering, posting
from coop_sim.scenario import ApiError, Faults, Refused, Reply
from coop_sim.shapes import Table, as_table, as_text, read_table

_MOST_TOKENS = 32_000


@dataclass(frozen=True, slots=True)
class Remote:
    url: str
    key: str
    model: str
    recovers: bool
    """Is a message that broke off asked for once more, in one piece?"""

    def begin(self, prompt: str) -> Faults:
        return Faults()

    def apart(self) -> "Remote":
        return self

    async def summary(self, call: Call) -> str:
        return (await self.reply(call, lambda _: None)).say

    async def reply(self, call: Call, hear: Hear) -> Reply:
        try:
            return await self._ask(call, hear)
        except (ConnectionError, EOFError) as problem:
            refused = isinstance(problem, ConnectionRefusedError)
            raise Refused(unreachable("ECONNREFUSED" if refused else "ECONNRESET")) from problem
        except (OSError, ValueError, IndexError) as problem:
            raise Refused(unreachable(str(problem))) from problem

    async def _ask(self, call: Call, hear: Hear) -> Reply:
        async with self._post(call, streams=True) as answer:
            if answer.status >= 300:
                raise Refused(await self._error(answer))
            reply = await self._read(answer, hear)
        if reply is not None:
            return reply
        if not self.recovers:
            raise Refused(broken_off("Connection closed"))
        async with self._post(call, streams=False) as answer:
            if answer.status >= 300:
                raise Refused(await self._error(answer))
            return whole_message(await answer.text())

    def _post(self, call: Call, *, streams: bool) -> AbstractAsyncContextManager[Answering]:
        body: Table = {
            "model": self.model,
            "max_tokens": _MOST_TOKENS,
            "system": call.system,
            "messages": list(call.messages),
            "tools": [{"name": name} for name in call.tools],
            "stream": streams,
        }
        headers = {"x-api-key": self.key, "anthropic-version": "2023-06-01"}
        return posting(f"{self.url.rstrip('/')}/v1/messages?beta=true", headers, json.dumps(body).encode())

    async def _error(self, answer: Answering) -> ApiError:
        told = as_table(read_table(await answer.text()).get("error"))
        may_retry = answer.headers.get("x-should-retry") != "false"
        host = urlsplit(self.url).netloc
        return api_error(answer.status, as_text(told.get("type")), as_text(told.get("message")), host=host, may_retry=may_retry)

    async def _read(self, answer: Answering, hear: Hear) -> Reply | None:
        """`None` when it broke off."""
        stream, message = Stream(), Message()
        with suppress(EOFError, ValueError, ConnectionError):
            async for piece in answer.pieces():
                for event in stream.receive(piece):
                    if text := message.receive(event):
                        hear(text)
        if message.error is not None:
            told = as_text(message.error.get("message"))
            raise Refused(broken_off("Server error") if self.recovers else broken(told))
        return message.reply() if message.is_whole else None


def remote(env: Mapping[str, str], *, model: str, recovers: bool) -> Remote | None:
    """`None` when no API is named."""
    url = env.get("ANTHROPIC_BASE_URL")
    key = env.get("ANTHROPIC_API_KEY") or env.get("ANTHROPIC_AUTH_TOKEN", "")
    return Remote(url, key, model, recovers) if url else None
