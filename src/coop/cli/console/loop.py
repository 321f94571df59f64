"""Waits for the keyboard, the session, signals and time, and lets the visit decide what comes of them."""

import os
import select
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

from coop.cli.console.glass import Glass
from coop.cli.console.silence import ANSWERS_WITHIN
from coop.cli.console.visit import Ended, Visit
from coop.client.channel import Channel
from coop.errors import CoopError, NotReady, Unreachable

_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 1.0

Connect = Callable[[], Channel]
"""Raises `CoopError`."""


def attend(visit: Visit, glass: Glass, channel: Channel, connect: Connect) -> Ended:
    """Until it has ended. A connection that is cut is made anew."""
    with _signals() as wakeups:
        return _Loop(visit, glass, connect, wakeups).run(channel)


class _Loop:
    def __init__(self, visit: Visit, glass: Glass, connect: Connect, wakeups: int) -> None:
        self._visit = visit
        self._glass = glass
        self._connect = connect
        self._wakeups = wakeups
        self._poll = select.poll()
        self._channel: Channel | None = None
        self._fd = -1
        self._pause = _FIRST_PAUSE
        self._retry_at: float | None = None

    def run(self, channel: Channel) -> Ended:
        self._poll.register(self._glass.keyboard, select.POLLIN)
        self._poll.register(self._wakeups, select.POLLIN)
        self._on_channel(channel, time.monotonic())
        try:
            while self._visit.ended is None:
                self._turn()
            return self._visit.ended
        finally:
            self._hang_up()

    def _turn(self) -> None:
        self._perform()
        for fd, events in self._poll.poll(self._patience()):
            self._on_ready(fd, time.monotonic(), has_input=events != select.POLLOUT)

    def _on_ready(self, fd: int, now: float, *, has_input: bool) -> None:
        if fd == self._glass.keyboard:
            self._on_keyboard(now)
        elif fd == self._wakeups:
            self._on_signals(os.read(self._wakeups, 64))
        elif fd == self._fd:
            if has_input:
                self._visit.on_heard(now)
            self._on_messages(now)
        elif fd == self._glass.screen:
            self._write(b"")

    def _perform(self) -> None:
        """Sends and draws what there is."""
        now = time.monotonic()
        self._visit.on_time(now)
        if self._visit.is_cut_off(now):
            self._on_loss(Unreachable(f"nothing has come for {ANSWERS_WITHIN:g} s"), now)
        if self._retry_at is not None and now >= self._retry_at:
            self._connect_anew(now)
        if self._visit.outbox and self._channel is not None:
            self._send(self._channel, now)
        if not self._glass.is_behind and (drawn := self._visit.frame(now)):
            self._write(drawn)

    def _patience(self) -> int | None:
        """In milliseconds, as `poll` counts; `None` when only others can wake us."""
        frame = None if self._glass.is_behind else self._visit.deadline()
        waits = [wait for wait in (frame, self._retry_at) if wait is not None]
        return max(0, int((min(waits) - time.monotonic()) * 1000) + 1) if waits else None

    # The terminal

    def _on_keyboard(self, now: float) -> None:
        typed = self._glass.read()
        if not typed:
            self._visit.ended = Ended(128 + signal.SIGHUP, "the terminal is gone")
            return
        self._visit.on_typed(typed, now)

    def _write(self, data: bytes) -> None:
        try:
            self._glass.write(data)
        except OSError:
            self._visit.ended = Ended(128 + signal.SIGHUP, "the terminal is gone")
            return
        if self._glass.is_behind:
            self._poll.register(self._glass.screen, select.POLLOUT)
        elif not data:
            self._poll.unregister(self._glass.screen)

    def _on_signals(self, numbers: bytes) -> None:
        for number in numbers:
            if number == signal.SIGWINCH:
                self._visit.on_resized(self._glass.size())
            elif number == signal.SIGCONT:
                self._glass.take_again()
                self._visit.redraw()
            else:
                self._visit.ended = Ended(128 + number, f"ended by {signal.Signals(number).name}; the session goes on")

    # The session

    def _send(self, channel: Channel, now: float) -> None:
        messages, self._visit.outbox = self._visit.outbox, []
        try:
            for message in messages:
                channel.send(message)
        except CoopError as error:
            self._on_loss(error, now)
            return
        self._watch(channel)

    def _on_messages(self, now: float) -> None:
        assert self._channel is not None
        try:
            for message in self._channel.receive():
                self._visit.on_message(message, now)
        except CoopError as error:
            if self._visit.ended is None:
                self._on_loss(error, now)
            return
        self._watch(self._channel)

    def _watch(self, channel: Channel) -> None:
        self._poll.register(channel, select.POLLIN | select.POLLOUT if channel.is_behind else select.POLLIN)

    def _on_channel(self, channel: Channel, now: float) -> None:
        self._channel, self._fd, self._pause, self._retry_at = channel, channel.fileno(), _FIRST_PAUSE, None
        self._watch(channel)
        self._visit.on_connected(now)
        self._on_messages(now)

    def _on_loss(self, error: CoopError, now: float) -> None:
        """Only what may get better is tried again: for a moment at first, then longer every time."""
        self._hang_up()
        if not isinstance(error, Unreachable | NotReady):
            raise error
        self._visit.on_lost(error, now)
        self._retry_at, self._pause = now + self._pause, min(_LONGEST_PAUSE, 2 * self._pause)

    def _connect_anew(self, now: float) -> None:
        try:
            channel = self._connect()
        except CoopError as error:
            self._on_loss(error, time.monotonic())
            return
        self._on_channel(channel, now)

    def _hang_up(self) -> None:
        if self._channel is not None:
            self._poll.unregister(self._fd)
            self._channel.close()
            self._channel, self._fd = None, -1


@contextmanager
def _signals() -> Generator[int]:
    """A descriptor that tells the numbers of signals as bytes. A stop would leave the terminal as it is: it is not heard."""
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    heard = (*_ENDING, signal.SIGWINCH, signal.SIGCONT)
    before = {number: signal.signal(number, _noted) for number in heard} | {
        signal.SIGTSTP: signal.signal(signal.SIGTSTP, signal.SIG_IGN)
    }
    wakeup = signal.set_wakeup_fd(theirs)
    try:
        yield ours
    finally:
        signal.set_wakeup_fd(wakeup)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(ours)
        os.close(theirs)


def _noted(_number: int, _frame: FrameType | None) -> None:
    """The wake-up descriptor has told it."""
