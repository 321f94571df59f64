"""A session whose events are read through a proxy that cuts the connection, and that is started anew now and then."""

import asyncio
import json
import random
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

import coop
from bench.continuity.judge import Verdict, judge
from bench.continuity.proxy import Cut, CuttingProxy
from coop.client import Event, Session, Snapshot, StreamItem
from coop.client.address import address_of
from coop.client.api import Api

SHELL = ("sh", "-c", "while :; do printf '$ '; read x; sleep 0.02; done")
STATES = "[screen]\nprompt = '^\\$ ?$'\nquiet = 0.02\n"
PACE = 0.003
"""Between two events that we cause: a coop keeps the last 1024, and a reader may be away for half a second."""
WITHIN = 60.0
HEAD = 150
"""The head of a reply is about as long."""


@dataclass
class Run:
    """What was published, what was read, and what stood in between."""

    published: dict[str, list[tuple[int, Mapping[str, Any]]]] = field(
        default_factory=dict[str, list[tuple[int, Mapping[str, Any]]]]
    )
    told: dict[str, int] = field(default_factory=dict[str, int])
    """The last number that the direct reader was told of each epoch, if only by its first snapshot."""
    items: list[StreamItem] = field(default_factory=list[StreamItem])
    cuts: list[Cut] = field(default_factory=list[Cut])
    seconds: float = 0.0

    def verdicts(self) -> list[Verdict]:
        return judge(self.items, self.published)

    def seen(self) -> tuple[str, int]:
        """The last event that was read, or that a snapshot has."""
        match self.items[-1:]:
            case [Event(seq=seq, epoch=epoch) | Snapshot(event_seq=seq, epoch=epoch)]:
                return epoch, seq
            case _:
                return "", 0


def plan(rng: random.Random) -> Cut:
    """Before the reply, in its head, or anywhere in its events."""
    after = rng.choice([0, rng.randint(1, HEAD), *(rng.randint(HEAD, 4000) for _ in range(6))])
    return Cut(after, reset=rng.random() < 0.5)


def conduct(*, cuts: int, restarts: int, seed: int) -> Run:
    return asyncio.run(_conduct(cuts, restarts, random.Random(seed)))


async def _conduct(cuts: int, restarts: int, rng: random.Random) -> Run:
    run, began = Run(), time.monotonic()
    goals = [cuts * number // (restarts + 1) for number in range(1, restarts + 2)]
    first = [Cut(2000, reset=True)]  # nobody has anything to lose before that
    proxy = CuttingProxy("", lambda: (first.pop() if first else plan(rng)) if len(run.cuts) < cuts else None, run.cuts)
    async with proxy.serving() as url, asyncio.TaskGroup() as tasks:
        for number, goal in enumerate(goals):
            async with _session(proxy) as session:
                direct = tasks.create_task(_read_directly(session, run))
                if number == 0:
                    reader = tasks.create_task(_read(url, run))
                await _cause(session, run, goal, rng)
                if goal < cuts:
                    proxy.leave()
                else:
                    await session.signal("KILL")
                    await reader
                    await _caught_up(session, run)
                direct.cancel()
    run.seconds = time.monotonic() - began
    return run


@asynccontextmanager
async def _session(proxy: CuttingProxy) -> AsyncIterator[Session]:
    """A new one, in the place of the one before."""
    with tempfile.TemporaryDirectory(prefix="coop-") as home:
        options = ("--agent-config", _config(home), "--name", Path(home).name)
        async with coop.spawn(SHELL, options=options) as session:
            proxy.come_back(session.address.removeprefix("unix:"))
            yield session


def _config(home: str) -> str:
    path = Path(home, "shell.toml")
    path.write_text(STATES)
    return str(path)


async def _read(url: str, run: Run) -> None:
    """Through the proxy, with the SDK: the one that is judged."""
    api = Api(address_of(url), None, None)
    async for item in Session(api).events():
        run.items.append(item)
    await api.close()


async def _read_directly(session: Session, run: Run) -> None:
    """Straight from the socket, without the SDK: what was published."""
    transport = httpx.AsyncHTTPTransport(uds=session.address.removeprefix("unix:"))
    async with (
        httpx.AsyncClient(transport=transport, timeout=WITHIN) as client,
        client.stream("GET", "http://localhost/api/v1/events") as response,
    ):
        identity = ""
        async for line in response.aiter_lines():
            name, _, value = line.partition(": ")
            if name == "id":
                identity = value
            elif name == "data":
                _note(run, identity, json.loads(value))


def _note(run: Run, identity: str, body: Mapping[str, Any]) -> None:
    epoch, _, seq = identity.rpartition("-")
    events = run.published.setdefault(epoch, [])
    run.told[epoch] = int(seq)
    if body["type"] != "snapshot":
        events.append((int(seq), body))


async def _cause(session: Session, run: Run, goal: int, rng: random.Random) -> None:
    """Events, until the connection was cut as often as is wanted and the readers have them all."""
    async with asyncio.timeout(WITHIN + goal):
        width, epoch = 80, (await session.snapshot()).epoch
        while run.seen()[0] != epoch:  # noqa: ASYNC110 - what it has read is not ours to announce
            await asyncio.sleep(PACE)
        while len(run.cuts) < goal:
            width = 80 + (width + 1) % 40
            await session.resize(width, 24)
            if rng.random() < 0.1:
                await session.type("x", enter=True)
            await asyncio.sleep(PACE)
        await _caught_up(session, run)


async def _caught_up(session: Session, run: Run) -> None:
    """The reader, and the direct one too, have all there is; a state may still settle, so it is looked at again."""
    while True:
        now = await session.snapshot()
        if run.seen() == (now.epoch, now.event_seq) and run.told.get(now.epoch) == now.event_seq:
            return
        await asyncio.sleep(PACE)
