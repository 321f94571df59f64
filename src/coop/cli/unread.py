"""What goes on for ever ends with whoever reads it, and not only when there is something to write again."""

import asyncio
import select
import sys
from collections.abc import Coroutine
from typing import Any

from coop.cli.stdout import Unwritable


async def while_read(work: Coroutine[Any, Any, None]) -> None:
    """Raises `Unwritable` when nobody reads our standard output any more."""
    told, unread = asyncio.ensure_future(work), asyncio.ensure_future(_unread())
    try:
        await asyncio.wait((told, unread), return_when=asyncio.FIRST_COMPLETED)
        if not told.done():
            raise Unwritable(BrokenPipeError())
        await told
    finally:
        for each in (told, unread):
            each.cancel()
        await asyncio.gather(told, unread, return_exceptions=True)


async def _unread() -> None:
    loop, gone = asyncio.get_running_loop(), asyncio.Event()
    with select.epoll() as ends:  # of its own, which asks for nothing but the end: a terminal can be read from, too
        try:
            ends.register(sys.stdout.fileno(), 0)
        except OSError:  # a file, which nobody needs to read
            await gone.wait()
        loop.add_reader(ends.fileno(), gone.set)
        try:
            await gone.wait()
        finally:
            loop.remove_reader(ends.fileno())
