"""Campaign: what coop says the agent is doing is what it is doing."""

import json
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from typing import Any

from bench.claude.kept import Kept, progress
from bench.claude.place import IDLE, VERSIONS
from bench.claude.plays_apart import OWN_HOOK, distrust
from bench.claude.scenarios import SCENARIOS
from bench.claude.stage import Stage, staged
from bench.claude.verdict import judge
from coop.testing import eventually

PER_ROUND = 200
"""About so many transitions are in one round on both versions."""


def keys(count: int) -> list[str]:
    rounds = range(-(-count // PER_ROUND))
    return [
        f"{version}|{number}|{name}"
        for number in rounds
        for version in VERSIONS
        for name, scenario in SCENARIOS.items()
        if scenario.only in ("", version)
    ]


def run(kept: Kept, wanted: Sequence[str]) -> None:
    """A session that is stuck is left, and the next takes over from it."""
    while left := kept.missing(wanted):
        version, number, first = left[0].split("|")
        where = SCENARIOS[first].where
        mates = [key.split("|") for key in left]
        names = [name for *of, name in mates if of == [version, number] and SCENARIOS[name].where == where]
        began = time.monotonic()
        with _session(version, where) as stage:
            _play_all(kept, stage, version, number, names)
        progress(f"states: {version}, round {number}, {where or 'default'}: {len(names)} in {time.monotonic() - began:.0f} s")


def _session(version: str, where: str) -> AbstractContextManager[Stage]:
    match where:
        case "own hook":
            return staged(version, "--settings", OWN_HOOK)
        case "auto mode":
            return staged(version, mode=None)
        case "untrusted":
            return staged(version, prepare=distrust)
        case _:
            return staged(version)


def _play_all(kept: Kept, stage: Stage, version: str, number: str, names: Sequence[str]) -> None:
    if SCENARIOS[names[0]].where != "untrusted":
        stage.session.ready()
        eventually(lambda: stage.onlooker.now.rests, within=10, what="the composer")
    for name in names:
        found = play(stage, name)
        kept.add(f"{version}|{number}|{name}", version=version, scenario=name, **found)
        if found["wrong"] or found["false_idles"]:
            progress(f"  {version} {name}: {json.dumps(found)[:2500]}")
        if found["stuck"]:
            return


def play(stage: Stage, name: str) -> dict[str, Any]:
    scenario = SCENARIOS[name]
    if scenario.where != "untrusted":
        stage.begin()
    try:
        scenario.play(stage)
        stage.settle(scenario.calls)
    except AssertionError as error:
        words = [f"stuck: {error}"[:1500], *stage.onlooker.now.lines[-25:]]
        return {"stuck": True, "transitions": 0, "wrong": words, "false_idles": [], "latencies": []}
    turn, published = stage.turn(scenario.final or _final(stage)), stage.published()
    verdict = judge(turn, published)
    evidence: dict[str, Any] = {}
    if verdict.wrong or verdict.false_idles:
        evidence = {
            "flights": [[_since(turn.began, at) for at in flight] for flight in turn.flights],
            "over": _since(turn.began, turn.over),
            "rested": _since(turn.began, turn.rested),
            "ended": _since(turn.began, turn.ended),
            "dialogs": [[each.kind, _since(turn.began, each.drawn), _since(turn.began, each.gone)] for each in turn.dialogs],
            "published": [[_since(turn.began, at), state] for at, state in published],
        }
    return {"stuck": False, **asdict(verdict), **evidence}


def _final(stage: Stage) -> str:
    """What stands under the last message."""
    lines = stage.onlooker.now.lines
    said = max((at for at, line in enumerate(lines) if line.startswith("❯ ")), default=0)
    return "error" if any("API Error" in line for line in lines[said:]) else IDLE


def _since(began: float, at: float) -> float:
    return round(at - began, 3)
