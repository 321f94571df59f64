"""`coop ls --watch`: the list, told again whenever an event has changed it."""

import asyncio
import shutil
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Protocol

import click

from coop.cli.listing import Row, listed, look
from coop.client.address import Address
from coop.client.api import Api
from coop.client.finding import Found, sessions
from coop.client.follow import state_in
from coop.client.session import Session
from coop.errors import CoopError
from coop.wire.text import encode

LOOK_EVERY = 1.0
"""For sessions that are new or gone; and ages grow."""
NONE = "no session runs here"


class Surface(Protocol):
    """What the list is told on."""

    def opened(self) -> AbstractContextManager[object]: ...
    def tell(self, rows: Sequence[Row], now: float) -> None: ...


class Screen:
    """A terminal: the list is drawn over the last one, and leaves nothing behind."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._home = env.get("HOME")

    @contextmanager
    def opened(self) -> Generator[None]:
        click.echo("\x1b[?1049h\x1b[?25l", nl=False, color=True)
        try:
            yield
        finally:
            click.echo("\x1b[?25h\x1b[?1049l", nl=False, color=True)

    def tell(self, rows: Sequence[Row], now: float) -> None:
        size = shutil.get_terminal_size()
        lines = listed(rows, now, home=self._home, width=size.columns) if rows else [NONE]
        drawn = "\n".join(f"{line if color_is_on() else click.unstyle(line)}\x1b[K" for line in lines[: size.lines])
        click.echo(f"\x1b[H{drawn}\x1b[J", nl=False, color=True)


class Paper:
    """A pipe or a file: the list is told again when something other than its age has changed."""

    def __init__(self, env: Mapping[str, str], *, as_json: bool) -> None:
        self._home = env.get("HOME")
        self._as_json = as_json
        self._last: object = None

    def opened(self) -> AbstractContextManager[object]:
        return nullcontext()

    def tell(self, rows: Sequence[Row], now: float) -> None:
        facts = [(row.found, {**row.told, "for_secs": 0, "uptime_secs": 0, "screen_seq": 0}, str(row.error)) for row in rows]
        if facts == self._last:
            return
        self._last = facts
        if self._as_json:
            click.echo(encode([row.body(now) for row in rows]))
        else:
            click.echo("\n".join([*(listed(rows, now, home=self._home, width=None) if rows else [NONE]), ""]))


def color_is_on() -> bool:
    return click.get_current_context().color is not False


async def watch(env: Mapping[str, str], token: str | None, surface: Surface) -> None:
    """Until it is cancelled."""
    board = Board(token)
    with surface.opened():
        async with asyncio.TaskGroup() as followers:
            while True:
                board.follow(await asyncio.to_thread(sessions, env), followers)
                await board.looked_at_all()
                surface.tell(board.rows(), time.monotonic())
                await board.change()


class Board:
    """The rows, kept up to date by one follower each."""

    def __init__(self, token: str | None) -> None:
        self._token = token
        self._rows: dict[Found, Row] = {}
        self._followers: dict[Found, asyncio.Task[None]] = {}
        self._changed = asyncio.Event()

    def rows(self) -> list[Row]:
        return [self._rows[found] for found in sorted(self._rows, key=lambda found: found.name)]

    def follow(self, there: Sequence[Found], followers: asyncio.TaskGroup) -> None:
        """Those that are there, and no others."""
        for gone in self._followers.keys() - set(there):
            self._followers.pop(gone).cancel()
            self._rows.pop(gone, None)
        for found in there:
            if found not in self._followers or self._followers[found].done():
                self._followers[found] = followers.create_task(self._kept(found))

    async def looked_at_all(self) -> None:
        """A list that is told for the first time is whole."""
        while self._followers.keys() - self._rows.keys():
            self._changed.clear()
            await self._changed.wait()

    async def change(self) -> None:
        self._changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_EVERY):
                await self._changed.wait()

    async def _kept(self, found: Found) -> None:
        """Looks again whenever the session tells of another state, until it cannot be followed."""
        await self._look(found)
        api = Api(Address("http://localhost", str(found.socket)), self._token, None)
        try:
            async with Session(api).events(patience=0.0) as events:
                async for item in events:
                    if state_in(item) is not None:
                        await self._look(found)
        except CoopError:
            pass  # the next look says what is the matter
        finally:
            await api.close()

    async def _look(self, found: Found) -> None:
        self._rows[found] = await look(found, self._token, time.monotonic())
        self._changed.set()
