"""Messages to the agent: typed at the right moment, and delivered only when it has said what it heard."""

from collections.abc import Iterator

from coop.errors import CoopError
from coop.model.commands import Nudge, Progress, Reason, Refused, When
from coop.model.ids import RequestId
from coop.model.state import AgentState, Failed, Idle, Prompted, Starting, Working
from coop.session.effects import Effect, Reply
from coop.session.insight import Insight
from coop.session.lane import Lane
from coop.session.refusing import ill_said
from coop.session.telling import Telling, Tellings


class Nudging:
    def __init__(self, insight: Insight, tellings: Tellings, lane: Lane) -> None:
        self._insight = insight
        self._tellings = tellings
        self._lane = lane

    def on_asked(self, nudge: Nudge, request: RequestId, now: float) -> Iterator[Effect]:
        repeated = self._tellings.repeated(nudge, request)
        if repeated is not None:
            yield from repeated
            return
        state = self._insight.state
        if not self._may_be_told(nudge.when, state):
            yield Reply(request, Refused(Reason.AGENT_BUSY, _busy(nudge.when, state), state))
            return
        assert self._insight.agent.type_nudge is not None
        try:
            script = self._insight.agent.type_nudge(nudge)
        except CoopError as error:
            yield Reply(request, ill_said(error))
            return
        telling = self._tellings.begin(nudge, request, state, now)
        telling.alike = self._in_queue(nudge.message)
        self._lane.offer(request, script, now, answered_later=True)

    def _may_be_told(self, when: When, state: AgentState) -> bool:
        """A message that waits for its proof holds nobody up, but it is about to end the idleness another asks for."""
        if when is When.IDLE and self._tellings.is_awaiting_proof():
            return False
        match state:
            case Idle() | Failed():
                return True
            case Working():
                return when is not When.IDLE
            case _:
                return False

    def on_typed(self, telling: Telling) -> Iterator[Effect]:
        """All is typed. A command of the agent's own is told nowhere: that the input is empty has to do."""
        if telling.is_proven or not isinstance(telling.command, Nudge):
            return
        self._tellings.note(telling, progress=Progress.SUBMITTED)
        if telling.command.when is When.QUEUE and self._is_queued(telling.command, telling.alike):
            yield from self._tellings.queued(telling, "screen")
            return
        composer = self._insight.reading.composer
        if self._insight.agent.is_same is None:
            return  # what it takes, it shows: by its screen, or by its state
        if telling.command.raw and telling.command.message.startswith(("/", "!")) and (composer is None or not composer.draft):
            self._tellings.note(telling, evidence="screen")
            yield from self._tellings.proven(telling)

    def on_time(self, now: float) -> None:
        """As long as something is in the agent's queue, what was meant for it may still be heard."""
        if self._insight.reading.queued:
            self._tellings.wait_for_queued(now)

    def on_screen(self, now: float) -> Iterator[Effect]:
        """A turn that is stopped gives back what was queued, or held by somebody's hook: what stands in the input again was not sent."""
        reading = self._insight.reading
        draft = reading.composer.draft if reading.composer is not None else ""
        if not draft or (reading.queued and not reading.queue):
            return  # what the queue does not show may still be in it
        for telling in self._tellings.in_queue():
            if self._is_back(telling, draft):
                yield from self._tellings.returned(telling, self._insight.state)
        for telling in self._tellings.held() if isinstance(self._insight.state, Idle) else ():
            if self._is_back(telling, draft):
                self._tellings.on_back(telling, now)

    def _is_back(self, telling: Telling, draft: str) -> bool:
        message = telling.command.message if isinstance(telling.command, Nudge) else ""
        is_over = not self._in_queue(message) and not self._tellings.is_typing(message)
        return is_over and _holds(draft, message)

    def _is_queued(self, nudge: Nudge, before: int) -> bool:
        """Is there one more like it in the agent's queue than before, and is it gone from its input?"""
        composer = self._insight.reading.composer
        is_gone = composer is not None and not composer.draft
        return is_gone and self._in_queue(nudge.message) > before

    def _in_queue(self, message: str) -> int:
        """How many in the agent's queue are shown as this would be: whole, or its beginning and a `…`."""
        whole, queue = "".join(message.split()), ["".join(each.split()) for each in self._insight.reading.queue]
        return sum(whole.startswith(each[:-1]) if each.endswith("…") and len(each) > 1 else whole == each for each in queue)

    def on_state(self, before: AgentState, after: AgentState) -> Iterator[Effect]:
        """An agent that does not say what it heard has shown it when it leaves the state it was in, once all of it is typed.

        That it ends what it was at work on is of that work: only new work is of the message.
        """
        if self._insight.agent.is_same is not None:
            return
        for telling in [each for each in self._tellings.active if self._tellings.is_submitted(each)]:
            if isinstance(after, Working) or not isinstance(telling.before, Working):
                yield from self._tellings.proven(telling)


def _holds(draft: str, message: str) -> bool:
    """Are some of its lines, one after the other, the message? Blanks apart: a long line is broken where the box ends."""
    whole, lines = "".join(message.split()), ["".join(line.split()) for line in draft.split("\n")]
    return any("".join(lines[n:end]) == whole for n in range(len(lines)) for end in range(n + 1, len(lines) + 1))


def _busy(when: When, state: AgentState) -> str:
    if isinstance(state, Working) and when is When.IDLE:
        return "the agent is at work; wait until it is waiting_for_input, or give when: queue, interrupt or steer"
    if isinstance(state, Idle | Failed):
        return "another message is on its way, and not proven yet; wait for its receipt, or give when: queue"
    if isinstance(state, Prompted):
        return "the agent asks something; answer that first"
    if isinstance(state, Starting):
        return "the agent is still starting; watch its state and try again"
    return "the agent is not waiting for input; watch its state and try again"
