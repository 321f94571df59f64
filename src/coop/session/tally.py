"""What a session's events add up to, for whoever measures. Every label is of a small set, and none names a session."""

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import accumulate

from coop.model.events import Event, SessionEnded, StateChanged
from coop.model.readings import Waits
from coop.model.state import Prompted
from coop.session.core import SessionCore
from coop.session.waits import PromptWaits
from coop.wire.states import prompt_context, state_name

PATIENCE = (0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1800.0, 7200.0, 28800.0)
"""Bounds for what waits for a person."""
LATENCY = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 60.0, 1800.0)
"""Bounds for hooks: most are answered at once, some are held for a person."""
MOST_NAMES = 40
"""An agent has about thirty kinds of hooks; whatever else is posted counts as `other`."""
OTHER = "other"


@dataclass(slots=True)
class Histogram:
    bounds: tuple[float, ...]
    total: float = 0.0
    counts: list[int] = field(default_factory=list[int])

    def __post_init__(self) -> None:
        self.counts = [0] * (len(self.bounds) + 1)

    def add(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def cumulative(self) -> list[tuple[str, float]]:
        """How many are at most as large as each bound."""
        bounds = (*(str(bound) for bound in self.bounds), "+Inf")
        return list(zip(bounds, accumulate(map(float, self.counts)), strict=True))


class Tally:
    """An `Observer`, and a place to count what only a server sees."""

    def __init__(self, core: SessionCore, now: float) -> None:
        self._core = core
        self._state = state_name(core.insight.state)
        self._since = now
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._waits = PromptWaits()
        self.prompts: dict[tuple[str, str], Histogram] = {}
        """How long prompts waited, by their type and what came of them."""
        self.hooks: dict[str, Histogram] = {}
        """How long hooks waited for their reply, by their event."""
        self.requests: Counter[tuple[str, str, int]] = Counter()
        """By method, route and status."""
        self.disagreement = Disagreement(core, now)

    def on_event(self, event: Event) -> None:
        match event.fact:
            case StateChanged(current=current):
                self._seconds[self._state] += event.at - self._since
                self._state, self._since = state_name(current), event.at
            case SessionEnded():
                self.disagreement.end(event.at)
            case _:
                pass
        for waited in self._waits.receive(event):
            labels = prompt_context(waited.prompt).type, waited.outcome or "unknown"
            self.prompts.setdefault(labels, Histogram(PATIENCE)).add(waited.seconds)

    def on_item(self, now: float) -> None:
        self.disagreement.look(now)

    def seconds(self, now: float) -> dict[str, float]:
        """In each state so far."""
        return {**self._seconds, self._state: self._seconds[self._state] + now - self._since}

    def hook_answered(self, event: str, seconds: float) -> None:
        name = event if event in self.hooks or len(self.hooks) < MOST_NAMES else OTHER
        self.hooks.setdefault(name, Histogram(LATENCY)).add(seconds)


class Disagreement:
    """How often, and how long, the last word of a source was another than what is believed."""

    def __init__(self, core: SessionCore, now: float) -> None:
        self._core = core
        self._looked_at = now
        self._differing: frozenset[str] = frozenset()
        self._has_ended = False
        self.times: Counter[str] = Counter()
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def look(self, now: float) -> None:
        if self._has_ended:
            return
        for tier in self._differing:
            self.seconds[tier] += now - self._looked_at
        differing = frozenset(self._now_differing())
        self.times.update(differing - self._differing)
        self._differing, self._looked_at = differing, now

    def end(self, now: float) -> None:
        """What was said last of a child that is gone is no disagreement."""
        self.look(now)
        self._has_ended = True

    def _now_differing(self) -> list[str]:
        """Whoever decides agrees, whatever it said last: it may hold a hook open, too."""
        belief = self._core.belief
        state = type(belief.state)
        others = ((tier, type(word.state)) for tier, word in belief.said.items() if tier is not belief.tier)
        return [tier.value for tier, said in others if said is not state and not (said is Waits and state is Prompted)]
