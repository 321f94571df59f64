"""The events of a session as they come, over any number of connections."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Self

import httpx

from coop.client.api import Api
from coop.client.follow import Follower
from coop.client.sse import SseReader
from coop.errors import NotReady, Unreachable
from coop.model.view import StreamItem

PATIENCE = 30.0
"""How long a coop that cannot be reached any more is waited for."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0


class EventStream:
    """`async for item in session.events()`.

    Begins with a `Snapshot`; then every event of the session, each once and in order. A connection that breaks is made anew
    and goes on where it broke. What cannot be made up for is said: `Restarted` or `Lagged`, and a `Snapshot`. The stream
    ends when the session has; `Unreachable` is raised when coop could not be reached again for `patience` seconds.
    """

    def __init__(self, api: Api, follower: Follower, *, patience: float) -> None:
        self._api = api
        self._follower = follower
        self._patience = patience
        self._items: deque[StreamItem] = deque()
        self._response: httpx.Response | None = None
        self._chunks: AsyncIterator[bytes] | None = None
        self._reader = SseReader()
        self._pause = _FIRST_PAUSE
        self._lost_at: float | None = None
        self.is_closed = False

    def __aiter__(self) -> Self:
        return self

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def __anext__(self) -> StreamItem:
        while not self._items:
            if self._follower.ended or self.is_closed:
                await self.aclose()
                raise StopAsyncIteration
            await self._read()
        return self._items.popleft()

    async def aclose(self) -> None:
        self.is_closed = True
        await self._hang_up()

    async def _read(self) -> None:
        """Takes what comes next, or makes a connection for it to come by."""
        if self._chunks is None:
            await self._connect()
            return
        try:
            data = await anext(self._chunks)
        except (StopAsyncIteration, httpx.TransportError, httpx.StreamError):
            await self._on_loss(Unreachable(f"{self._api.address} has hung up"))
            return
        self._pause, self._lost_at = _FIRST_PAUSE, None
        for frame in self._reader.receive(data):
            self._items.extend(self._follower.receive(frame))

    async def _connect(self) -> None:
        last = self._follower.last_event_id
        try:
            self._response = await self._api.stream("/api/v1/events", {"last-event-id": last} if last else {})
        except (Unreachable, NotReady) as error:
            if last is None:
                raise  # there was nothing to lose yet
            await self._on_loss(error)
            return
        self._chunks, self._reader = aiter(self._response.aiter_raw()), SseReader()

    async def _on_loss(self, error: Unreachable | NotReady) -> None:
        """Pauses before the next try: for a moment at first, then longer every time."""
        await self._hang_up()
        now = asyncio.get_running_loop().time()
        self._lost_at = self._lost_at if self._lost_at is not None else now
        if now - self._lost_at > self._patience:
            raise error
        pause, self._pause = self._pause, min(_LONGEST_PAUSE, 2 * self._pause)
        await asyncio.sleep(pause)

    async def _hang_up(self) -> None:
        response, self._response, self._chunks = self._response, None, None
        if response is not None:
            await response.aclose()
