import asyncio

import httpx
import pytest

from coop.client.address import address_of
from coop.client.api import Api
from coop.client.events import EventStream
from coop.client.follow import Follower
from coop.errors import Unreachable
from coop.model.events import Event
from coop.model.view import Restarted, Snapshot, StreamItem
from tests.unit.client.scripted import Scripted, spelled
from tests.unit.client.test_follow import frame, resize, snapshot

EXIT = spelled(frame("exit", "a-3", code=0, signal=None))
REFUSED = httpx.ConnectError("refused")


def stream(coop: Scripted, *, patience: float = 5.0, after: tuple[str, int] | None = None) -> EventStream:
    api = Api(address_of("http://coop:1"), None, coop)
    return EventStream(api, Follower(after, clock=lambda: 0.0), patience=patience)


def read_all(coop: Scripted, *, patience: float = 5.0) -> list[StreamItem]:
    async def read() -> list[StreamItem]:
        return [item async for item in stream(coop, patience=patience)]

    return asyncio.run(read())


def seqs(items: list[StreamItem]) -> list[int]:
    return [item.seq for item in items if isinstance(item, Event)]


@pytest.mark.parametrize(
    "loss", [httpx.ReadError("reset"), httpx.RemoteProtocolError("cut"), httpx.ReadTimeout("silence"), b""]
)
def test_a_connection_that_breaks_is_gone_on_from(loss: Exception | bytes) -> None:
    half = spelled(resize("a", 2))
    coop = Scripted([[spelled(snapshot("a", 0)), spelled(resize("a", 1)), half[:-9], loss], [half, EXIT]])
    assert seqs(read_all(coop)) == [1, 2, 3]
    assert coop.resumed() == [None, "a-1"]


def test_a_coop_that_is_away_for_a_while_is_waited_for() -> None:
    coop = Scripted([[spelled(snapshot("a", 2))], REFUSED, REFUSED, [], [EXIT]])
    assert seqs(read_all(coop)) == [3]
    assert coop.resumed() == [None, *["a-2"] * 4]


def test_a_coop_that_is_away_for_long_is_tried_as_often_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coop.client.events._LONGEST_PAUSE", 0.0)
    coop = Scripted([[spelled(snapshot("a", 2))], *[REFUSED] * 1100, [EXIT]])
    assert seqs(read_all(coop, patience=60.0)) == [3]


def test_a_coop_that_stays_away_is_given_up() -> None:
    coop = Scripted([[spelled(snapshot("a", 2))], REFUSED])
    with pytest.raises(Unreachable, match="refused"):
        read_all(coop, patience=0.1)
    assert len(coop.asked) > 2


def test_a_coop_that_was_never_there_is_not_waited_for() -> None:
    with pytest.raises(Unreachable):
        read_all(Scripted([REFUSED]))


def test_a_coop_that_was_started_anew_is_told_of() -> None:
    again = [spelled(snapshot("b", 0, "restarted")), spelled(frame("exit", "b-1", code=0, signal=None))]
    first, restarted, told, _ = read_all(Scripted([[spelled(snapshot("a", 5))], again]))
    assert isinstance(first, Snapshot)
    assert restarted == Restarted("b")
    assert isinstance(told, Snapshot)


def test_a_reader_can_go_on_from_what_an_earlier_one_has_read() -> None:
    async def first() -> StreamItem:
        async with stream(coop, after=("a", 2)) as events:
            return await anext(events)

    coop = Scripted([[EXIT]])
    assert seqs([asyncio.run(first())]) == [3]
    assert coop.resumed() == ["a-2"]


def test_a_reader_that_stops_waiting_loses_nothing() -> None:
    class Slow(httpx.AsyncByteStream):
        async def __aiter__(self):  # type: ignore[no-untyped-def]
            yield spelled(snapshot("a", 0))
            await asyncio.Event().wait()

    class Coop(Scripted):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            if not self.asked:
                self.asked.append(request)
                return httpx.Response(200, stream=Slow())
            return await super().handle_async_request(request)

    async def read() -> list[StreamItem]:
        events = stream(Coop([[spelled(resize("a", 1)), spelled(resize("a", 2)), EXIT]]))
        await anext(events)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(events), 0.01)
        return [item async for item in events]

    assert seqs(asyncio.run(read())) == [1, 2, 3]


def test_a_stream_that_was_closed_is_over() -> None:
    async def read() -> list[StreamItem]:
        events = stream(Scripted([[spelled(snapshot("a", 0))]]))
        await anext(events)
        await events.aclose()
        return [item async for item in events]

    assert asyncio.run(read()) == []
