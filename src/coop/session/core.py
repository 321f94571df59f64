"""The session without I/O: items in, effects out. Everything a session decides is decided here."""

import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coop.agents import Agent
from coop.detect.belief import Belief, Observation, revise
from coop.errors import BadRequest
from coop.model.commands import (
    Command,
    Delivered,
    Done,
    Keys,
    Lease,
    LeaseAction,
    Leased,
    Nudge,
    Reason,
    Refused,
    Resize,
    Respond,
    Signal,
    Stroke,
    Strokes,
    Type,
    TypeRaw,
)
from coop.model.events import Event, Fact, Resized, SessionEnded, ShutdownStarted, StateChanged
from coop.model.ids import EventSeq, RequestId
from coop.model.records import (
    Asked,
    ChildExited,
    ConnectionGone,
    HookRecord,
    Item,
    Output,
    OutputEnded,
    ShuttingDown,
    Started,
    Tick,
    Written,
)
from coop.model.state import Exited, ExitStatus, Idle, Prompted, Starting, Tier, Unknown
from coop.session.effects import AnswerQuery, Effect, Publish, Reply, SendSignal, SetSize, ShutDown
from coop.session.lane import Lane
from coop.session.lease import LASTS, WriteLease
from coop.terminal.keys import encode_keys
from coop.terminal.ring import Ring
from coop.terminal.screen import Screen

SETTLE = 0.03
"""A screen is read when it has rested this long…"""
SETTLE_AT_MOST = 0.1
"""…and at the latest so long after it began to change."""
LAST_WORDS = 0.1
"""How long after the child's exit its terminal may stay silent before we stop listening: a grandchild may hold it open."""
LAST_WORDS_AT_MOST = 1.0
PROOF_WITHIN = 3.0
"""How long an agent has to show that it heard what it was told."""


@dataclass(frozen=True, slots=True)
class CoreSettings:
    epoch: str
    idle_grace: float = 60.0
    idle_timeout: float = 0.0
    """Shut down after so many seconds unused; 0 never does."""


@dataclass(slots=True)
class Counters:
    bytes_read: int = 0
    bytes_written: int = 0
    hook_records: int = 0
    events: int = 0


@dataclass(frozen=True, slots=True)
class _Unproven:
    """Told to the agent, but not yet seen to be heard."""

    request: RequestId
    outcome: Delivered
    until: float


