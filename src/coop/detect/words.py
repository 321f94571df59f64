"""What every source last said: an agent's own words, its hints, and the prompts that are open."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from coop.model.ids import PromptId
from coop.model.prompt import Prompt
from coop.model.readings import Claim
from coop.model.state import AgentState, Exited, Failed, Idle, Prompted, Tier, Working

ANSWERED_GONE_AFTER = 3.0
"""How long a dialog may still be drawn that we have answered without a key: a busy machine takes its time."""
PRIMARY = frozenset({Tier.HOOKS, Tier.SESSION_LOG, Tier.STDOUT_JSONL, Tier.STATUS_FILE})
"""Structured words of the agent itself. The screen and terminal reports can be forged by any program's output."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What one source said. `at` is when its evidence last changed: for a screen, the time of the last output."""

    state: Claim | Exited
    tier: Tier
    at: float
    final: bool = True
    began: float = 0.0
    """Since when the source has said so."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A prompt with a life of its own: it is open until it is `Closed`."""

    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Closed:
    id: PromptId
    answered_at: float | None = None
    """When we answered it, if it was by us and without a key: what is drawn of it is on its way off the screen."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Why an agent that has ended its turn is at work all the same: `background`, `queued`. `None` when nothing keeps it."""

    why: str | None


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A source no longer says that; `None` is whatever it said."""

    tier: Tier
    state: Claim | None = None


Seen = Observation | Withdrawn | Opened | Closed | Kept | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a rule says, from when on, and what would change it."""

    state: AgentState
    tier: Tier
    rule: str
    due: float = 0.0
    unless: str = ""


@dataclass(frozen=True, slots=True)
class Belief:
    state: AgentState
    tier: Tier
    since: float
    rule: str = "nothing has been said yet"
    unless: str = "any source speaks"
    said: Mapping[Tier, Observation] = field(default_factory=dict[Tier, Observation])
    open: tuple[Prompt, ...] = ()
    answered: Mapping[PromptId, float] = field(default_factory=dict[PromptId, float])
    """What we answered without a key, and when: the last, and what may still be drawn of those before it."""
    over: tuple[PromptId, float] | None = None
    """The prompt that last gave way to something else, and when: what is still drawn of it is not asked again."""
    kept: str | None = None
    expects_status: bool = False
    """The agent has a status file: until it speaks, the start is not over."""
    by_hints: bool = False
    """The agent has no words of its own for us: its screen and its reports are all there is."""
    worked_at: float = float("-inf")
    """When the agent itself last said that it works: what was said before is about an earlier turn."""
    grew_at: float = float("-inf")
    """When the session log last grew, whatever was written there."""
    looks_at: float | None = None
    """The screen has changed, and will have been looked at by then: what came with the end of a turn may be a dialog."""
    pending: Verdict | None = None
    """What will be believed next, if nothing is said before `due`."""

    @property
    def due(self) -> float | None:
        return self.pending.due if self.pending else None

    def grace_remaining(self, now: float) -> float | None:
        """Seconds until a pending idle is believed; `None` when none is pending."""
        if self.pending is None or not isinstance(self.pending.state, Idle):
            return None
        return max(0.0, self.pending.due - now)


def note(belief: Belief, seen: Seen) -> Belief:
    match seen:
        case None:
            return belief
        case Opened(prompt):
            others = tuple(each for each in belief.open if each.id != prompt.id)
            known = any(each.id == prompt.id for each in belief.open)
            kept = tuple(prompt if each.id == prompt.id else each for each in belief.open)
            return replace(belief, open=kept if known else (*others, prompt))
        case Closed(identity, answered_at):
            still_open = tuple(each for each in belief.open if each.id != identity)
            answered = belief.answered if answered_at is None else _answered(belief.answered, identity, answered_at)
            return replace(belief, open=still_open, answered=answered)
        case Kept(why):
            return replace(belief, kept=why)
        case Withdrawn(tier, state):
            said = {each: word for each, word in belief.said.items() if each is not tier or state not in (None, word.state)}
            return replace(belief, said=said)
        case Observation() if _is_nothing_new(belief.said.get(seen.tier), seen):
            return belief
        case Observation(state=Failed(), tier=Tier.SESSION_LOG) if seen.at < belief.worked_at:
            return belief  # a log tells late: the agent has been given something else to do
        case Observation():
            works = isinstance(seen.state, Working) and seen.tier in PRIMARY - {Tier.SESSION_LOG}
            worked_at = max(belief.worked_at, seen.at) if works else belief.worked_at
            return replace(belief, said=_standing(belief.said, seen), worked_at=worked_at)


def _answered(before: Mapping[PromptId, float], identity: PromptId, now: float) -> dict[PromptId, float]:
    recent = {each: at for each, at in before.items() if now < at + ANSWERED_GONE_AFTER and each != identity}
    return {**recent, identity: now}


def _is_nothing_new(before: Observation | None, seen: Observation) -> bool:
    """In reports: that what has failed rests, and that what works makes progress."""
    if before is None or seen.tier is not Tier.TERMINAL_REPORT:
        return False
    match before.state, seen.state:
        case (Failed(), Idle()) | (Working(), Working(detail="progress")):
            return True
        case _:
            return False


def _standing(said: Mapping[Tier, Observation], seen: Observation) -> dict[Tier, Observation]:
    before = said.get(seen.tier)
    is_same = before is not None and _kind(before.state) == _kind(seen.state)
    noted = replace(seen, began=before.began if before is not None and is_same else seen.at)
    standing = dict(said)
    if isinstance(seen.state, Working) and seen.tier in PRIMARY:  # a new turn: what failed before is past
        standing = {tier: each for tier, each in standing.items() if not isinstance(each.state, Failed) or each.at > seen.at}
    standing.pop(seen.tier, None)
    return {**standing, seen.tier: noted}  # the last to speak stands last


def _kind(state: Claim | Exited) -> object:
    return (Prompted, state.prompt.id) if isinstance(state, Prompted) else type(state)
