"""What every page of a campaign begins with, and how its bars are shown."""

import math
import platform
from collections.abc import Sequence
from dataclasses import dataclass

from bench.agents.kept import Item
from bench.agents.subject import Subject
from bench.figures import percentile, summarize
from bench.report import table
from bench.versions import versions

_WITH = ("python", "uvloop", "pyghostty", "websockets", "tmux", "node", "@xterm/headless", "kernel", "cores")


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure that must not be more than this, or not less; without either it is only shown."""

    says: str
    value: float
    most: float = math.inf
    unit: str = ""
    least: float = -math.inf

    @property
    def line(self) -> Sequence[str]:
        if math.isinf(self.most) and math.isinf(self.least):
            return self.says, f"{figure(self.value)}{self.unit}", "–", "–"
        verdict = "met" if self.least <= self.value <= self.most else "**missed**"
        bound = f"≥ {figure(self.least)}" if math.isinf(self.most) else f"≤ {figure(self.most)}{self.unit}"
        return self.says, f"{figure(self.value)}{self.unit}", bound, verdict


def head(subject: Subject, title: str, items: Sequence[Item], *, command: str, at: str) -> str:
    """What was measured, with what, and how busy the machine was meanwhile."""
    made = versions()
    others = ", ".join(f"{name} {made[name]}" for name in _WITH if made.get(name))
    measured = " and ".join(subject.versions)
    load = _load([item["load"] for item in items if "load" in item])
    return (
        f"# {title} {subject.title}\n\n"
        f"Made by `{command}` at {at}: {subject.title} {measured} ({platform.system()}), {others}{load}."
    )


def _load(loads: Sequence[float]) -> str:
    """Others may have used the machine, too."""
    if not loads:
        return ""
    middle = summarize(loads)
    return f"; load average {middle.median:.1f} ({middle.low:.1f}–{middle.high:.1f})"


def bars(*each: Bar) -> str:
    return table(["", "", "bar", ""], [bar.line for bar in each])


def figure(value: float) -> str:
    return f"{value:.0f}" if value == round(value) else f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"


def spread(values: Sequence[float]) -> str:
    """The median, and in brackets the lowest and the highest."""
    if not values:
        return "–"
    middle = summarize(values)
    return f"{middle.median:.0f} ({middle.low:.0f}–{middle.high:.0f})"


def p50_p95(values: Sequence[float]) -> tuple[str, str]:
    return (f"{percentile(values, 50):.0f}", f"{percentile(values, 95):.0f}") if values else ("–", "–")
