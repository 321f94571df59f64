"""docs/evidence/claude-delivery.md"""

from collections.abc import Sequence

from bench.claude.kept import Item
from bench.claude.messages import NAMES
from bench.claude.page import Bar, bars, head, p50_p95
from bench.claude.place import VERSIONS
from bench.claude.rivals import WAYS
from bench.report import table

ABOUT = """Messages of 25 shapes, from 1 to 100,000 characters, one after the other to an idle agent; what the pretend model received
is what counts. *Arrived* is once and unchanged, but for what is documented: NFC, four blanks for a tab, no blanks at the
end, and a backslash before what would run a command or end the agent. Coop is told by `POST /api/v1/agent/nudge` and says
what became of the message: *wrongly confirmed* is one it called delivered that did not arrive so, *wrongly denied* one that
arrived though it said otherwise, *refused* one that it said it did not deliver, and did not.

The other two have no way to know what became of a message; they wait, as they should, until Claude's own status file says
idle, and get a new session after each loss (no reckoning of what a text left in the composer would do to the next).
*text\\r in one write* writes to a bare PTY, as most drivers do; *tmux send-keys* is `send-keys -l TEXT` and `send-keys Enter`."""
SENDERS = ("coop", *WAYS)
WRONG = ("lost", "changed", "duplicated", "ran a command", "ended the agent", "wrongly confirmed", "wrongly denied", "refused")


def write(items: Sequence[Item], *, command: str, tree: str) -> str:
    coop = [item for item in items if item["sender"] == "coop"]
    met = bars(
        Bar("nudges", len(coop), least=500),
        *(Bar(f"coop: {what}", _count(coop, what), 0) for what in WRONG if what not in ("ended the agent", "changed")),
    )
    ms = p50_p95([item["ms"] for item in coop])
    took = f"From the request to the receipt: p50 {ms[0]} ms, p95 {ms[1]} ms."
    return (
        "\n\n".join([head("Delivery to Claude Code", command, tree), ABOUT, met, _senders(items), took, _shapes(items)]) + "\n"
    )


def _count(items: Sequence[Item], verdict: str) -> int:
    return sum(item["verdict"] == verdict for item in items)


def _senders(items: Sequence[Item]) -> str:
    lines: list[list[str]] = []
    for sender in SENDERS:
        for version in VERSIONS:
            own = [item for item in items if (item["sender"], item["version"]) == (sender, version)]
            counts = [str(_count(own, what)) for what in ("right", *WRONG)]
            lines.append([sender, version, str(len(own)), *counts])
    return table(["", "version", "n", "arrived", *WRONG], lines)


def _shapes(items: Sequence[Item]) -> str:
    """Arrived of how many, both versions together."""
    lines: list[list[str]] = []
    for shape in NAMES:
        cells: list[str] = []
        for sender in SENDERS:
            own = [item for item in items if (item["sender"], item["shape"]) == (sender, shape)]
            right = _count(own, "right")
            cells.append(f"{right} of {len(own)}" if right == len(own) else f"**{right}** of {len(own)}")
        lines.append([shape, *cells])
    return table(["arrived, both versions", *SENDERS], lines)
