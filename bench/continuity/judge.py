"""What a reader got, held against what was published."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from coop.client import Event, Lagged, Restarted, Snapshot, StreamItem, UnknownEvent
from coop.wire import ws

Published = Sequence[tuple[int, Mapping[str, Any]]]
"""The events of an epoch, by number and as they were sent to one whose connection was never cut."""


@dataclass
class Verdict:
    epoch: str
    published: int
    in_snapshot: int = 0
    """How many had happened when the reader came: its snapshot has them."""
    read: int = 0
    lost: list[int] = field(default_factory=list[int])
    repeated: list[int] = field(default_factory=list[int])
    out_of_order: list[int] = field(default_factory=list[int])
    differing: list[int] = field(default_factory=list[int])
    untold: list[str] = field(default_factory=list[str])
    """Restarts without a word or a snapshot, in words."""

    @property
    def is_whole(self) -> bool:
        return not (self.lost or self.repeated or self.out_of_order or self.differing or self.untold)


def judge(items: Sequence[StreamItem], published: Mapping[str, Published]) -> list[Verdict]:
    """For each epoch, in the order in which they were published."""
    return [
        _judge(epoch, [item for item in items if item.epoch == epoch], events, is_first=number == 0)
        for number, (epoch, events) in enumerate(published.items())
    ]


def _judge(epoch: str, items: Sequence[StreamItem], published: Published, *, is_first: bool) -> Verdict:
    begin = [type(item) for item in items[: 1 if is_first else 2]]
    expected = [Snapshot] if is_first else [Restarted, Snapshot]
    verdict = Verdict(epoch, len(published))
    if begin != expected:
        verdict.untold.append(f"{epoch} began with {begin}")
    verdict.untold += [f"{item}" for item in items if isinstance(item, Lagged | UnknownEvent)]
    before = next((item.event_seq for item in items if isinstance(item, Snapshot)), 0)
    verdict.in_snapshot = sum(seq <= before for seq, _ in published)
    events = [item for item in items if isinstance(item, Event)]
    return _compare(verdict, events, {seq: body for seq, body in published if seq > before})


def _compare(verdict: Verdict, events: Sequence[Event], wanted: Mapping[int, Mapping[str, Any]]) -> Verdict:
    seqs = [event.seq for event in events]
    verdict.read = len(seqs)
    verdict.lost = sorted(set(wanted) - set(seqs))
    verdict.repeated = sorted({seq for seq in seqs if seqs.count(seq) > 1})
    verdict.out_of_order = [seq for before, seq in pairwise(seqs) if seq < before]
    verdict.differing = [event.seq for event in events if _body(event) != wanted.get(event.seq)]
    return verdict


def _body(event: Event) -> Mapping[str, Any]:
    """The event as coop would send it: nothing that it tells may have got lost in between."""
    body: Mapping[str, Any] = json.loads(ws.encode(ws.event(event)))
    return body
