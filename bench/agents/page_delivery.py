"""The page of a campaign of messages."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.agents.kept import Item
from bench.agents.page import Bar, bars, head, p50_p95
from bench.agents.rivals import WAYS
from bench.agents.subject import Subject
from bench.report import table

ABOUT = """Messages of {count} shapes, from 1 to {longest} characters, one after the other to an idle agent; what the pretend model received
is what counts. *Arrived* is once and unchanged, but for what is documented: {changes}. Coop is told by `POST /api/v1/agent/nudge` and says
what became of the message: *wrongly confirmed* is one it called delivered that did not arrive so, *wrongly denied* one that
arrived though it said otherwise, *refused* one that it said it did not deliver, and did not.

The other two have no way to know what became of a message; they wait, as they should, until {idle}, and get a new session
after each loss (no reckoning of what a text left in the composer would do to the next).
*text\\r in one write* writes to a bare PTY, as most drivers do; *tmux send-keys* is `send-keys -l TEXT` and `send-keys Enter`."""
SENDERS = ("coop", *WAYS)
WRONG = ("lost", "changed", "duplicated", "ran a command", "ended the agent", "wrongly confirmed", "wrongly denied", "refused")


@dataclass(frozen=True)
class DeliveryPage:
    subject: Subject
    least: int
    longest: str
    changes: str
    """What may differ."""
    idle: str
    """How the others know that it is."""

    def write(self, items: Sequence[Item], *, command: str, at: str) -> str:
        about = ABOUT.format(count=len(self.subject.shapes), longest=self.longest, changes=self.changes, idle=self.idle)
        coop = [item for item in items if item["sender"] == "coop"]
        met = bars(
            Bar("nudges", len(coop), least=self.least),
            *(Bar(f"coop: {what}", _count(coop, what), 0) for what in WRONG if what not in ("ended the agent", "changed")),
        )
        ms = p50_p95([item["ms"] for item in coop])
        took = f"From the request to the receipt: p50 {ms[0]} ms, p95 {ms[1]} ms."
        top = head(self.subject, "Delivery to", items, command=command, at=at)
        return "\n\n".join([top, about, met, self._senders(items), took, self._shapes(items)]) + "\n"

    def _senders(self, items: Sequence[Item]) -> str:
        lines: list[list[str]] = []
        for sender in SENDERS:
            for version in self.subject.versions:
                own = [item for item in items if (item["sender"], item["version"]) == (sender, version)]
                counts = [str(_count(own, what)) for what in ("right", *WRONG)]
                lines += [[sender, version, str(len(own)), *counts]] if own else []
        return table(["", "version", "n", "arrived", *WRONG], lines)

    def _shapes(self, items: Sequence[Item]) -> str:
        """Arrived of how many, all versions together."""
        lines: list[list[str]] = []
        for shape in self.subject.shapes:
            cells: list[str] = []
            for sender in SENDERS:
                own = [item for item in items if (item["sender"], item["shape"]) == (sender, shape)]
                right = _count(own, "right")
                cells.append(f"{right} of {len(own)}" if right == len(own) else f"**{right}** of {len(own)}")
            lines.append([shape, *cells])
        return table(["arrived", *SENDERS], lines)


def _count(items: Sequence[Item], verdict: str) -> int:
    return sum(item["verdict"] == verdict for item in items)
