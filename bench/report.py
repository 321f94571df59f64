"""The page docs/evidence/bench.md: every row measured, won or lost."""

from collections.abc import Mapping, Sequence

from bench.figures import Round, column, summarize
from bench.goals import GOALS, Goal
from bench.sections.catalogue import SECTIONS, Section


def write_report(
    results: Mapping[str, Sequence[Round]], *, command: str, made: Sequence[str], versions: Mapping[str, str]
) -> str:
    parts = [head(command, made, versions)]
    for name, section in SECTIONS.items():
        if results.get(name):
            parts.append(describe(section, results[name], GOALS[name]))
    return "\n\n".join(parts) + "\n"


def head(command: str, made: Sequence[str], versions: Mapping[str, str]) -> str:
    with_what = ", ".join(f"{name} {version}" for name, version in versions.items())
    return (
        "# Benchmark\n\n"
        f"Made by `{command}` at {', '.join(made)}. {with_what}.\n\n"
        "Peers run one after the other in every round, each round in another order, with their default settings, at "
        "200×50. Figures are the median over the rounds, and in brackets the lowest and the highest. A ratio is taken "
        "within each round; its median is what the goal is held against; a figure that is no ratio must meet its goal in every round. Coop runs whole: ring, screen, HTTP, WebSocket, token.\n\n"
        "![how far past each goal](bench.svg)"
    )


def describe(section: Section, rounds: Sequence[Round], goals: Sequence[Goal]) -> str:
    tables = [*figures_tables(rounds), goals_table(rounds, goals)]
    count = f"{len(rounds)} round{'s' if len(rounds) > 1 else ''}."
    return "\n\n".join([f"## {section.title}", f"{section.about} {count}", *filter(None, tables)])


def figures_tables(rounds: Sequence[Round]) -> list[str]:
    """One for all metrics that the same peers have."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for metric in dict.fromkeys(metric for round_ in rounds for row in round_.values() for metric in row):
        peers = {peer for round_ in rounds for peer in round_ if metric in round_[peer]}
        groups.setdefault(tuple(sorted(peers, key=coop_first)), []).append(metric)
    return [figures_table(rounds, peers, metrics) for peers, metrics in groups.items()]


def figures_table(rounds: Sequence[Round], peers: Sequence[str], metrics: Sequence[str]) -> str:
    lines = [[peer, *(cell(column(rounds, peer, metric)) for metric in metrics)] for peer in peers]
    return table(["", *metrics], lines)


def coop_first(peer: str) -> tuple[bool, str]:
    return not peer.startswith("coop"), peer


def cell(values: Sequence[float]) -> str:
    middle = summarize(values)
    return f"{number(middle.median)} ({number(middle.low)}–{number(middle.high)})"


def goals_table(rounds: Sequence[Round], goals: Sequence[Goal]) -> str:
    lines = []
    for goal in goals:
        summary = goal.summary(rounds)
        if summary is None:
            continue
        unit = "×" if goal.over else ""
        verdict = "–" if not goal.is_bound else "met" if goal.is_met_by(summary) else "**missed**"
        spread = f"{number(summary.low)}–{number(summary.high)}"
        lines.append([goal.says, f"{number(summary.median)}{unit}", spread, goal.bounds or "–", verdict])
    return table(["", "median", "spread", "goal", ""], lines) if lines else ""


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rule = ["---", *("---:" for _ in header[1:])]
    return "\n".join("| " + " | ".join(line) + " |" for line in (header, rule, *lines))


def number(value: float) -> str:
    """Three digits that matter, and never an exponent."""
    if value == round(value) or abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 1 else f"{value:.3f}"
