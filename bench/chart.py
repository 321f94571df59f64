"""The chart docs/evidence/bench.svg: how far each measured ratio lies past its goal."""

import html
import math
from collections.abc import Iterator, Mapping, Sequence

from bench.figures import Round, Summary
from bench.goals import GOALS, Goal

LABELS, BARS, VALUES, LINE = 380, 360, 190, 22
REACH = 4.0
"""The scale goes from a fourth of the goal to four times it, by doubling."""
MET, MISSED = "#2f7d4f", "#b4432f"


def draw_chart(results: Mapping[str, Sequence[Round]]) -> str:
    bars = list(ratio_goals(results))
    height = LINE * (len(bars) + 2)
    width = LABELS + BARS + VALUES
    body = "".join(draw_bar(goal, summary, top=LINE * (at + 1)) for at, (goal, summary) in enumerate(bars))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
        f'<text x="{position(1):.0f}" y="15" text-anchor="middle" fill="#333">goal</text>\n'
        f"{body}"
        f'<line x1="{position(1):.1f}" x2="{position(1):.1f}" y1="20" y2="{height - LINE}" stroke="#333"/>\n'
        f'<text x="{LABELS}" y="{height - 6}" fill="#666">left of the line: missed · right of it: better than the goal, '
        f"logarithmic</text>\n</svg>\n"
    )


def ratio_goals(results: Mapping[str, Sequence[Round]]) -> Iterator[tuple[Goal, Summary]]:
    for name, goals in GOALS.items():
        for goal in goals:
            summary = goal.summary(results.get(name, ()))
            if goal.over is not None and goal.is_bound and summary is not None:
                yield goal, summary


def draw_bar(goal: Goal, summary: Summary, *, top: int) -> str:
    ends = sorted((position(1), position(margin(goal, summary.median))))
    colour = MET if goal.is_met_by(summary) else MISSED
    value = f"{summary.median:.2f}× (goal {goal.bounds})"
    return (
        f'<text x="{LABELS - 8}" y="{top + 15}" text-anchor="end" fill="#333">{html.escape(goal.says)}</text>'
        f'<rect x="{ends[0]:.1f}" y="{top + 4}" width="{max(1.0, ends[1] - ends[0]):.1f}" height="{LINE - 8}" fill="{colour}"/>'
        f'<text x="{LABELS + BARS + 6}" y="{top + 15}" fill="#333">{html.escape(value)}</text>\n'
    )


def margin(goal: Goal, value: float) -> float:
    """How many times better than the goal; below 1 it is missed. Of two bounds the nearer one counts."""
    least = [value / goal.least] if goal.least else []
    most = [goal.most / value] if goal.most else []
    return min(least + most)


def position(value: float) -> float:
    share = math.log(min(REACH, max(1 / REACH, value)), REACH)
    return LABELS + BARS * (1 + share) / 2
