"""docs/evidence/repl.md"""

import platform
from collections.abc import Mapping, Sequence
from typing import Any

from bench.figures import percentile
from bench.report import table
from bench.versions import first_line, versions

Item = dict[str, Any]
ABOUT = """A bash and a `python -i` under `coop --agent unknown --agent-config`, with the two examples in
[`examples/agent-configs`](../../examples/agent-configs): no line of coop knows either. Every command is given by a nudge. What coop
publishes (WebSocket, `mode=state`) is held against what the REPL itself writes down: bash by `PS0` and `PROMPT_COMMAND`, Python by an audit
hook, its excepthook and its prompt, each with the time of day.

* A command is *at work* from its beginning to its end; then the REPL *waits*, or, when the command failed, shows an *error* until the next.
  Between the lines of one command it waits too.
* *Wrong* is another state than the true one for longer than 1 s, beyond the quiet period of 0.3 s that a prompt needs to be believed.
* A *false idle* is `waiting_for_input` or `error`, for however short a time, while a command runs, from 100 ms after its beginning on.
* A *false receipt* is `delivered` for a line that was never run. *Unverified* is the honest word for one of which nothing showed in time
  that it was taken; all of these were.
* *Told* is from the end of a command to its state received, without the quiet period."""


def write(found: Mapping[str, Sequence[Item]], *, command: str, at: str) -> str:
    made = versions()
    bash = first_line("bash", "--version").split(" ")[3].split("(")[0]
    head = (
        f"# States of a shell and a REPL, by patterns\n\nMade by `{command}` at {at}: bash {bash}, Python {platform.python_version()}, "
        f"pyghostty {made['pyghostty']}, kernel {made['kernel']}, {made['cores']} cores."
    )
    items = [item for each in found.values() for item in each]
    parts = [head, ABOUT, _bars(found), *(_kinds(name, each) for name, each in found.items()), *_mistakes(items)]
    return "\n\n".join(parts) + "\n"


def _bars(found: Mapping[str, Sequence[Item]]) -> str:
    lines = []
    for name, items in found.items():
        lines += [
            [f"{name}: commands", str(len(items)), "≥ 200", _met(len(items) >= 200)],
            [
                f"{name}: wrong states held for longer than 1 s",
                str(_count(items, "wrong")),
                "0",
                _met(not _count(items, "wrong")),
            ],
            [f"{name}: false idles", str(_count(items, "false_idles")), "0", _met(not _count(items, "false_idles"))],
            [f"{name}: false receipts", str(_count(items, "false_receipts")), "0", _met(not _count(items, "false_receipts"))],
        ]
    return table(["", "", "bar", ""], lines)


def _kinds(name: str, items: Sequence[Item]) -> str:
    kinds = list(dict.fromkeys(item["kind"] for item in items))
    rows = [_row(kind, [item for item in items if item["kind"] == kind]) for kind in sorted(kinds)]
    header = ["", "commands", "failed", "wrong", "false idles", "nudges", "delivered", "unverified", "told, p50 ms", "p95 ms"]
    return f"## {name}\n\n{table(header, [*rows, _row('**all**', items)])}"


def _row(kind: str, items: Sequence[Item]) -> list[str]:
    delivered = [each for item in items for each in item["delivered"]]
    latencies = [item["latency"] for item in items if item["latency"] is not None]
    counts = [len(items), sum(item["failed"] for item in items), _count(items, "wrong"), _count(items, "false_idles")]
    nudges = [len(delivered), sum(delivered), len(delivered) - sum(delivered)]
    spread = [f"{percentile(latencies, 50):.0f}", f"{percentile(latencies, 95):.0f}"] if latencies else ["–", "–"]
    return [kind, *map(str, counts), *map(str, nudges), *spread]


def _count(items: Sequence[Item], name: str) -> int:
    return sum(len(item[name]) for item in items)


def _met(is_met: bool, /) -> str:
    return "met" if is_met else "**missed**"


def _mistakes(items: Sequence[Item]) -> list[str]:
    names = ("wrong", "false_idles", "false_receipts")
    found = [f"* `{item['command']!r}`: {mistake}" for item in items for name in names for mistake in item[name]]
    return ["## What was wrong", "\n".join(found)] if found else []
