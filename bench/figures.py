"""Figures, and what is said about many of them: the middle, and the spread."""

import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

Row = Mapping[str, float]
"""What was measured of one peer, by metric."""
Round = Mapping[str, Row]
"""One round of a section, by peer."""


class Summary(NamedTuple):
    median: float
    low: float
    high: float


def summarize(values: Sequence[float]) -> Summary:
    return Summary(statistics.median(values), min(values), max(values))


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that at least `percent` of them do not exceed."""
    ordered = sorted(values)
    rank = -(-len(ordered) * percent // 100)
    return ordered[max(0, int(rank) - 1)]


def column(rounds: Sequence[Round], peer: str, metric: str) -> list[float]:
    """The metric in every round that has it."""
    return [round_[peer][metric] for round_ in rounds if metric in round_.get(peer, {})]


def ratios(rounds: Sequence[Round], over: tuple[str, str], under: tuple[str, str]) -> list[float]:
    """One ratio per round: what shares a round shares the machine's mood."""
    both = [(column([round_], *over), column([round_], *under)) for round_ in rounds]
    return [above[0] / below[0] for above, below in both if above and below and below[0]]
