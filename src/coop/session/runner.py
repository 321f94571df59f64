"""The session's hands: reads and writes the terminal, keeps the time, and performs what the core decides."""

import asyncio
import itertools
import math
import signal
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from coop.model.commands import Command, Outcome
from coop.model.events import SessionEnded
from coop.model.ids import ConnectionId, HookId, RequestId
from coop.model.records import (
    Asked,
    ChildExited,
    ChildStopped,
    HookAsked,
    HookGone,
    Item,
    Output,
    OutputEnded,
    ShuttingDown,
    SizeChanged,
    Started,
    Tick,
    Written,
)
from coop.model.screen import Size
from coop.model.state import ExitStatus
from coop.session.bus import Bus
from coop.session.core import SessionCore
from coop.session.effects import (
    Abandon,
    AnswerQuery,
    Effect,
    FollowLog,
    FollowPlan,
    Publish,
    Reply,
    ReplyHook,
    SendSignal,
    SetSize,
    ShutDown,
    Write,
)
from coop.session.observing import Observer
from coop.session.tally import Tally
from coop.terminal.backend import Backend

Clock = Callable[[], float]
Receive = Callable[[Item, float], Sequence[Effect]]

SHUTDOWN_GRACE = 10.0
"""How long the child has to go by itself when the session is ended."""
SUSPENDS_WITHIN = (0.1, 0.3, 1.0, 3.0)
"""How long a program may take to suspend itself. When it is told to go on before it waits for that, it must be told once more."""
_CTRL_Z = b"\x1a"
_FULL_READ = 4000
"""A read this long came from a program that has more to say."""
_MOST_TURN = 0.005
_MOST_ANSWERS = 256
"""A program that asks and never reads is not answered for ever."""


class _Segment(NamedTuple):
    data: bytes
    counted: bool
    """Typed for a caller, who is told how much of it was taken; else an answer of the terminal's own."""


def _nobody_follows(_path: str) -> None: ...


