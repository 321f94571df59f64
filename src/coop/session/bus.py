"""The way out: every subscriber gets a snapshot and then events, and is told when it was too slow."""

import asyncio
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager

from coop.model.events import Event

JOURNAL = 1024
"""How many past events can be caught up on."""
QUEUE = 256
"""How many events one subscriber may leave lying."""


class Subscription:
    """One reader. Bytes and cells are not queued: it is only told that there is something new, and takes what is there."""

    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._stirred = False
        self.missed = 0
        """Events dropped since last taken; more than none is a lag the reader must be told of."""

    def put(self, event: Event) -> int:
        """How many events are lost to the reader by it."""
        lost = len(self._events) if len(self._events) >= QUEUE else 0
        if lost:
            self.missed += lost
            self._events.clear()
        self._events.append(event)
        return lost

    def stir(self) -> None:
        """Wakes the reader, if it sleeps."""
        self._stirred = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def take(self) -> tuple[int, tuple[Event, ...]]:
        """How many events were missed, and those that came after."""
        missed, self.missed = self.missed, 0
        events = tuple(self._events)
        self._events.clear()
        return missed, events

    async def wait(self) -> None:
        """Until there is something new since last asked."""
        if not self._stirred:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        self._stirred = False


class Bus:
    def __init__(self) -> None:
        self._journal: deque[Event] = deque(maxlen=JOURNAL)
        self.subscribers: set[Subscription] = set()
        self._watchers: set[Subscription] = set()
        self.lost_events = 0
        """To readers that were too slow, all together."""
        self.lost_bytes = 0

    @property
    def watchers(self) -> int:
        """How many of the subscribers read output, too."""
        return len(self._watchers)

    def publish(self, event: Event) -> None:
        self._journal.append(event)
        for subscriber in self.subscribers:
            self.lost_events += subscriber.put(event)
            subscriber.stir()

    def stir(self) -> None:
        """The child has written: wakes whoever waits for bytes or cells."""
        for watcher in self._watchers:
            watcher.stir()

    def since(self, seq: int) -> tuple[Event, ...] | None:
        """The events after `seq`; `None` when some of them are no longer kept, or it has not come yet."""
        last = self._journal[-1].seq if self._journal else 0
        first = self._journal[0].seq if self._journal else 1
        if not first - 1 <= seq <= last:
            return None
        return tuple(event for event in self._journal if event.seq > seq)

    @contextmanager
    def subscribed(self, *, to_output: bool) -> Generator[Subscription]:
        subscription = Subscription()
        self.subscribers.add(subscription)
        if to_output:
            self._watchers.add(subscription)
        try:
            yield subscription
        finally:
            self.subscribers.discard(subscription)
            self._watchers.discard(subscription)
