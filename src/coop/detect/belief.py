"""What we hold true of an agent, and the one rule by which an observation changes it."""

from dataclasses import dataclass, replace

from coop.model.state import AgentState, AltScreen, Exited, Idle, Tier

ALT_SCREEN_AFTER = 0.5
"""How long something foreign must have the alternate screen before we say so."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What one source said. `at` is when its evidence last changed: for a screen, the time of the last output."""

    state: AgentState
    tier: Tier
    at: float


@dataclass(frozen=True, slots=True)
class Belief:
    state: AgentState
    tier: Tier
    since: float
    pending: Observation | None = None
    """Seen, but not believed before `due`."""
    due: float | None = None

    def grace_remaining(self, now: float) -> float | None:
        """Seconds until a pending idle is believed; `None` when none is pending."""
        if self.pending is None or self.due is None or not isinstance(self.pending.state, Idle):
            return None
        return max(0.0, self.due - now)


def revise(belief: Belief, seen: Observation | None, now: float, *, grace: float) -> Belief:
    """The belief after an observation, or after time alone has passed (`seen` is `None`). Exit is final."""
    if isinstance(belief.state, Exited):
        return belief
    if seen is not None:
        belief = _consider(belief, seen, grace)
    if belief.pending is not None and belief.due is not None and now >= belief.due:
        return _believe(belief, belief.pending, now)
    return belief


def _consider(belief: Belief, seen: Observation, grace: float) -> Belief:
    if seen.state == belief.state:
        return replace(belief, pending=None, due=None)
    wait = _patience(seen, grace)
    if wait == 0.0:
        return _believe(belief, seen, seen.at)
    return replace(belief, pending=seen, due=seen.at + wait)


def _patience(seen: Observation, grace: float) -> float:
    """A quiet screen is an ambiguous sign of idleness; work, questions and errors are believed at once."""
    match seen.state, seen.tier:
        case Idle(), Tier.SCREEN:
            return grace
        case AltScreen(), _:
            return ALT_SCREEN_AFTER
        case _:
            return 0.0


def _believe(belief: Belief, seen: Observation, now: float) -> Belief:
    since = belief.since if seen.state == belief.state else now
    return Belief(seen.state, seen.tier, since)
