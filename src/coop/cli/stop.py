"""`coop stop`: ends a session."""

import asyncio
import os
import socket
from collections.abc import Generator
from contextlib import contextmanager, suppress

import click

from coop.cli import looks
from coop.cli.reaching import Asking, Door, echo_json, session, what_to_do_about
from coop.cli.seconds import Seconds
from coop.client.api import Api
from coop.client.events import EventStream
from coop.client.session import Session
from coop.errors import Unreachable
from coop.model.events import Event, SessionEnded
from coop.model.state import Exited, ExitStatus
from coop.model.view import Snapshot, StreamItem
from coop.session.processes import behind
from coop.wire import ws

GRACE = 10.0
WITHIN = 15.0
_GONE_WITHIN = 2.0
"""How long coop may take after its goodbye to clear away what it had: its name is free then. A relay before it does not end."""
_TO_ASK = 5.0
"""However short the wait for its end is to be: a session that was not asked does not end."""


@click.command(cls=Asking)
@session
@click.option("--now", is_flag=True, help="Kill the child at once, rather than 10 s after it was hung up on.")
@click.option("--timeout", type=Seconds(0), default=WITHIN, metavar="SECS", show_default=True, help="Wait so long for its end.")
def stop(door: Door, *, as_json: bool, now: bool, timeout: float) -> None:
    """End a session.

    Hangs up on the child, as the end of a terminal would, and waits for its end. What coop is attached to is let go, and runs on.
    """
    name, ended = door.ask(lambda api: _ended(api, now=now, patience=timeout))
    if as_json:
        echo_json(ws.exit_of(ended))
    else:
        click.echo(f"{name} has ended: {told(ended)}")


async def _ended(api: Api, *, now: bool, patience: float) -> tuple[str, ExitStatus]:
    """The name of the session, and how its child ended."""
    session, is_asked = Session(api), False
    until = asyncio.get_running_loop().time() + patience
    with _process_behind(api.address.socket) as process:
        try:
            async with asyncio.timeout(max(patience, _TO_ASK)) as limit, session.events(patience=0.0) as events:
                first = await anext(events)
                name = (await session.health()).name
                await session.shut_down(0.0 if now else GRACE)
                is_asked = True
                limit.reschedule(until)
                status = await _last_word(events, first)
        except TimeoutError:
            raise TimeoutError(_late(patience, now=now) if is_asked else _silent(api.address.socket)) from None
        if process is not None:
            await _has_gone(process)
    return name, status


@contextmanager
def _process_behind(path: str | None) -> Generator[int | None]:
    """Can be read from when the process that listens on a Unix socket has ended; `None` when it is not known, or not of here."""
    process = None
    if path is not None:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.settimeout(_TO_ASK)
            probe.connect(path)
            process = os.pidfd_open(behind(probe) or 0)
    try:
        yield process
    finally:
        if process is not None:
            os.close(process)


async def _has_gone(process: int) -> None:
    loop, gone = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(process, gone.set)
    try:
        with suppress(TimeoutError):
            await asyncio.wait_for(gone.wait(), _GONE_WITHIN)
    finally:
        loop.remove_reader(process)


def _late(patience: float, *, now: bool) -> str:
    late = f"the session was told to end, and has not within {patience:g} s"
    return f"{late}; wait for longer with --timeout" if now else f"{late}; with --now its child is killed at once"


def _silent(path: str | None) -> str:
    return f"the session does not answer; {what_to_do_about(path) or 'end its coop'}"


async def _last_word(events: EventStream, first: StreamItem) -> ExitStatus:
    """How the child ended; of nothing, when coop has gone before it could say."""
    status = first.state.status if isinstance(first, Snapshot) and isinstance(first.state, Exited) else ExitStatus()
    with suppress(Unreachable):
        async for item in events:
            if isinstance(item, Event) and isinstance(item.fact, SessionEnded):
                status = item.fact.status
    return status


def told(status: ExitStatus) -> str:
    how = looks.ended(status)
    return f"the child {how}" if how else "it was let go"
