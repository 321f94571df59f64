"""What a session tells as it happens, whatever it is carried by: output from an offset on, screens, events."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator

from coop.errors import Lagged
from coop.model.events import Event, SessionEnded
from coop.server.facade import Served
from coop.session.bus import Subscription
from coop.wire import http
from coop.wire.ws import SnapshotMessage, SnapshotReason

FRAME = 64 * 1024
"""At most so many bytes of output in one message."""
FRAME_INTERVAL = 0.025
"""A screen is sent at most this often."""
HALF_FRAME_AT_MOST = 0.1
"""How long a frame that is being drawn is waited for."""
BURST = 4000
"""So much at once is a flood: many small reads are worth one message."""
_BREATH = 0.002

Position = tuple[str, int]
"""An epoch, and the last event of it that was read."""


async def breathe(served: Served) -> None:
    """The more readers, the longer."""
    await asyncio.sleep(_BREATH * (1 + len(served.session.bus.subscribers) / 10))


async def output(served: Served, offset: int) -> AsyncGenerator[tuple[bytes, int]]:
    """Bytes and their offset, as far back as they are kept, until the child is gone and all it wrote was told.

    Raises `Lagged` when bytes went before they could be told.
    """
    ring = served.core.ring
    offset = min(max(offset, ring.start), ring.total)
    with served.session.bus.subscribed(to_output=True) as subscription:
        while True:
            is_over, began = served.core.ended is not None, offset
            while offset < ring.total:
                if offset < ring.start:
                    served.session.bus.lost_bytes += ring.start - offset
                    raise Lagged(f"too slow: output from {offset} to {ring.start} is no longer kept; ask from {ring.start} on")
                chunk = ring.since(offset, FRAME)
                yield chunk.data, offset
                offset = chunk.next_offset
            if is_over:
                return
            if offset - began >= BURST:
                await breathe(served)
            subscription.take()
            await subscription.wait()


async def screens(served: Served) -> AsyncGenerator[http.Screen]:
    """As it is, and then when it has changed, but not too often, until the child is gone."""
    seen, due, loop = -1, 0.0, asyncio.get_running_loop()
    with served.session.bus.subscribed(to_output=True) as subscription:
        while True:
            is_over = served.core.ended is not None
            if served.core.screen.seq != seen:
                shown = served.screen(ansi=False, cursor=True, scrollback=0)
                seen = shown.sequence
                yield shown
                due = loop.time() + FRAME_INTERVAL
            if is_over:
                return
            subscription.take()
            await subscription.wait()
            await asyncio.sleep(max(0.0, due - loop.time()))
            await _frame_end(served, subscription)


async def _frame_end(served: Served, subscription: Subscription) -> None:
    """A frame the program is still drawing is waited for, but not for ever."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(HALF_FRAME_AT_MOST):
            while served.core.screen.in_synchronized_update:
                await subscription.wait()


async def events(
    served: Served, after: Position | None, *, quiet: float | None = None
) -> AsyncGenerator[Event | SnapshotMessage | None]:
    """A snapshot and what happens then, or what has happened since; until the child is gone.

    Where a reader has missed what is no longer kept, there is a snapshot again, which says so. `None` when nothing has
    happened for `quiet` seconds.
    """
    with served.session.bus.subscribed(to_output=False) as subscription:
        caught_up, is_over = _caught_up(served, after), served.core.ended is not None
        for item in caught_up:
            yield item
        while not is_over:
            for item in _fresh(served, subscription):
                yield item
                is_over = is_over or (isinstance(item, Event) and isinstance(item.fact, SessionEnded))
            if not is_over and not await _stirred(subscription, quiet):
                yield None


def _caught_up(served: Served, after: Position | None) -> tuple[Event | SnapshotMessage, ...]:
    if after is None:
        return (_snapshot(served, "start"),)
    if after[0] != served.core.settings.epoch:
        return (_snapshot(served, "restarted"),)
    missed = served.session.bus.since(after[1])
    return (_snapshot(served, "lagged"),) if missed is None else missed


def _fresh(served: Served, subscription: Subscription) -> tuple[Event | SnapshotMessage, ...]:
    dropped, fresh = subscription.take()
    if not dropped:
        return fresh
    return (_snapshot(served, "lagged"), *(event for event in fresh if isinstance(event.fact, SessionEnded)))


def _snapshot(served: Served, reason: SnapshotReason) -> SnapshotMessage:
    return SnapshotMessage(reason, served.state(), served.core.ended is not None)


async def _stirred(subscription: Subscription, within: float | None) -> bool:
    try:
        async with asyncio.timeout(within):
            await subscription.wait()
    except TimeoutError:
        return False
    return True
