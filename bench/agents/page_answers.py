"""The page of a campaign of answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.agents.answer import Answers
from bench.agents.kept import Item
from bench.agents.page import Bar, bars, head, p50_p95
from bench.report import table

ABOUT = """Prompts of the real {title}, each answered by `POST /api/v1/agent/respond`, {ways}; every
other time as soon as the prompt is told, else when it is drawn. Right is judged by what happened, not by coop's word: the
file is there, or is not, with the content meant; the words or the options, and no others, are in {told} that the
pretend model received; {ends}; and it went the way it was asked to go."""


@dataclass(frozen=True)
class AnswersPage:
    campaign: Answers
    least: int
    by: Mapping[str, int]
    """Of each way, how many at least."""
    ways: str
    told: str
    """Where the words and the options are looked for."""
    ends: str
    """Which answers end a turn."""

    def write(self, items: Sequence[Item], *, command: str, at: str) -> str:
        subject = self.campaign.subject
        about = ABOUT.format(title=subject.title, ways=self.ways, told=self.told, ends=self.ends)
        met = bars(
            Bar("prompts", len(items), least=self.least),
            *(Bar(f"by {via}", len(_by(items, via)), least=least) for via, least in self.by.items()),
            *(Bar(verdict, _count(items, verdict), 0) for verdict in ("wrong", "refused", "stuck")),
        )
        top = head(subject, "Answers to", items, command=command, at=at)
        return "\n\n".join([top, about, met, self._table(items)]) + "\n"

    def _table(self, items: Sequence[Item]) -> str:
        lines = [
            [case.name, via, version, *_figures(own)]
            for case in self.campaign.cases
            for via in case.vias
            for version in self.campaign.subject.versions
            if (own := [item for item in items if (item["case"], item["via"], item["version"]) == (case.name, via, version)])
        ]
        total = [["**all**", via, "", *_figures(_by(items, via))] for via in self.by]
        header = ["", "by", "version", "n", "right", "wrong", "refused", "stuck", "reply after, p50 ms", "p95 ms"]
        return table(header, [*lines, *total])


def _by(items: Sequence[Item], via: str) -> list[Item]:
    return [item for item in items if item["via"] == via]


def _count(items: Sequence[Item], verdict: str) -> int:
    return sum(item["verdict"] == verdict for item in items)


def _figures(items: Sequence[Item]) -> list[str]:
    counts = [str(_count(items, verdict)) for verdict in ("right", "wrong", "refused", "stuck")]
    return [str(len(items)), *counts, *p50_p95([item["ms"] for item in items if "ms" in item])]
