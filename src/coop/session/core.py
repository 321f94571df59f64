"""The session without I/O: items in, effects out. Everything a session decides is decided here."""

import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from coop.agents import Agent, View
from coop.detect.belief import Belief, Observation
from coop.model.attach import Attachment
from coop.model.commands import (
    ConfigureStop,
    Done,
    Keys,
    Lease,
    Nudge,
    Reason,
    Refused,
    Resize,
    ResolveStop,
    Respond,
    Signal,
    Type,
    TypeRaw,
)
from coop.model.events import (
    Event,
    Fact,
    PromptAnswered,
    Resized,
    SessionEnded,
    ShutdownStarted,
    StateChanged,
    StopAllowed,
)
from coop.model.ids import ConnectionId, EventSeq, RequestId
from coop.model.readings import Learned
from coop.model.records import (
    Asked,
    ChildExited,
    ChildStopped,
    ConnectionGone,
    HookAsked,
    HookGone,
    HookRecord,
    Item,
    LogFound,
    LogLine,
    LogTold,
    Output,
    OutputEnded,
    PlanText,
    ShuttingDown,
    SizeChanged,
    Started,
    StatusText,
    Tick,
    Written,
)
from coop.model.screen import Size
from coop.model.state import AgentState, Exited, ExitStatus, Idle, Tier, Unknown, Working
from coop.model.stop import StopConfig, StopMode
from coop.session.answering import Answering
from coop.session.effects import AnswerQuery, Effect, Publish, Reply, ReplyHook, SendSignal, SetSize, ShutDown
from coop.session.gate import Gate
from coop.session.hidden import Hidden
from coop.session.insight import Insight
from coop.session.lane import Cleared, Lane, Sent, Shown, TurnEnded, TurnRefused
from coop.session.listening import Listening
from coop.session.nudging import Nudging
from coop.session.refusing import exited, unfit, untimely
from coop.session.sizes import Lent
from coop.session.telling import Tellings
from coop.session.typing import Typing
from coop.terminal.ring import Ring
from coop.terminal.screen import Screen

SETTLE = 0.03
"""A screen is read when it has rested this long…"""
SETTLE_AT_MOST = 0.1
"""…and at the latest so long after it began to change."""
LAST_WORDS = 0.1
"""How long after the child's exit its terminal may stay silent before we stop listening: a grandchild may hold it open."""
LAST_WORDS_AT_MOST = 1.0
_SUSPENDS = (signal.SIGSTOP, signal.SIGTSTP)


@dataclass(frozen=True, slots=True)
class CoreSettings:
    epoch: str
    idle_grace: float = 60.0
    idle_timeout: float = 0.0
    """Shut down after so many seconds unused; 0 never does."""
    speaks_json: bool = False
    """The child's output is JSON lines."""
    is_headless: bool = False
    """The agent asks nobody anything."""
    accepts_setup: bool = False
    """Start-up dialogs, but for a login, are accepted unasked."""
    attachment: Attachment | None = None
    """Whose terminal it is, when it is not ours."""
    absent: Mapping[Tier, str] = field(default_factory=dict[Tier, str])
    """Sources that say nothing in this session, and why."""


