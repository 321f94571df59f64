"""What the agent was told, and what has shown so far that it heard: one receipt for each message."""

import itertools
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from coop.agents import Agent
from coop.model.commands import Delivered, Nudge, Progress, Reason, Receipt, Refused, Respond, When
from coop.model.ids import PromptId, ReceiptId, RequestId
from coop.model.prompt import Prompt
from coop.model.readings import Heard
from coop.model.state import AgentState, Tier, Unknown
from coop.session.effects import Effect, Reply

PROOF_WITHIN = 3.0
"""How long an agent has to show that it took an answer."""
TOLD_WITHIN = 1.0
"""How long the log may take to tell of what is seen on the screen."""
QUEUED_AT_MOST = 3600.0
"""How long a message may stay in the agent's queue."""
HOPE = 60.0
"""How long proof that comes late still counts."""
NO_PROOF = "it was typed, but nothing shows that the agent took it"
STILL_TYPING = "it is still being typed; ask for its receipt"
RETURNED = "it came back into the agent's input, and was not sent"
BLOCKED = "the agent took it, but somebody's hook kept it from the model"
BETWEEN_QUEUED = "\n\n"
"""What stands between messages that the agent had queued and heard as one."""
_HOOK, _LOG = Tier.HOOKS.value, Tier.SESSION_LOG.value
ROUNDING = 0.05
"""By how much less than a record's time may be told."""
SKEW = 0.5
"""How far the clock of a record may be behind ours."""
ENDS = frozenset({Progress.CONFIRMED, Progress.UNVERIFIABLE, Progress.REFUSED})
"""What can become of a message."""
KEPT = 1000
"""So many receipts are remembered."""


@dataclass(slots=True)
class Telling:
    """One message or answer, from the first stroke to its proof."""

    requests: list[RequestId]
    """Who waits for the outcome: more than one when it was asked again with the same key."""
    first: RequestId
    """Who asked for it."""
    command: Nudge | Respond
    before: AgentState
    began: float
    until: float
    prompt: PromptId | None = None
    about: Prompt | None = None
    """The prompt that is answered, as it was then."""
    receipt: ReceiptId | None = None
    effect: str = ""
    via: str = ""
    is_sent: bool = False
    """The key that sends or answers was typed, or the hook was told: before that, nothing that happens is its doing."""
    is_proven: bool = False
    is_queued: bool = False
    """It was seen in the agent's queue, which is not to say that it will be sent."""
    words: str | None = None
    """What the agent must be heard to have taken besides."""
    heard_at: float = 0.0
    """When it was last told of as taken."""
    alike: int = 0
    """How many like it stood in the agent's queue before."""
    is_back: bool = False
    """It was seen in the agent's input again."""
    heard_by: set[tuple[str, bool]] = field(default_factory=set[tuple[str, bool]])
    """Which sources have told that the agent took it, and whether into its queue: out of that it is told of once more."""


