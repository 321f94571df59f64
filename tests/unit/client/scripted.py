"""A coop that says what a test wants it to say, connection by connection."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

import httpx

from coop.client.sse import Frame

Said = bytes | Exception
Connection = Sequence[Said] | Exception


def spelled(frame: Frame) -> bytes:
    return f"id: {frame.id}\nevent: {frame.kind}\ndata: ".encode() + frame.data + b"\n\n"


@dataclass
class _Body(httpx.AsyncByteStream):
    said: Sequence[Said]

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for each in self.said:
            if isinstance(each, Exception):
                raise each
            yield each

    async def aclose(self) -> None:
        await asyncio.sleep(0)  # as a real one, which takes a moment to hang up


@dataclass
class Scripted(httpx.AsyncBaseTransport):
    """Each request for events gets the next connection; the last one is for all that follow."""

    connections: list[Connection]
    asked: list[httpx.Request] = field(default_factory=list[httpx.Request])
    answer: Callable[[httpx.Request], httpx.Response] = lambda _: httpx.Response(404)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path != "/api/v1/events":
            return self.answer(request)
        self.asked.append(request)
        connection = self.connections.pop(0) if len(self.connections) > 1 else self.connections[0]
        if isinstance(connection, Exception):
            raise connection
        return httpx.Response(200, stream=_Body(connection))

    def resumed(self) -> list[str | None]:
        """From where each connection wanted to go on."""
        return [request.headers.get("last-event-id") for request in self.asked]
