"""The page of a campaign of states."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.agents.kept import Item
from bench.agents.page import Bar, bars, head, p50_p95
from bench.agents.states import States
from bench.figures import percentile
from bench.report import table

ABOUT = """The real {title} works through these scenarios under `coop --agent {name}`, against a pretend model on loopback. What
coop publishes (WebSocket, `mode=state`) is held against two witnesses that share nothing with its detection: the model's
own clock (when a request came in, when the last byte of its answer went out, when it was hung up) and a second terminal
(xterm.js, fed with coop's raw stream, read with patterns of its own). All times are of one process's clock.

* The agent is *at work* from its first request to the last byte of the last answer ({also}),
  *asks* while a dialog is drawn, and is *at rest* when that is over
  and the second terminal shows a composer and nothing that spins. A *transition* is a change between these.{between}
* *Wrong* is a state other than the true one held for longer than 1 s, a dialog that was not told, or a scenario that stuck.
* A *false idle* is `waiting_for_input` published, for however short a time, while a request is in flight, a dialog is drawn,
  a tool or a background task runs, a queued prompt is about to run or a Stop hook holds the turn; or still standing 100 ms
  after the first request.
* *Drawn to told* is from the bytes that complete the dialog to the event, both as received; less than nothing where coop
  knew first{first}. At the keyboard a dialog is answered a quarter of a second after it is drawn: nobody reads faster."""


@dataclass(frozen=True)
class StatesPage:
    campaign: States
    least: int
    """So many transitions must there be."""
    also: str
    """What else is work, and what ends it."""
    between: str = ""
    """What ends a turn though coop goes on with another, when there is such a thing."""
    first: str = ""
    """Why coop may know of a dialog before it is drawn."""
    most_late: float | None = 300
    """Milliseconds from drawn to told; `None` when it is only reported."""
    unhooked: tuple[str, ...] = ()
    """How the names begin of the scenarios in which no hook tells."""

    def write(self, items: Sequence[Item], *, command: str, at: str) -> str:
        subject = self.campaign.subject
        between = (
            f"\n  {self.between}: from there to the next request it is at rest, and at work or idle may be said."
            if self.between
            else ""
        )
        about = ABOUT.format(title=subject.title, name=subject.name, also=self.also, between=between, first=self.first)
        top = head(subject, "States of", items, command=command, at=at)
        return "\n\n".join([top, about, bars(*self._bars(items)), self._table(items), *_mistakes(items)]) + "\n"

    def _bars(self, items: Sequence[Item]) -> list[Bar]:
        latencies = _latencies(items)
        p95 = percentile(latencies, 95) if latencies else 0
        late = {} if self.most_late is None else {"most": self.most_late}
        found = [
            Bar("transitions", _sum(items, "transitions"), least=self.least),
            Bar("wrong states held for longer than 1 s", _count(items, "wrong"), 0),
            Bar("false idles", _count(items, "false_idles"), 0),
            Bar(f"prompt drawn to event published, p95 of {len(latencies)}", p95, unit=" ms", **late),
        ]
        if self.unhooked:
            own = [each for each in items if each["scenario"].startswith(self.unhooked)]
            worst = max(_latencies(own), default=0)
            found.append(Bar("the same where no hook tells, worst", worst, unit=" ms", **late))
        return found

    def _table(self, items: Sequence[Item]) -> str:
        header = ["runs", "transitions", "wrong > 1 s", "false idles", "drawn to told, p50 ms", "p95 ms", "worst ms"]
        rows = [
            [name, version, *_figures(own)]
            for name in self.campaign.scenarios
            for version in self.campaign.subject.versions
            if (own := _of(items, name, version))
        ]
        return table(["", "version", *header], [*rows, ["**all**", "", *_figures(items)]])


def _of(items: Sequence[Item], name: str, version: str) -> list[Item]:
    return [item for item in items if (item["scenario"], item["version"]) == (name, version)]


def _figures(items: Sequence[Item]) -> list[str]:
    latencies = _latencies(items)
    worst = f"{max(latencies):.0f}" if latencies else "–"
    counts = (len(items), _sum(items, "transitions"), _count(items, "wrong"), _count(items, "false_idles"))
    return [*map(str, counts), *p50_p95(latencies), worst]


def _latencies(items: Sequence[Item]) -> list[float]:
    return [latency for item in items for latency in item["latencies"]]


def _sum(items: Sequence[Item], name: str) -> int:
    return sum(item[name] for item in items)


def _count(items: Sequence[Item], name: str) -> int:
    """A scenario that stuck is one mistake, however many lines it left."""
    return sum(1 if item["stuck"] and item[name] else len(item[name]) for item in items)


def _mistakes(items: Sequence[Item]) -> list[str]:
    found = [
        f"* {item['scenario']}, {item['version']}: {mistake}"
        for item in items
        for mistake in [*item["wrong"][: 1 if item["stuck"] else None], *item["false_idles"]]
    ]
    return ["## What was wrong", "\n".join(found)] if found else []