class SessionCore:
    """`receive` is the only door. Reads (`screen`, `belief`, `ring`, …) are plain attribute access."""

    def __init__(self, settings: CoreSettings, *, agent: Agent, screen: Screen, ring: Ring, now: float) -> None:
        self.settings = settings
        self.agent = agent
        self.screen = screen
        self.ring = ring
        self.counters = Counters()
        self.pid: int | None = None
        self.started_at = now
        self.since_seq = 0
        """The screen's seq when the agent's state last changed."""
        state = Starting() if agent.read_screen else Unknown()
        self.belief = Belief(state, Tier.PROCESS, now)
        self.ended: ExitStatus | None = None
        self._lane = Lane()
        self._lease = WriteLease()
        self._last_used = now
        self._last_output = now
        self._unread_since: float | None = None
        self._read_due: float | None = None
        self._read_at = float("-inf")
        self._output_ended = False
        self._exit: tuple[ExitStatus, float] | None = None
        self._kill_at: float | None = None
        self._unproven: list[_Unproven] = []

    def receive(self, item: Item, now: float) -> Sequence[Effect]:
        """Takes one item; what is to be done because of it, in order."""
        if type(item) is Output:
            return self._on_output(item.data, now)
        if self.ended is None or isinstance(item, Asked):
            return tuple(self._on(item, now))
        return ()  # exit is final

    def deadline(self) -> float | None:
        """When the next `Tick` is due; `None` when nothing waits for time to pass."""
        if self.ended is not None:
            return None
        waits = (
            self._read_due,
            self.belief.due,
            self._lane.deadline(),
            self._last_words_end(),
            self._unused_end(),
            self._kill_at,
            *(unproven.until for unproven in self._unproven),
        )
        return min((wait for wait in waits if wait is not None), default=None)

    # Facts

    def _on_output(self, data: bytes, now: float) -> Sequence[Effect]:
        if self.ended is not None:
            return ()  # of somebody the child left behind
        self.ring.append(data)
        screen = self.screen
        was_drawing = screen.in_synchronized_update
        screen.feed(data)
        self.counters.bytes_read += len(data)
        self._last_output = now
        replies = screen.take_replies()
        effects: tuple[Effect, ...] = (AnswerQuery(replies),) if replies else ()
        if self.agent.read_screen is None:
            return effects
        frame_ended = was_drawing and not screen.in_synchronized_update
        return (*effects, *self._on_change(frame_ended, now))

    def _on_change(self, frame_ended: bool, now: float) -> Iterator[Effect]:
        """A frame is read where it ends, but not more often than a resting screen would be."""
        if frame_ended and now - self._read_at >= SETTLE:
            yield from self._revise(self._read_screen(now), now)
            return
        if self._unread_since is None:
            self._unread_since = now
        self._read_due = min(now + SETTLE, self._unread_since + SETTLE_AT_MOST)

    def _on(self, item: Item, now: float) -> Iterator[Effect]:
        match item:
            case Tick():
                yield from self._on_time(now)
            case Asked():
                yield from self._on_asked(item, now)
            case Written(count):
                self.counters.bytes_written += count
                self._lane.written(count, now)
            case Started(pid):
                self.pid, self.started_at = pid, now
            case ChildExited(status):
                self._exit = (status, now)
            case OutputEnded():
                self._output_ended = True
            case ShuttingDown(grace):
                yield from self._on_shutting_down(grace, now)
            case ConnectionGone(connection):
                self._lease.release(connection)
            case HookRecord():
                self.counters.hook_records += 1
            case Output():
                yield from self._on_output(item.data, now)
        for effect in self._lane.advance(now):
            if isinstance(effect, Reply):  # refused before it was typed: there is nothing to prove
                self._unproven = [each for each in self._unproven if each.request != effect.id]
            yield effect
        if (end := self._last_words_end()) is not None and now >= end:
            yield from self._end(now)

    def _on_time(self, now: float) -> Iterator[Effect]:
        if self._read_due is not None and now >= self._read_due:
            yield from self._revise(self._read_screen(now), now)
        yield from self._revise(None, now)
        yield from self._give_up_on_proof(now)
        if self._kill_at is not None and now >= self._kill_at:
            self._kill_at = None
            yield SendSignal(signal.SIGKILL)
        if (unused := self._unused_end()) is not None and now >= unused:
            self._last_used = now
            yield ShutDown()

    def _read_screen(self, now: float) -> Observation | None:
        self._unread_since = self._read_due = None
        self._read_at = now
        state = self.agent.read_screen(self.screen.snapshot()) if self.agent.read_screen else None
        return Observation(state, Tier.SCREEN, self._last_output) if state is not None else None

    # Belief

    def _revise(self, seen: Observation | None, now: float) -> Iterator[Effect]:
        grace = self.agent.quiet if self.agent.quiet is not None else self.settings.idle_grace
        before, self.belief = self.belief, revise(self.belief, seen, now, grace=grace)
        if before.state != self.belief.state:
            self.since_seq = self.screen.seq
            yield from (Reply(each.request, each.outcome) for each in self._unproven if self.ended is None)
            self._unproven = [] if self.ended is None else self._unproven
            yield self._publish(StateChanged(before.state, self.belief.state, self.screen.seq), now)

    def _publish(self, fact: Fact, now: float) -> Publish:
        self.counters.events += 1
        return Publish(Event(EventSeq(self.counters.events), self.settings.epoch, now, fact))

    # The end

    def _last_words_end(self) -> float | None:
        if self._exit is None or self.ended is not None:
            return None
        exited_at = self._exit[1]
        if self._output_ended:
            return exited_at
        return min(max(exited_at, self._last_output) + LAST_WORDS, exited_at + LAST_WORDS_AT_MOST)

    def _on_shutting_down(self, grace: float, now: float) -> Iterator[Effect]:
        if self.pid is None:
            return
        if self._kill_at is None:
            yield self._publish(ShutdownStarted(grace), now)
            yield SendSignal(signal.SIGHUP)
            yield SendSignal(signal.SIGCONT)  # a stopped child could not hear it
        self._kill_at = now + grace

    def _end(self, now: float) -> Iterator[Effect]:
        assert self._exit is not None
        self.ended = self._exit[0]
        yield from self._revise(Observation(Exited(self.ended), Tier.PROCESS, now), now)
        yield from self._lane.clear(_exited(self.ended))
        yield from (Reply(each.request, _exited(self.ended)) for each in self._unproven)
        self._unproven = []
        yield self._publish(SessionEnded(self.ended), now)

    def _unused_end(self) -> float | None:
        if not self.settings.idle_timeout or self.ended is not None:
            return None
        match self.belief.state:
            case Unknown():
                return max(self._last_output, self._last_used) + self.settings.idle_timeout
            case Idle():
                return max(self.belief.since, self._last_used) + self.settings.idle_timeout
            case _:
                return None

    # Commands

    def _on_asked(self, asked: Asked, now: float) -> Iterator[Effect]:
        if (refused := self._refusal(asked, now)) is not None:
            yield Reply(asked.id, refused)
            return
        self._last_used = now
        match asked.command:
            case Type() | TypeRaw() | Keys() as typing:
                yield from self._on_typing(asked, typing, now)
            case Resize(size):
                self.screen.resize(size)
                yield SetSize(size)
                if replies := self.screen.take_replies():
                    yield AnswerQuery(replies)  # to a program that asked to be told (mode 2048)
                yield self._publish(Resized(size), now)
                yield Reply(asked.id, Done())
            case Signal(number):
                yield SendSignal(number)
                yield Reply(asked.id, Done())
            case Lease(action):
                yield Reply(asked.id, self._on_lease(asked, action, now))
            case Nudge() | Respond() as telling:
                yield from self._on_telling(asked, telling, now)

    def _refusal(self, asked: Asked, now: float) -> Refused | None:
        if self._has_no_driver(asked.command):
            return _no_driver(self.agent)
        if self.pid is None:
            return Refused(Reason.NOT_STARTED, "the child has not started yet; try again in a moment")
        if self.ended is not None:
            return _exited(self.ended)
        writes = isinstance(asked.command, Type | TypeRaw | Keys | Nudge | Respond)
        if writes and not self._lease.permits(asked.connection, now):
            return _held(self._lease.until - now)
        return None

    def _has_no_driver(self, command: Command) -> bool:
        match command:
            case Nudge():
                return self.agent.encode_nudge is None
            case Respond():
                return self.agent.encode_respond is None
            case _:
                return False

    def _on_telling(self, asked: Asked, telling: Nudge | Respond, now: float) -> Iterator[Effect]:
        """Typed only at the right moment, and answered only when the agent has shown that it heard."""
        strokes = self._strokes(telling)
        if isinstance(strokes, Refused):
            yield Reply(asked.id, strokes)
            return
        self._lease.renew(asked.connection, now)
        self._unproven.append(_Unproven(asked.id, Delivered(self.belief.state), now + PROOF_WITHIN))
        self._lane.offer(asked.id, strokes, now, answered_later=True)

    def _strokes(self, telling: Nudge | Respond) -> Strokes | Refused:
        state = self.belief.state
        try:
            match telling, state:
                case Nudge(), Idle() if self.agent.encode_nudge and not self._unproven:
                    return self.agent.encode_nudge(telling)
                case Respond(), Prompted(prompt) if self.agent.encode_respond and not self._unproven:
                    return self.agent.encode_respond(telling, prompt)
                case Nudge(), _:
                    return Refused(
                        Reason.AGENT_BUSY, "the agent is not waiting for input; watch its state and try again", state
                    )
                case _:
                    return Refused(Reason.NO_PROMPT, "the agent asks nothing now", state)
        except BadRequest as error:
            return Refused(Reason.BAD_COMMAND, error.message)

    def _give_up_on_proof(self, now: float) -> Iterator[Effect]:
        late = [each for each in self._unproven if now >= each.until]
        self._unproven = [each for each in self._unproven if now < each.until]
        for each in late:
            detail = "it was typed, but nothing shows that the agent took it"
            yield Reply(each.request, Refused(Reason.UNVERIFIED, detail, self.belief.state))

    def _on_typing(self, asked: Asked, typing: Type | TypeRaw | Keys, now: float) -> Iterator[Effect]:
        try:
            data = self._encode(typing)
        except BadRequest as error:
            yield Reply(asked.id, Refused(Reason.BAD_COMMAND, error.message))
            return
        self._lease.renew(asked.connection, now)
        self._lane.offer(asked.id, [Stroke(data)] if data else [], now)

    def _encode(self, typing: Type | TypeRaw | Keys) -> bytes:
        match typing:
            case Type(text, enter):
                return text.encode(errors="replace") + (b"\r" if enter else b"")
            case TypeRaw(data):
                return data
            case Keys(keys):
                return encode_keys(keys, self.screen.modes())

    def _on_lease(self, asked: Asked, action: LeaseAction, now: float) -> Leased | Refused:
        if asked.connection is None:
            return Refused(Reason.BAD_COMMAND, "lock: only a connection that lasts, a WebSocket, can hold it")
        if action is LeaseAction.RELEASE:
            self._lease.release(asked.connection)
            return Leased(held=False)
        if self._lease.acquire(asked.connection, now):
            return Leased(held=True, expires_in=LASTS)
        return _held(self._lease.until - now)


def _held(seconds: float) -> Refused:
    return Refused(Reason.WRITER_BUSY, f"another connection holds the write lock for {seconds:.0f} s more")


def _exited(status: ExitStatus) -> Refused:
    how = f"by signal {status.signal}" if status.signal else f"with code {status.code}"
    return Refused(Reason.EXITED, f"the child has exited {how}")


def _no_driver(agent: Agent) -> Refused:
    return Refused(
        Reason.NO_DRIVER, f"agent {agent.name!r} cannot be nudged or answered; start coop with --agent, or use /api/v1/input"
    )