@dataclass(slots=True)
class Tellings:
    agent: Agent
    active: list[Telling] = field(default_factory=list[Telling])
    receipts: OrderedDict[ReceiptId, Receipt] = field(default_factory=OrderedDict[ReceiptId, Receipt])
    outcomes: Counter[Progress] = field(default_factory=Counter[Progress])
    """How many messages have come to each end."""
    answers: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """How many answers were taken, by the way they went and what they did."""
    _keys: OrderedDict[str, tuple[Nudge, ReceiptId]] = field(default_factory=OrderedDict[str, tuple[Nudge, ReceiptId]])
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    # Asking

    def repeated(self, nudge: Nudge, request: RequestId) -> Iterator[Effect] | None:
        """What to do with a nudge whose key was used before; `None` for a new one."""
        if nudge.key is None or nudge.key not in self._keys:
            return None
        first, receipt = self._keys[nudge.key]
        if receipt not in self.receipts:
            return None  # too long ago to tell
        return self._again(nudge, first, receipt, request)

    def _again(self, nudge: Nudge, first: Nudge, receipt: ReceiptId, request: RequestId) -> Iterator[Effect]:
        if replace(nudge, wait=first.wait) != first:
            detail = f"Idempotency-Key {nudge.key!r} was used for another message; use a new key for a new message"
            yield Reply(request, Refused(Reason.KEY_REUSED, detail))
            return
        telling = next((each for each in self.active if each.receipt == receipt and each.requests), None)
        if telling is not None:
            telling.requests.append(request)
            return
        yield Reply(request, self._outcome(self.receipts[receipt]))

    def _outcome(self, receipt: Receipt) -> Delivered | Refused:
        telling = next((each for each in self.active if each.receipt == receipt.id), None)
        is_queued = receipt.progress is Progress.SUBMITTED and receipt.queued
        if is_queued or receipt.progress is Progress.CONFIRMED:
            return Delivered(telling.before if telling else Unknown(), receipt)
        return Refused(Reason.UNVERIFIED, NO_PROOF, None, receipt)

    def begin(self, command: Nudge | Respond, request: RequestId, before: AgentState, now: float) -> Telling:
        wait = command.wait if isinstance(command, Nudge) else PROOF_WITHIN
        self._give_up_hope(command)
        telling = Telling([request], request, command, before, now, now + wait)
        self.active.append(telling)
        if isinstance(command, Nudge):
            telling.receipt = self._receipt(command, now)
        return telling

    def _give_up_hope(self, command: Nudge | Respond) -> None:
        """The same words again: what is heard from now on is this message, not the one before it."""
        for telling in [each for each in self.active if not (each.is_proven or each.is_queued or each.requests)]:
            if isinstance(command, Nudge) and isinstance(telling.command, Nudge) and telling.command.message == command.message:
                self.note(telling, progress=Progress.UNVERIFIABLE)
                self.active.remove(telling)

    def _receipt(self, nudge: Nudge, now: float) -> ReceiptId:
        identity = ReceiptId(f"r{next(self._numbers)}")
        self.receipts[identity] = Receipt(identity, nudge.message, Progress.TYPING, now)
        if nudge.key is not None:
            self._keys[nudge.key] = (nudge, identity)
        for remembered in (self.receipts, self._keys):
            if len(remembered) > KEPT:
                remembered.popitem(last=False)
        return identity

    def of(self, request: RequestId) -> Telling | None:
        """What that request has begun, while anything can still come of it."""
        return next((each for each in reversed(self.active) if each.first == request), None)

    def is_awaiting_proof(self) -> bool:
        """Is somebody's message under way, of which nobody knows yet whether it was taken?"""
        return any(each.requests and not each.is_proven and isinstance(each.command, Nudge) for each in self.active)

    # What becomes of it

    def is_submitted(self, telling: Telling) -> bool:
        receipt = self.receipts.get(telling.receipt) if telling.receipt else None
        return receipt is not None and receipt.progress is Progress.SUBMITTED

    def note(self, telling: Telling, **changes: object) -> None:
        if telling.receipt is not None and telling.receipt in self.receipts:
            before = self.receipts[telling.receipt]
            self.receipts[telling.receipt] = after = replace(before, **changes)  # type: ignore[arg-type]
            if after.progress in ENDS and before.progress is not after.progress:
                self.outcomes[after.progress] += 1

    def on_sent(self, request: RequestId) -> None:
        if (telling := self.of(request)) is not None:
            telling.is_sent = True

    def on_cleared(self, request: RequestId, text: str) -> None:
        """Of what is erased line by line, the first look has all of it."""
        telling = self.of(request)
        if telling is not None and telling.receipt is not None and self.receipts[telling.receipt].cleared_draft is None:
            self.note(telling, cleared_draft=text)

    def on_shown(self, request: RequestId, text: str) -> Iterator[Effect]:
        telling = self.of(request)
        if telling is not None and not telling.is_proven:
            self.note(telling, received_as=text, evidence="screen")
            yield from self.proven(telling)

    def heard(self, heard: Heard, evidence: str, at: float) -> Iterator[Effect]:
        """The agent has told what it took: that is the proof of this message, and of no earlier one with the same words."""
        word = (evidence, heard.queued)
        for telling in self._meant(heard.text, word, at):
            telling.heard_by.add(word)  # each source tells of it once: again, it is of another with the same words
            telling.heard_at = at
            self._keep_while_queued(telling, heard, at)
            if evidence == _HOOK and Tier.SESSION_LOG in self.agent.tiers:
                telling.until = max(telling.until, at + HOPE)  # the log may tell that it came no further
            # A hook may tell of it before or after the log says that it only waits.
            self.note(telling, queued=_is_in_queue(telling))
            if not telling.is_proven:
                self.note(telling, received_as=heard.text, evidence=evidence)
                yield from self.proven(telling)

    def unheard(self, at: float, state: AgentState, *, returns: bool) -> Iterator[Effect]:
        """What a hook told of as taken, and the log did not, was kept from the model."""
        for telling in reversed(self.active):
            is_meant = bool(telling.heard_by) if returns else _is_held(telling)
            if is_meant and telling.receipt is not None and telling.heard_at <= at + ROUNDING:
                refused = Refused(Reason.BLOCKED, BLOCKED, state)
                yield from self.returned(telling, state) if returns else self.refused(telling, refused)
                return

    def came_back(self, text: str, state: AgentState) -> Iterator[Effect]:
        """The log tells that it was given back out of the agent's queue, into which it told it had come."""
        for telling in reversed(self.active):
            if telling.receipt is not None and _is_in_queue(telling) and self._is_same(telling, text):
                yield from self.returned(telling, state)
                return

    def _meant(self, text: str, word: tuple[str, bool], at: float) -> Sequence[Telling]:
        """Whose words they are: the first's that fits, or those of several that were queued together."""
        sent = [each for each in self.active if each.is_sent and at >= each.began - SKEW and word not in each.heard_by]
        one = next((each for each in sent if self._is_same(each, text)), None)
        if one is not None or not self.agent.queues_as_one:
            return (one,) if one is not None else ()
        parts = text.split(BETWEEN_QUEUED)
        return next((found for n in range(len(sent)) if (found := self._together(sent[n:], parts)) is not None), ())

    def _together(self, sent: Sequence[Telling], parts: Sequence[str]) -> Sequence[Telling] | None:
        """The first of them, as many as it takes to say all of that in their order; `None` when they do not."""
        if not parts or not sent:
            return None if parts else ()
        for n in range(1, len(parts) + 1):
            if self._is_same(sent[0], BETWEEN_QUEUED.join(parts[:n])):
                rest = self._together(sent[1:], parts[n:])
                if rest is not None:
                    return (sent[0], *rest)
        return None

    def _is_same(self, telling: Telling, text: str) -> bool:
        sent = telling.command.message if isinstance(telling.command, Nudge) else telling.words
        return sent is not None and self.agent.is_same is not None and self.agent.is_same(sent, text)

    def _keep_while_queued(self, telling: Telling, heard: Heard, at: float) -> None:
        """What is told when it leaves the queue is of this message, and of no later one with the same words."""
        if heard.queued:
            telling.until = max(telling.until, at + QUEUED_AT_MOST)
        elif any(queued for _, queued in telling.heard_by):
            telling.until = at + PROOF_WITHIN

    def on_idle(self, now: float) -> None:
        """Nothing is queued any more."""
        for telling in (each for each in self.active if each.is_proven or each.is_queued):
            telling.until = min(telling.until, now + PROOF_WITHIN)

    def queued(self, telling: Telling, evidence: str) -> Iterator[Effect]:
        """It stands in the agent's queue: who waits is told so, and the receipt is confirmed when the agent has heard it."""
        telling.is_queued = True
        telling.heard_by.add((evidence, True))
        telling.until += QUEUED_AT_MOST  # what is told when it leaves the queue is of this one
        self.note(telling, evidence=evidence, queued=True)
        yield from self._delivered_to_all(telling)

    def in_queue(self) -> list[Telling]:
        """Messages for the agent's queue that it has not been heard to take, and for which nobody waits any more."""
        return [
            each
            for each in self.active
            if isinstance(each.command, Nudge) and each.command.when is When.QUEUE and not each.requests
            if self.is_submitted(each)
        ]

    def held(self) -> list[Telling]:
        """Messages that a hook told of as taken, and the log, which alone says that they went further, did not."""
        return [each for each in self.active if isinstance(each.command, Nudge) and _is_held(each)]

    def on_back(self, telling: Telling, now: float) -> None:
        """It stands in the agent's input again. The log may still tell why, or that it went further all the same."""
        if not telling.is_back:
            telling.is_back, telling.until = True, now + TOLD_WITHIN

    def wait_for_queued(self, now: float) -> None:
        for telling in self.in_queue():
            telling.until = max(telling.until, now + HOPE)

    def is_typing(self, message: str) -> bool:
        """Is one with these words on its way into the agent's input?"""
        receipts = [self.receipts.get(each.receipt) for each in self.active if each.receipt is not None]
        return any(each is not None and each.progress is Progress.TYPING and each.message == message for each in receipts)

    def returned(self, telling: Telling, state: AgentState) -> Iterator[Effect]:
        self.note(telling, queued=False)
        yield from self.refused(telling, Refused(Reason.RETURNED, RETURNED, state))

    def proven(self, telling: Telling) -> Iterator[Effect]:
        telling.is_proven = True
        if isinstance(telling.command, Respond):
            self.answers[telling.via, telling.effect] += 1
        self.note(telling, progress=Progress.CONFIRMED)
        yield from self._delivered_to_all(telling)
        if telling.receipt is None:
            self.active.remove(telling)

    def _delivered_to_all(self, telling: Telling) -> Iterator[Effect]:
        receipt = self.receipts.get(telling.receipt) if telling.receipt else None
        delivered = Delivered(telling.before, receipt, telling.effect, telling.via, telling.about)
        yield from (Reply(each, delivered) for each in telling.requests)
        telling.requests = []

    def refused(self, telling: Telling, refused: Refused) -> Iterator[Effect]:
        """Nothing was submitted: the same key may be tried again."""
        self.note(telling, progress=Progress.REFUSED, reason=refused.reason.value)
        receipt = self.receipts.get(telling.receipt) if telling.receipt else None
        yield from (Reply(each, replace(refused, receipt=receipt)) for each in telling.requests)
        self._forget(telling)

    def _forget(self, telling: Telling) -> None:
        self.active.remove(telling)
        if isinstance(telling.command, Nudge) and telling.command.key is not None:
            self._keys.pop(telling.command.key, None)

    def deadline(self) -> float | None:
        return min((each.until for each in self.active), default=None)

    def give_up(self, state: AgentState, now: float) -> Iterator[Effect]:
        """Whoever waits is told the truth in time; proof may still come."""
        for telling in [each for each in self.active if now >= each.until]:
            if telling.is_back and _is_held(telling):
                yield from self.returned(telling, state)
                continue
            receipt = self.receipts.get(telling.receipt) if telling.receipt else None
            is_typing = receipt is not None and receipt.progress is Progress.TYPING
            refused = Refused(Reason.UNVERIFIED, STILL_TYPING if is_typing else NO_PROOF, state, receipt)
            yield from (Reply(each, refused) for each in telling.requests)
            if telling.requests and telling.receipt is not None:
                telling.requests, telling.until = [], now + HOPE
            else:
                if not telling.is_proven:
                    self.note(telling, progress=Progress.UNVERIFIABLE)
                self.active.remove(telling)

    def clear(self, refused: Refused, *, has_left: bool) -> Iterator[Effect]:
        """The child is gone. `has_left`: by itself, and well, as it does when it is told to."""
        for telling in list(self.active):
            if has_left and not telling.is_proven and _may_end_it(telling):
                self.note(telling, evidence=Tier.PROCESS.value)
                yield from self.proven(telling)
            else:
                yield from self._gone(telling, refused)
        self.active = []

    def _gone(self, telling: Telling, refused: Refused) -> Iterator[Effect]:
        if not telling.is_proven and telling.is_sent:
            self.note(telling, progress=Progress.UNVERIFIABLE)
        elif not telling.is_proven:
            self.note(telling, progress=Progress.REFUSED, reason=refused.reason.value)
        receipt = self.receipts.get(telling.receipt) if telling.receipt else None
        yield from (Reply(each, replace(refused, receipt=receipt)) for each in telling.requests)


def _may_end_it(telling: Telling) -> bool:
    """A command of the agent's own that has been sent."""
    return (
        isinstance(telling.command, Nudge)
        and telling.command.raw
        and telling.is_sent
        and telling.command.message.startswith("/")
    )


def _is_held(telling: Telling) -> bool:
    sources = {source for source, _ in telling.heard_by}
    return _HOOK in sources and _LOG not in sources


def _is_in_queue(telling: Telling) -> bool:
    """By the log, which alone is in order: it has come in, and not out again."""
    return (_LOG, True) in telling.heard_by and (_LOG, False) not in telling.heard_by
