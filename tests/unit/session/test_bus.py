import pytest

from coop.model.events import Event, Resized
from coop.model.ids import EventSeq
from coop.model.screen import Size
from coop.session.bus import JOURNAL, QUEUE, Bus


def event(seq: int) -> Event:
    return Event(EventSeq(seq), "e", 0.0, Resized(Size(1, 1)))


def publish(bus: Bus, count: int) -> None:
    for seq in range(1, count + 1):
        bus.publish(event(seq))


@pytest.mark.anyio
async def test_a_subscriber_gets_what_comes_after_it_joined() -> None:
    bus = Bus()
    bus.publish(event(1))
    with bus.subscribed(to_output=False) as subscription:
        bus.publish(event(2))
        await subscription.wait()
        assert subscription.take() == (0, (event(2),))
    bus.publish(event(3))
    assert subscription.take() == (0, ())


def test_a_reader_too_slow_is_told_how_much_it_missed() -> None:
    bus = Bus()
    with bus.subscribed(to_output=False) as subscription:
        publish(bus, QUEUE + 3)
        missed, events = subscription.take()
    assert missed == bus.lost_events == QUEUE
    assert [kept.seq for kept in events] == [QUEUE + 1, QUEUE + 2, QUEUE + 3]
    assert subscription.take() == (0, ())


def test_output_stirs_only_those_who_watch_it() -> None:
    bus = Bus()
    with bus.subscribed(to_output=True) as watcher, bus.subscribed(to_output=False) as other:
        bus.stir()
        assert (watcher._stirred, other._stirred) == (True, False)
        assert (len(bus.subscribers), bus.watchers) == (2, 1)


def test_the_journal_catches_a_reader_up() -> None:
    bus = Bus()
    publish(bus, 5)
    assert [kept.seq for kept in bus.since(3) or ()] == [4, 5]
    assert bus.since(5) == ()


def test_what_is_no_longer_kept_or_never_was_is_not_made_up() -> None:
    bus = Bus()
    publish(bus, JOURNAL + 10)
    assert bus.since(5) is None
    assert bus.since(JOURNAL + 11) is None
    assert len(bus.since(10) or ()) == JOURNAL


def test_before_the_first_event_there_is_nothing_to_catch_up_on() -> None:
    assert Bus().since(0) == ()
    assert Bus().since(1) is None
