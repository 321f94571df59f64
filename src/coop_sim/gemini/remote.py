"""A model behind the Gemini API, at GOOGLE_GEMINI_BASE_URL."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from coop_sim.events import Stream
from coop_sim.gemini.streaming import Message
from coop_sim.posting import Answering, post, posting
from coop_sim.scenario import ApiError, Faults, Refused, Reply
from coop_sim.shapes import Table

_CHOSEN = "gemini-3.8-flash"
"""What the router of the real one settles for."""
_RETRIES = 9
_FIRST_WAIT = 0.4
"""The real one waits some five seconds at first."""
_BREAKS = 3
"""How often a stream that does not say why it ended is asked for again."""
UNFINISHED = "Model stream ended without a finish reason."


@dataclass(frozen=True, slots=True)
class Call:
    contents: Sequence[Table]
    system: str
    tools: Sequence[str]


@dataclass(frozen=True, slots=True)
class Remote:
    url: str
    key: str
    model: str | None
    retries_network: bool = True
    """An error of the API is tried again whatever the settings say."""

    @property
    def name(self) -> str:
        return self.model or _CHOSEN

    def begin(self, prompt: str) -> Faults:
        return Faults()

    async def route(self, prompt: str) -> None:
        """Which model is to answer is asked of another, unless one was named."""
        if self.model is not None:
            return
        wanted = {"type": "object", "properties": {"complexity_score": {"type": "integer"}, "reasoning": {"type": "string"}}}
        config = {"responseMimeType": "application/json", "responseJsonSchema": wanted}
        body: Table = {"contents": [{"role": "user", "parts": [{"text": prompt}]}], "generationConfig": config}
        with suppress(OSError, ValueError, EOFError, IndexError):
            await post(self._place(f"{_CHOSEN}-lite", "generateContent"), self._headers(), json.dumps(body).encode())

    async def reply(self, call: Call, hear: Callable[[str], None]) -> Reply:
        """Raises `Refused`."""
        try:
            async with posting(self._place(self.name, "streamGenerateContent?alt=sse"), self._headers(), _body(call)) as answer:
                if answer.status >= 300:
                    raise Refused(await self._error(answer))
                return await self._read(answer, hear)
        except (OSError, ValueError, EOFError, IndexError) as problem:
            error = ApiError(0, "no_network", "exception TypeError: fetch failed sending request")
            raise Refused(_retried(error) if self.retries_network else error) from problem

    async def _read(self, answer: Answering, hear: Callable[[str], None]) -> Reply:
        stream, message = Stream(), Message()
        with suppress(EOFError, ConnectionError):
            async for piece in answer.pieces():
                for event in stream.receive(piece):
                    if text := message.receive(event):
                        hear(text)
        if not message.finish:
            raise Refused(ApiError(0, "unfinished", UNFINISHED, _BREAKS, _FIRST_WAIT / 2, 1.5))
        return message.reply()

    async def _error(self, answer: Answering) -> ApiError:
        error = ApiError(answer.status, "api", await answer.text())
        return _retried(error) if answer.status == 429 or answer.status >= 500 else error

    def _place(self, model: str, method: str) -> str:
        return f"{self.url.rstrip('/')}/v1beta/models/{model}:{method}"

    def _headers(self) -> Mapping[str, str]:
        return {"x-goog-api-key": self.key}


def _retried(error: ApiError) -> ApiError:
    return ApiError(error.status, error.kind, error.message, _RETRIES, _FIRST_WAIT, 1.5)


def _body(call: Call) -> bytes:
    body: Table = {
        "contents": list(call.contents),
        "systemInstruction": {"role": "user", "parts": [{"text": call.system}]},
        "tools": [{"functionDeclarations": [{"name": name} for name in call.tools]}],
        "generationConfig": {"temperature": 1, "topP": 0.95},
    }
    return json.dumps(body).encode()