class Session:
    """One agent on one terminal. Everything happens on the loop it was started on."""

    def __init__(self, core: SessionCore, *, clock: Clock) -> None:
        self.core = core
        self.receive: Receive = core.receive
        """The core's door, or that of whoever writes down what goes through it."""
        self.bus = Bus()
        self.tally = Tally(core, clock())
        self.observers: list[Observer] = [self.tally]
        self.connections = 0
        """How many WebSocket clients there are."""
        self.grace = SHUTDOWN_GRACE
        """How long the child will have to go by itself."""
        self._clock = clock
        self._backend: Backend | None = None
        self._inbox: deque[Item] = deque()
        self._receiving = False
        self._requests = itertools.count(1)
        self._connection_ids = itertools.count(1)
        self._replies: dict[RequestId, asyncio.Future[Outcome]] = {}
        self._hook_replies: dict[HookId, asyncio.Future[bytes]] = {}
        self.follow_log: Callable[[str], None] = _nobody_follows
        """Told where the agent's session log is."""
        self.follow_plan: Callable[[str], None] = _nobody_follows
        """Told where the plan is that is asked about."""
        self._outgoing: deque[_Segment] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_rings = 0.0
        self._turn_ended = 0.0
        self._ended: asyncio.Future[ExitStatus] | None = None
        self._shutdown: Callable[[], None] | None = None
        self._is_ending = False

    @property
    def now(self) -> float:
        return self._clock()

    def start(self, backend: Backend, *, on_shutdown: Callable[[], None]) -> None:
        """Begins to serve a terminal, which it closes when it is closed itself."""
        loop = asyncio.get_running_loop()
        self._loop = loop
        self._ended = loop.create_future()
        self._shutdown = on_shutdown
        self._backend, self._fd = backend, backend.fd
        self.post(Started(backend.pid))
        loop.add_reader(backend.fd, self._on_readable, backend)
        loop.add_reader(backend.exit_fd, self._on_exit, backend)

    async def wait_ended(self) -> ExitStatus:
        assert self._ended is not None, "the session was not started"
        return await asyncio.shield(self._ended)

    def shut_down(self, grace: float) -> None:
        self._is_ending = True
        self.post(ShuttingDown(grace))

    def end(self, grace: float) -> None:
        """Asks for the end of the session, as a signal to coop does, with less patience where `grace` is shorter."""
        self.grace = min(self.grace, grace)
        if self._is_ending:
            self.shut_down(self.grace)
        elif self._shutdown is not None:
            self._shutdown()

    def on_child_signal(self) -> None:
        """Something has become of a child of this process (`SIGCHLD`). Its end is found out without that, a stop is not."""
        number = self._backend.stopped_by() if self._backend is not None else None
        if number is not None:
            self.post(ChildStopped(number))

    def close(self) -> None:
        """Lets go of the terminal; the kernel hangs up on whoever still uses it."""
        if self._timer is not None:
            self._timer.cancel()
        if self._backend is not None:
            self._forget(self._fd)
            self._forget(self._backend.exit_fd)
            self._backend.close()
            self._backend = None

    def new_connection(self) -> ConnectionId:
        return ConnectionId(next(self._connection_ids))

    async def ask(self, command: Command, connection: ConnectionId | None = None) -> Outcome:
        """What became of it. Every command is answered exactly once."""
        request = RequestId(next(self._requests))
        reply: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._replies[request] = reply
        try:
            self.post(Asked(request, command, connection))
            return await reply
        finally:
            self._replies.pop(request, None)

    async def ask_about_hook(self, event: str, body: bytes, gone: Awaitable[object]) -> bytes | None:
        """The reply to a hook; `None` when `gone` came first: nobody waits for it any more."""
        hook = HookId(next(self._requests))
        reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._hook_replies[hook] = reply
        leaving = asyncio.ensure_future(gone)
        try:
            self.post(HookAsked(hook, event, body))
            await asyncio.wait((reply, leaving), return_when=asyncio.FIRST_COMPLETED)
            if reply.done():
                return reply.result()
            self.post(HookGone(hook))
            return None
        finally:
            leaving.cancel()
            self._hook_replies.pop(hook, None)

    def post(self, item: Item) -> None:
        """Puts an item into the inbox; items posted meanwhile wait their turn."""
        self._inbox.append(item)
        if self._receiving:
            return
        self._receiving = True
        try:
            while self._inbox:
                self._perform(self.receive(self._inbox.popleft(), self._clock()))
            for observer in self.observers:
                observer.on_item(self._clock())
        finally:
            self._receiving = False
            self._set_timer()

    # Time

    def _set_timer(self) -> None:
        """A timer that rings too early is harmless, and output would move it with every read: so it is only ever set earlier."""
        deadline = self.core.deadline()
        if deadline is None or (self._timer is not None and self._timer_rings <= deadline):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer_rings = deadline
        # Loops count milliseconds, and one that rounds down would ring again and again before it is time.
        delay = math.ceil(max(0.0, deadline - self._clock()) * 1000) / 1000
        self._timer = self._loop.call_later(delay, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        self.post(Tick())

    # The terminal

    def _on_readable(self, backend: Backend) -> None:
        """One read is one turn, unless others take long: then we take as long as they did, so that the child is not starved."""
        started = self._clock()
        turn_ends = started + min(started - self._turn_ended, _MOST_TURN)
        while True:
            data = backend.read()
            if data is None:
                break
            if not data:
                self._loop.remove_reader(self._fd)
                self.post(OutputEnded())
                if not backend.is_ours:
                    self._on_exit(backend)
                break
            if isinstance(data, Size):
                self.post(SizeChanged(data))
                continue
            self._perform(self.receive(Output(data), self._clock()))
            if backend.has_more:
                continue
            if len(data) < _FULL_READ or self._clock() >= turn_ends:
                break
        self._turn_ended = self._clock()
        if backend.fd != self._fd:
            self._move(backend)
        if self.core.agent.read_screen is not None or self.core.belief.due is not None:
            self._set_timer()
        self.bus.stir()

    def _move(self, backend: Backend) -> None:
        """It has connected anew."""
        self._forget(self._fd)
        self._fd = backend.fd
        self._loop.add_reader(backend.fd, self._on_readable, backend)
        if self._outgoing:
            self._loop.add_writer(backend.fd, self._flush, backend)

    def _on_exit(self, backend: Backend) -> None:
        status = backend.exit_status()
        if status is not None:
            self._loop.remove_reader(backend.exit_fd)
            self.post(ChildExited(status))

    def _expect_suspension(self) -> None:
        """To a program that reads keys. With no shell above it the kernel does not stop it: it waits all the same, and nobody is told."""
        if self._backend is not None and not self._backend.makes_signals():
            for delay in SUSPENDS_WITHIN:
                self._loop.call_later(delay, self._look_for_suspension)

    def _look_for_suspension(self) -> None:
        """It has given the terminal back as it was."""
        if self._backend is not None and self._backend.makes_signals():
            self.post(ChildStopped(signal.SIGTSTP))

    def _send(self, data: bytes, *, counted: bool) -> None:
        was_empty = not self._outgoing
        self._outgoing.append(_Segment(data, counted))
        if was_empty and self._backend is not None:
            self._flush(self._backend)
            if self._outgoing:
                self._loop.add_writer(self._fd, self._flush, self._backend)

    def _flush(self, backend: Backend) -> None:
        written = 0
        while self._outgoing:
            segment = self._outgoing[0]
            taken = backend.write(segment.data)
            written += taken if segment.counted else 0
            if taken < len(segment.data):
                self._outgoing[0] = _Segment(segment.data[taken:], segment.counted)
                break
            self._outgoing.popleft()
        else:
            self._loop.remove_writer(self._fd)
        if written:
            self.post(Written(written))

    def _abandon(self, instead: bytes) -> None:
        self._outgoing = deque(segment for segment in self._outgoing if not segment.counted)
        if instead:
            self._outgoing.append(_Segment(instead, counted=False))

    def _forget(self, fd: int) -> None:
        self._loop.remove_reader(fd)
        self._loop.remove_writer(fd)

    @property
    def _answers_queries(self) -> bool:
        """Somebody else's terminal has answered them already."""
        return self._backend is not None and self._backend.is_ours

    # Effects

    def _perform(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Write(data):
                    if _CTRL_Z in data:
                        self._expect_suspension()
                    self._send(data, counted=True)
                case AnswerQuery(data):
                    if self._answers_queries and len(self._outgoing) < _MOST_ANSWERS:
                        self._send(data, counted=False)
                case Abandon(instead):
                    self._abandon(instead)
                case Reply(request, outcome):
                    self._reply(request, outcome)
                case Publish(event):
                    self.bus.publish(event)
                    for observer in self.observers:
                        observer.on_event(event)
                    if isinstance(event.fact, SessionEnded):
                        self._end(event.fact.status)
                case SetSize(size):
                    if self._backend is not None:
                        self._backend.resize(size)
                case SendSignal(number):
                    if self._backend is not None:
                        self._backend.signal(number)
                case ReplyHook(hook, body):
                    waiting = self._hook_replies.pop(hook, None)
                    if waiting is not None and not waiting.done():
                        waiting.set_result(body)
                case FollowLog(path):
                    self.follow_log(path)
                case FollowPlan(path):
                    self.follow_plan(path)
                case ShutDown():
                    if self._shutdown is not None:
                        self._shutdown()

    def _end(self, status: ExitStatus) -> None:
        if self._backend is not None:
            self._forget(self._fd)
        if self._ended is not None:
            self._ended.set_result(status)

    def _reply(self, request: RequestId, outcome: Outcome) -> None:
        reply = self._replies.pop(request, None)
        if reply is not None and not reply.done():
            reply.set_result(outcome)