@dataclass(slots=True)
class Counters:
    bytes_read: int = 0
    bytes_written: int = 0
    hook_records: int = 0
    events: int = 0


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
        self.insight = Insight(agent, grace=settings.idle_grace, now=now)
        self._told: AgentState = self.insight.state
        """The state that was last published."""
        self.tellings = Tellings(agent)
        self.gate = Gate()
        self.ended: ExitStatus | None = None
        self._lane = Lane()
        self._typing = Typing(screen, self._lane)
        self._lent = Lent()
        self._nudging = Nudging(self.insight, self.tellings, self._lane)
        self._answering = Answering(self.insight, self.tellings, self._lane, self._typing)
        self._hidden = Hidden(self.insight, self._typing)
        self._listening = Listening(
            self.insight, self.tellings, self.gate, self._answering, self._publish, is_headless=settings.is_headless
        )
        self._seen_while_typing: list[Effect] = []
        self._last_used = now
        self._last_output = now
        self._unread_since: float | None = None
        self._read_due: float | None = None
        self._read_at = float("-inf")
        self._output_ended = False
        self._exit: tuple[ExitStatus, float] | None = None
        self._kill_at: float | None = None
        self._is_held = False
        """Somebody has asked for the child to be stopped, and not yet for it to go on."""

    @property
    def belief(self) -> Belief:
        return self.insight.belief

    def receive(self, item: Item, now: float) -> Sequence[Effect]:
        """Takes one item; what is to be done because of it, in order."""
        if type(item) is Output:
            return self._on_output(item.data, now)
        if self.ended is None or isinstance(item, Asked):
            return tuple(self._on(item, now))
        if isinstance(item, HookAsked):
            return (ReplyHook(item.id),)
        return ()  # exit is final

    def deadline(self) -> float | None:
        """When the next `Tick` is due; `None` when nothing waits for time to pass."""
        if self.ended is not None:
            return None
        waits = (
            self._read_due,
            self.belief.due,
            self.insight.deadline(),
            self._lane.deadline(),
            self.tellings.deadline(),
            self._answering.deadline(),
            self._hidden.deadline(),
            self._last_words_end(),
            self._unused_end(),
            self._kill_at,
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
        speaks_json = self.settings.speaks_json
        if self.agent.read_screen is None and not self._listening.is_told_by(data, speaks_json=speaks_json):
            return effects
        frame_ended = was_drawing and not screen.in_synchronized_update
        if self.agent.read_screen is not None:
            self._on_change(frame_ended, now)
        said = tuple(self._listening.on_output(data, now, speaks_json=speaks_json))
        is_due = self._read_due is not None and self._read_due <= now
        return (*effects, *said, *self._on_belief(now), *(self._read_screen(now) if is_due else ()))

    def _on_change(self, frame_ended: bool, now: float) -> None:
        """A frame is read where it ends, but not more often than a resting screen would be."""
        if self._unread_since is None:
            self._unread_since = now
        latest = self._unread_since + SETTLE_AT_MOST
        is_whole = frame_ended and now - self._read_at >= SETTLE
        self._read_due = now if is_whole else min(now + SETTLE, latest)
        self.insight.expect_a_look(latest)

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
            case ChildStopped(number):
                if number in _SUSPENDS and not self._is_held:
                    yield SendSignal(signal.SIGCONT)  # there is no shell above it where a person could say `fg`
            case SizeChanged(size):
                self.screen.resize(size)
                self.screen.take_replies()
                yield self._publish(Resized(size), now)
            case OutputEnded():
                self._output_ended = True
            case ShuttingDown(grace):
                yield from self._on_shutting_down(grace, now)
            case ConnectionGone(connection):
                self._typing.lease.release(connection)
                if (left := self._lent.after(connection)) is not None and left != self.screen.size:
                    yield from self._resize(left, now)
            case HookAsked(hook, event, body):
                self.counters.hook_records += 1
                yield from self._listening.on_hook(event, body, hook, now)
            case HookGone(hook):
                self._answering.on_hook_gone(hook, now)
            case HookRecord(line):
                self.counters.hook_records += 1
                yield from self._listening.on_pipe(line, now)
            case LogLine(line, wall):
                self.insight.on_log(now)
                yield from self._listening.on_record(line, Tier.SESSION_LOG, now, wall)
            case LogTold(text, wall):
                yield from self._listening.on_told(text, now, wall)
            case LogFound(path):
                self.insight.learn(Learned(transcript_path=path))
            case StatusText(text, wall):
                yield from self._listening.on_record(text, Tier.STATUS_FILE, now, wall)
            case PlanText(path, text):
                self.insight.on_plan(path, text, now)
            case Output():
                yield from self._on_output(item.data, now)
        yield from self._listening.release_hooks(now)
        yield from self._hidden.advance(now)
        yield from self._on_belief(now)
        yield from self._go_on(now)

    def _go_on(self, now: float) -> Iterator[Effect]:
        for effect in self._lane.advance(now, partial(self._look, now)):
            match effect:
                case TurnEnded(request):
                    yield from self._on_typed(request)
                case Sent(request):
                    self.tellings.on_sent(request)
                case Cleared(request, text):
                    self.tellings.on_cleared(request, text)
                case Shown(request, text):
                    yield from self.tellings.on_shown(request, text)
                case TurnRefused(request, refused):
                    telling = self.tellings.of(request)
                    if telling is not None and not telling.is_proven:
                        yield from self.tellings.refused(telling, refused)
                case _:
                    yield effect
        yield from self._seen_while_typing
        self._seen_while_typing.clear()
        if (end := self._last_words_end()) is not None and now >= end:
            yield from self._end(now)

    def _on_time(self, now: float) -> Iterator[Effect]:
        if self._read_due is not None and now >= self._read_due:
            yield from self._read_screen(now)
        self.insight.keep(now)
        self.insight.see(None, now)
        self._nudging.on_time(now)
        yield from self.tellings.give_up(self.insight.state, now)
        yield from self._published(self._answering.settled(now), now)
        if self._kill_at is not None and now >= self._kill_at:
            self._kill_at = None
            yield SendSignal(signal.SIGKILL)
        if (unused := self._unused_end()) is not None and now >= unused:
            self._last_used = now
            yield ShutDown()

    def _read_screen(self, now: float) -> Iterator[Effect]:
        self._unread_since = self._read_due = None
        self._read_at = now
        if self.agent.read_screen is not None:
            self.insight.read_screen(self.screen.snapshot(), self._last_output, now)
            yield from self._listening.release_hooks(now)
            yield from self._nudging.on_screen(now)
        yield from self._on_belief(now)

    # Belief

    def _on_belief(self, now: float) -> Iterator[Effect]:
        """Tells what has changed since it last told, and what that proves."""
        before, after = self._told, self.insight.state
        if before == after or isinstance(before, Exited):
            return
        self._told = after
        self.since_seq = self.screen.seq
        if isinstance(after, Idle):
            self.tellings.on_idle(now)
        yield from self._nudging.on_state(before, after)
        yield from self._answering.on_state(before, after, now)
        if isinstance(after, Idle) and isinstance(before, Working) and self._is_unguarded:
            yield self._publish(StopAllowed("no_hook"), now)
        yield self._publish(StateChanged(before, after, self.screen.seq), now)
        yield from self._published(self._answering.settled(now), now)
        if self.settings.accepts_setup:
            self._answering.accept_setup(now)

    @property
    def _is_unguarded(self) -> bool:
        """A gate was closed that nothing comes through: it stops as if there were none, which must not go unsaid."""
        return self.gate.config.mode is StopMode.GATE and self.insight.hooks_are_silent

    def _published(self, facts: Iterator[PromptAnswered], now: float) -> Iterator[Effect]:
        for fact in facts:
            yield self._publish(fact, now)

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
        if self.settings.attachment is not None:
            yield from self._detach(now)
            return
        if self._kill_at is None:
            yield self._publish(ShutdownStarted(grace), now)
            yield from self._let_hooks_go()
            yield SendSignal(signal.SIGHUP)
            yield SendSignal(signal.SIGCONT)  # a stopped child could not hear it
            self._is_held = False
        self._kill_at = now + grace if self._kill_at is None else min(self._kill_at, now + grace)

    def _detach(self, now: float) -> Iterator[Effect]:
        yield self._publish(ShutdownStarted(0.0), now)
        self._exit = (ExitStatus(why="coop has detached; the program goes on"), now)
        yield from self._end(now)

    def _let_hooks_go(self) -> Iterator[Effect]:
        """Whoever waits for us must not wait any longer."""
        yield from (ReplyHook(hook) for hook in self.insight.hooks.values())
        self.insight.hooks.clear()
        self.insight.opened.clear()  # what becomes of a dialog now is nobody's answer to it

    def _end(self, now: float) -> Iterator[Effect]:
        assert self._exit is not None
        self.ended = self._exit[0]
        yield from self._let_hooks_go()
        self.insight.see(Observation(Exited(self.ended), Tier.PROCESS, now), now)
        yield from self._lane.clear(exited(self.ended))
        has_left = self.ended.code == 0 and self._kill_at is None
        yield from self.tellings.clear(replace(exited(self.ended), state=self.insight.state), has_left=has_left)
        yield from self._on_belief(now)
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
                yield from self._typing.on_asked(asked, typing, now)
            case Resize() as resize:
                self._note_lender(asked.connection, resize)
                yield from self._resize(resize.size, now)
                yield Reply(asked.id, Done())
            case Signal(number):
                self._is_held = number in _SUSPENDS or (self._is_held and number != signal.SIGCONT)
                yield SendSignal(number)
                yield Reply(asked.id, Done())
            case Lease(action):
                yield Reply(asked.id, self._typing.on_lease(asked, action, now))
            case ConfigureStop(config):
                yield Reply(asked.id, self._on_gate(config))
            case ResolveStop(said):
                self.gate.signal = said
                yield Reply(asked.id, Done())
            case Nudge() as nudge:
                self._typing.lease.renew(asked.connection, now)
                yield from self._nudging.on_asked(nudge, asked.id, now)
            case Respond() as respond:
                self._typing.lease.renew(asked.connection, now)
                yield from self._answering.on_asked(respond, asked.id, now)

    def _refusal(self, asked: Asked, now: float) -> Refused | None:
        command = asked.command
        refused = unfit(command, self.agent, self.settings.attachment)
        refused = refused or untimely(command, has_started=self.pid is not None, ended=self.ended)
        writes = isinstance(command, Type | TypeRaw | Keys | Nudge | Respond)
        return refused or (self._typing.refusal(asked, now) if writes else None)

    def _note_lender(self, connection: ConnectionId | None, resize: Resize) -> None:
        if resize.while_there and connection is not None:
            self._lent.lend(connection, resize.size, before=self.screen.size)
        else:
            self._lent.forget()

    def _resize(self, size: Size, now: float) -> Iterator[Effect]:
        self.screen.resize(size)
        yield SetSize(size)
        if replies := self.screen.take_replies():
            yield AnswerQuery(replies)  # to a program that asked to be told (mode 2048)
        yield self._publish(Resized(size), now)

    def _on_gate(self, config: StopConfig) -> Done | Refused:
        """Only a hook can keep an agent from stopping, and some agents may not run ours."""
        silent = f"no hook of {self.agent.name} has come" if self.insight.hooks_are_silent else ""
        if config.mode is StopMode.GATE and (why := self.settings.absent.get(Tier.HOOKS) or silent):
            return Refused(Reason.NO_DRIVER, f"only a hook can keep it from stopping: {why}; its page in the docs says how")
        self.gate.configure(config)
        return Done()

    def _look(self, now: float, request: RequestId) -> View:
        snapshot, telling = self.screen.snapshot(), self.tellings.of(request)
        if self.agent.read_screen is not None:
            self.insight.read_screen(snapshot, self._last_output, now)
            self._seen_while_typing.extend(self._nudging.on_screen(now))
            self._seen_while_typing.extend(self._on_belief(now))
        return View(
            snapshot,
            self.insight.reading,
            self.insight.state,
            now,
            is_done=telling is None or telling.is_proven,
            version=self.insight.known.version,
        )

    def _on_typed(self, request: RequestId) -> Iterator[Effect]:
        if (telling := self.tellings.of(request)) is not None:
            yield from self._nudging.on_typed(telling)
