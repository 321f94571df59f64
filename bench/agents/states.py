"""Campaign: what coop says the agent is doing is what it is doing."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bench.agents.kept import Kept, progress
from bench.agents.stage import Stage, staged
from bench.agents.subject import IDLE, Subject
from bench.agents.truth import Turn
from bench.agents.verdict import Published, judge
from coop.testing import eventually


@dataclass(frozen=True, slots=True)
class Scenario:
    """`play` acts until nothing more is to be done; then so many requests are waited for."""

    play: Callable[[Stage], None]
    calls: int = 1
    final: str | None = IDLE
    """`None` when it depends on the version: the second terminal says."""
    only: str = ""
    """The version that has it; empty for all."""
    where: str = ""
    """The kind of session it needs; scenarios of one kind share one."""
    at_start: bool = False
    """It begins with the session itself, before that is ready."""


@dataclass(frozen=True)
class States:
    subject: Subject
    scenarios: Mapping[str, Scenario]
    per_round: int
    """About so many transitions are in one round of all versions."""
    final: Callable[[Sequence[str]], str] = lambda lines: IDLE
    """How it ended, by the lines of the second terminal."""

    def keys(self, count: int) -> list[str]:
        return [
            f"{version}|{number}|{name}"
            for number in range(-(-count // self.per_round))
            for version in self.subject.versions
            for name, scenario in self.scenarios.items()
            if scenario.only in ("", version)
        ]

    def run(self, kept: Kept, wanted: Sequence[str]) -> None:
        """A session that is stuck is left, and the next takes over from it."""
        while left := kept.missing(wanted):
            version, number, first = left[0].split("|")
            where = self.scenarios[first].where
            mates = [key.split("|") for key in left]
            names = [name for *of, name in mates if of == [version, number] and self.scenarios[name].where == where]
            began = time.monotonic()
            with staged(self.subject, self.subject.setting(version, where)) as stage:
                self._play_all(kept, stage, version, number, names)
            took = time.monotonic() - began
            progress(f"states: {version}, round {number}, {where or 'default'}: {len(names)} in {took:.0f} s")

    def _play_all(self, kept: Kept, stage: Stage, version: str, number: str, names: Sequence[str]) -> None:
        if not self.scenarios[names[0]].at_start:
            stage.session.ready()
            eventually(lambda: stage.onlooker.now.rests, within=10, what="the composer")
        for name in names:
            found = self.play(stage, self.scenarios[name])
            kept.add(f"{version}|{number}|{name}", version=version, scenario=name, **found)
            if found["wrong"] or found["false_idles"]:
                progress(f"  {version} {name}: {json.dumps(found, ensure_ascii=False)[:2500]}")
            if found["stuck"]:
                return

    def play(self, stage: Stage, scenario: Scenario) -> dict[str, Any]:
        if not scenario.at_start:
            stage.begin()
        try:
            scenario.play(stage)
            stage.settle(scenario.calls)
        except AssertionError as error:
            words = [f"stuck: {error}"[:1500], *stage.onlooker.now.lines[-25:]]
            said = {"told": stage.session.state(), "explained": stage.session.explain()}
            return {"stuck": True, **said, "transitions": 0, "wrong": words, "false_idles": [], "latencies": []}
        turn, published = stage.turn(scenario.final or self.final(stage.onlooker.now.lines)), stage.published()
        verdict = judge(turn, published)
        evidence = _evidence(stage, turn, published) if verdict.wrong or verdict.false_idles else {}
        return {"stuck": False, **asdict(verdict), **evidence}


def _evidence(stage: Stage, turn: Turn, published: Sequence[Published]) -> dict[str, Any]:
    def since(at: float) -> float:
        return round(at - turn.began, 3)

    return {
        "flights": [[since(at) for at in flight] for flight in turn.flights],
        "over": since(turn.over),
        "rested": since(turn.rested),
        "ended": since(turn.ended),
        "dialogs": [[each.kind, since(each.drawn), since(each.gone)] for each in turn.dialogs],
        "published": [[since(at), state] for at, state in published],
        "explained": stage.session.explain(),
    }
