"""Coop's published states held against what was really so."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.agents.subject import IDLE
from bench.agents.truth import EDGE, HELD, Phase, Turn, phases, transitions

Published = tuple[float, str]
"""When a state was received, and which."""


@dataclass(frozen=True, slots=True)
class Verdict:
    transitions: int
    wrong: list[str] = field(default_factory=list[str])
    """Wrong states held for longer than a second, in words."""
    false_idles: list[str] = field(default_factory=list[str])
    latencies: list[float] = field(default_factory=list[float])
    """Milliseconds from the dialog drawn to its event; less than nothing where the event came first."""


def judge(turn: Turn, published: Sequence[Published]) -> Verdict:
    all_phases = phases(turn)
    held = _held(published, turn.ended)
    latencies = _latencies(turn, published)
    wrong = _wrong(all_phases, held)
    if len(latencies) < len(turn.dialogs):
        wrong.append(f"of {len(turn.dialogs)} dialogs {len(latencies)} were told")
    return Verdict(transitions(turn), wrong, _false_idles(all_phases, held), latencies)


def _held(published: Sequence[Published], until: float) -> list[tuple[str, float, float]]:
    ends = [at for at, _ in published[1:]] + [until]
    return [(state, at, end) for (at, state), end in zip(published, ends, strict=True)]


def _wrong(all_phases: Sequence[Phase], held: Sequence[tuple[str, float, float]]) -> list[str]:
    """Each state's wrong stretches, joined over neighbouring phases, that are longer than a second."""
    found: list[str] = []
    for state, began, ended in held:
        first, last = 0.0, 0.0
        for phase in all_phases:
            start, end = max(began, phase.span[0]), min(ended, phase.span[1])
            if start >= end or state in phase.allowed:
                continue
            first = start if start != last else first
            last = end
            if last - first > HELD:
                found.append(f"{state} for {last - first:.2f} s while {phase.what} ({', '.join(sorted(phase.allowed))})")
    return found


def _false_idles(all_phases: Sequence[Phase], held: Sequence[tuple[str, float, float]]) -> list[str]:
    """Idle published while the agent was busy; or still standing when its first request had long begun."""
    found: list[str] = []
    busy = [phase for phase in all_phases if phase.is_busy]
    for state, began, ended in held:
        if state != IDLE or not busy:
            continue
        inside = next((phase for phase in busy if phase.span[0] <= began < phase.span[1]), None)
        late = sum(max(0.0, min(ended, phase.span[1]) - max(began, phase.span[0])) for phase in busy)
        if inside is not None:
            found.append(f"idle published in the middle of a {inside.what}, for {1000 * (ended - began):.0f} ms")
        elif late > EDGE:
            found.append(f"still idle {1000 * late:.0f} ms after the agent had begun")
    return found


def _latencies(turn: Turn, published: Sequence[Published]) -> list[float]:
    found: list[float] = []
    since = turn.began
    for dialog in turn.dialogs:
        told = next((at for at, state in published if at >= since and state == dialog.kind), None)
        if told is not None:
            found.append(1000 * (told - dialog.drawn))
        since = max(since, dialog.gone - 0.05)
    return found
