"""docs/evidence/claude-states.md"""

from collections.abc import Sequence

from bench.claude.kept import Item
from bench.claude.page import Bar, bars, head, p50_p95
from bench.claude.place import VERSIONS
from bench.claude.scenarios import SCENARIOS
from bench.figures import percentile
from bench.report import table

ABOUT = """The real Claude Code works through these scenarios under `coop --agent claude`, against a pretend model on loopback. What
coop publishes (WebSocket, `mode=state`) is held against two witnesses that share nothing with its detection: the model's
own clock (when a request came in, when the last byte of its answer went out, when it was hung up) and a second terminal
(xterm.js, fed with coop's raw stream, read with patterns of its own). All times are of one process's clock.

* The agent is *at work* from its first request to the last byte of the last answer (a hook of the user's own that holds the
  turn counts too; Esc or a denial ends it with the key), *asks* while a dialog is drawn, and is *at rest* when that is over
  and the second terminal shows a composer and nothing that spins. A *transition* is a change between these.
* *Wrong* is a state other than the true one held for longer than 1 s, a dialog that was not told, or a scenario that stuck.
* A *false idle* is `waiting_for_input` published, for however short a time, while a request is in flight, a dialog is drawn,
  a tool or a background task runs, a queued prompt is about to run or a Stop hook holds the turn; or still standing 100 ms
  after the first request.
* *Drawn to told* is from the bytes that complete the dialog to the event, both as received; less than nothing where coop
  knew first (the hook comes before the drawing, and 2.1.325 holds a dialog back while somebody has just typed)."""


def write(items: Sequence[Item], *, command: str, tree: str) -> str:
    rows = [_row(name, version, items) for name in SCENARIOS for version in VERSIONS if _of(items, name, version)]
    total = _figures(items)
    tables = table(
        ["", "version", "runs", "transitions", "wrong > 1 s", "false idles", "drawn to told, p50 ms", "p95 ms", "worst ms"],
        [*rows, ["**all**", "", *total]],
    )
    latencies = _latencies(items)
    unhooked = [each for each in items if each["scenario"].startswith(("trust", "auto mode"))]
    met = bars(
        Bar("transitions", _sum(items, "transitions"), least=300),
        Bar("wrong states held for longer than 1 s", _count(items, "wrong"), 0),
        Bar("false idles", _count(items, "false_idles"), 0),
        Bar(
            f"prompt drawn to event published, p95 of {len(latencies)}",
            percentile(latencies, 95) if latencies else 0,
            300,
            " ms",
        ),
        Bar("the same where no hook tells, worst", max(_latencies(unhooked), default=0), 300, " ms"),
    )
    parts = [head("States of Claude Code", command, tree), ABOUT, met, tables, *_mistakes(items)]
    return "\n\n".join(parts) + "\n"


def _of(items: Sequence[Item], name: str, version: str) -> list[Item]:
    return [item for item in items if (item["scenario"], item["version"]) == (name, version)]


def _row(name: str, version: str, items: Sequence[Item]) -> list[str]:
    return [name, version, *_figures(_of(items, name, version))]


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
