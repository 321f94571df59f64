"""docs/evidence/claude-answers.md"""

from collections.abc import Sequence

from bench.claude.answer import VIAS
from bench.claude.kept import Item
from bench.claude.page import Bar, bars, head, p50_p95
from bench.claude.place import VERSIONS
from bench.claude.prompts import CASES
from bench.report import table

ABOUT = """Prompts of the real Claude Code, each answered by `POST /api/v1/agent/respond`, by the reply of its hook and by keys; every
other time as soon as the prompt is told, else when it is drawn. Right is judged by what happened, not by coop's word: the
file is there, or is not, with the content meant; the words or the options, and no others, are in the tool's result that the
pretend model received; a plain denial ends the turn, all else goes on; and it went the way it was asked to go."""


def write(items: Sequence[Item], *, command: str, tree: str) -> str:
    ways = {via: [item for item in items if item["via"] == via] for via in VIAS}
    met = bars(
        Bar("prompts", len(items), least=300),
        *(Bar(f"by {via}", len(own), least=100) for via, own in ways.items()),
        Bar("wrong", _count(items, "wrong"), 0),
        Bar("refused", _count(items, "refused"), 0),
        Bar("stuck", _count(items, "stuck"), 0),
    )
    lines = [
        [case.name, via, version, *_figures(own)]
        for case in CASES
        for via in VIAS
        for version in VERSIONS
        if (own := [item for item in items if (item["case"], item["via"], item["version"]) == (case.name, via, version)])
    ]
    total = [["**all**", via, "", *_figures(own)] for via, own in ways.items()]
    header = ["", "by", "version", "n", "right", "wrong", "refused", "stuck", "reply after, p50 ms", "p95 ms"]
    return "\n\n".join([head("Answers to Claude Code", command, tree), ABOUT, met, table(header, [*lines, *total])]) + "\n"


def _count(items: Sequence[Item], verdict: str) -> int:
    return sum(item["verdict"] == verdict for item in items)


def _figures(items: Sequence[Item]) -> list[str]:
    counts = [str(_count(items, verdict)) for verdict in ("right", "wrong", "refused", "stuck")]
    return [str(len(items)), *counts, *p50_p95([item["ms"] for item in items if "ms" in item])]
