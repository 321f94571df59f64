"""What coop is held to, as data. A goal compares two figures of the same round, or holds one figure to a bound."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bench.figures import Round, Summary, column, ratios, summarize

Figure = tuple[str, str]
"""Peer and metric."""


@dataclass(frozen=True, slots=True)
class Goal:
    says: str
    figure: Figure
    over: Figure | None = None
    """What the figure is divided by; `None` takes it as it is."""
    least: float | None = None
    most: float | None = None

    @property
    def is_bound(self) -> bool:
        """Is there anything to meet? If not, the figure is only shown."""
        return self.least is not None or self.most is not None

    @property
    def bounds(self) -> str:
        least = [f"≥ {self.least:g}"] if self.least is not None else []
        most = [f"≤ {self.most:g}"] if self.most is not None else []
        return ", ".join(least + most)

    def summary(self, rounds: Sequence[Round]) -> Summary | None:
        """The ratio of each round, summarized; `None` when nothing was measured."""
        values = column(rounds, *self.figure) if self.over is None else ratios(rounds, self.figure, self.over)
        return summarize(values) if values else None

    def is_met_by(self, summary: Summary) -> bool:
        """A ratio by its median, since the machine is noisy; a plain figure in every round, since a lost byte is lost."""
        low, high = (summary.median, summary.median) if self.over else (summary.low, summary.high)
        return (self.least is None or low >= self.least) and (self.most is None or high <= self.most)


def faster(peer: str, factors: Mapping[str, float], *, coop: str = "coop") -> list[Goal]:
    """Throughput goals against one peer, by payload."""
    return [
        Goal(f"{kind} flood, {coop} : {peer}", (coop, f"{kind} MB/s"), (peer, f"{kind} MB/s"), least=factor)
        for kind, factor in factors.items()
    ]


KINDS = ("plain", "colour", "TUI")
SUBSCRIBED = "coop, one raw subscriber"
TYPED, P50 = "coop, WebSocket", "p50 ms"
READERS = "coop, 100 readers"

GOALS: Mapping[str, Sequence[Goal]] = {
    "flood": (
        *faster("tmux, detached", {"plain": 1.8, "colour": 1.8, "TUI": 3.0}),
        *(
            replace(goal, says=f"{goal.says}, the least to land")
            for goal in faster("tmux, detached", dict.fromkeys(KINDS, 1.5))
        ),
        *faster("node-pty + xterm", {"plain": 2.0, "colour": 1.2, "TUI": 2.0}),
        *faster("tmux, attached", {"plain": 1.5, "colour": 1.5, "TUI": 1.5}, coop=SUBSCRIBED),
        *(
            Goal(f"{kind} flood, {what} at the subscriber", (SUBSCRIBED, f"{kind} {what}"), most=0)
            for kind in KINDS
            for what in ("missing bytes", "silent gaps")
        ),
        *(
            Goal(f"{kind} flood, processor time, {peer} : coop", (peer, f"{kind} CPU ms/MB"), ("coop", f"{kind} CPU ms/MB"))
            for kind in KINDS
            for peer in ("tmux, detached", "node-pty + xterm")
        ),
        *(
            Goal(f"{kind} flood, coop : a bare read loop", ("coop", f"{kind} MB/s"), ("a bare read loop", f"{kind} MB/s"))
            for kind in KINDS
        ),
    ),
    "latency": (
        Goal("keystroke p50, coop : tmux control mode", (TYPED, P50), ("tmux, control mode", P50), most=2.5),
        Goal("the same, the least to land", (TYPED, P50), ("tmux, control mode", P50), most=4.0),
        Goal("keystroke p50, node-pty + xterm : coop", ("node-pty + xterm, JSON lines", P50), (TYPED, P50), least=3.0),
    ),
    "snapshot": (Goal("GET /screen p99, flood : idle", ("coop", "flood p99 ms"), ("coop", "idle p99 ms"), most=5.0),),
    "memory": (
        Goal("resident MB, idle", ("coop", "idle MB"), most=50),
        Goal("resident, after all : warm", ("coop", "after MB"), ("coop", "warm MB"), least=0.95, most=1.05),
        Goal("resident, after all : idle", ("coop", "after MB"), ("coop", "idle MB"), least=0.95, most=1.05),
    ),
    "fanout": (
        Goal("child's speed, 100 readers : none", (READERS, "MB/s"), ("coop, no reader", "MB/s"), least=0.5),
        Goal("other readers that got every byte, of 90", (READERS, "fast whole")),
        Goal("gaps nobody was told of", (READERS, "silent gaps"), most=0),
        Goal("slow readers told that they lag, of 10", (READERS, "slow told lagged"), least=10),
        Goal("readers short of the end", (READERS, "stale at the end"), most=0),
    ),
    "startup": (
        Goal(
            "first snapshot, coop : node-pty + xterm", ("coop", "first snapshot ms"), ("node-pty + xterm", "first snapshot ms")
        ),
        Goal("first snapshot, coop : tmux", ("coop", "first snapshot ms"), ("tmux, detached", "first snapshot ms")),
        Goal(
            "coop --version : import asyncio",
            ("coop --version", "run ms"),
            ("python -c 'import asyncio'", "run ms"),
            most=1.5,
        ),
    ),
}
