"""A twentieth of the campaign that `make evidence` runs in full, and what its judge makes of a reader that is wrong."""

from dataclasses import replace

import msgspec
import pytest

from bench.continuity.__main__ import write
from bench.continuity.campaign import conduct
from bench.continuity.judge import Published, Verdict, judge
from coop.client import Event, Idle, Lagged, Resized, Restarted, Size, Snapshot, StreamItem
from coop.model.ids import EventSeq
from coop.wire import ws


def event(seq: int, epoch: str = "a") -> Event:
    return Event(EventSeq(seq), epoch, 0.0, Resized(Size(seq, 1)))


def snapshot(seq: int, epoch: str = "a") -> Snapshot:
    return Snapshot(Idle(), "unknown", epoch, EventSeq(seq), 0, 0)


def published(epoch: str, count: int) -> Published:
    sent = [ws.event(event(seq, epoch)) for seq in range(1, count + 1)]
    return [(seq, msgspec.to_builtins(message)) for seq, message in enumerate(sent, 1)]


WHOLE: list[StreamItem] = [
    snapshot(0),
    *(event(seq) for seq in (1, 2, 3)),
    Restarted("b"),
    snapshot(1, "b"),
    event(2, "b"),
]


def verdict(items: list[StreamItem]) -> Verdict:
    """The first that has a fault, or else the last."""
    verdicts = judge(items, {"a": published("a", 3), "b": published("b", 2)})
    return next((each for each in verdicts if not each.is_whole), verdicts[-1])


def test_five_cuts_and_a_restart_lose_nothing_and_repeat_nothing() -> None:
    run = conduct(cuts=5, restarts=1, seed=7)
    assert [each for each in run.verdicts() if not each.is_whole] == []
    assert (len(run.cuts), len(run.published)) == (5, 2)
    assert sum(each.read for each in run.verdicts()) > 20
    assert "| lost | 0 | ≤ 0 | met |" in write(run, command="a test", cuts=5, restarts=1)


def test_a_reader_that_is_right_is_found_right() -> None:
    assert verdict(WHOLE).is_whole


@pytest.mark.parametrize(
    ("items", "fault"),
    [
        ([*WHOLE[:2], *WHOLE[3:]], {"lost": [2]}),
        ([*WHOLE[:3], WHOLE[2], *WHOLE[3:]], {"repeated": [2]}),
        ([WHOLE[0], WHOLE[2], WHOLE[1], *WHOLE[3:]], {"out_of_order": [1]}),
        ([*WHOLE[:3], replace(event(3), fact=Resized(Size(9, 9))), *WHOLE[4:]], {"differing": [3]}),
        ([*WHOLE[:3], Lagged("a", EventSeq(2)), *WHOLE[3:]], {"untold": ["Lagged(epoch='a', after=2)"]}),
    ],
)
def test_a_reader_that_is_wrong_is_found_out(items: list[StreamItem], fault: dict[str, object]) -> None:
    found = verdict(items)
    assert {name: getattr(found, name) for name in fault} == fault


@pytest.mark.parametrize("items", [[*WHOLE[:4], *WHOLE[5:]], [*WHOLE[:5], *WHOLE[6:]], WHOLE[1:]])
def test_an_epoch_that_begins_without_a_word_is_found_out(items: list[StreamItem]) -> None:
    assert verdict(items).untold
