"""What the agent tells: hooks, log, status file, reports and printed lines, each read and put where it belongs."""

from collections.abc import Callable, Generator, Iterator
from typing import cast

from coop.detect.jsonl import Lines, printed_record_of, record_of
from coop.model.events import Fact, StopAllowed, StopBlocked
from coop.model.ids import HookId
from coop.model.prompt import Plan
from coop.model.readings import (
    Announces,
    Asks,
    Begins,
    Describes,
    Heard,
    Learned,
    Readings,
    Returned,
    Says,
    Settled,
    Stops,
    TakenBack,
    Unheard,
    Used,
)
from coop.model.state import Idle, Prompted, Tier, Working
from coop.session.answering import Answering
from coop.session.effects import AnswerQuery, Effect, FollowLog, FollowPlan, Publish, ReplyHook
from coop.session.gate import Gate
from coop.session.insight import Insight
from coop.session.telling import Tellings
from coop.terminal.osc import STATUS_ANSWER, STATUS_QUERY, OscReader


class Listening:
    def __init__(
        self,
        insight: Insight,
        tellings: Tellings,
        gate: Gate,
        answering: Answering,
        publish: Callable[[Fact, float], Publish],
        *,
        is_headless: bool,
    ) -> None:
        self._agent = insight.agent
        self._insight = insight
        self._tellings = tellings
        self._gate = gate
        self._answering = answering
        self._publish = publish
        self._is_headless = is_headless
        """Nobody is asked: what needs a permission is denied by itself."""
        self._strangers = set[str]()
        """Sessions of other runs of the agent, which its tools have started: they inherit our hooks."""
        self._commands = OscReader()
        self._printed = Lines()

    def is_told_by(self, data: bytes, *, speaks_json: bool) -> bool:
        """Can this say anything beside what it draws?"""
        return speaks_json or (self._agent.read_report is not None and self._commands.is_concerned(data))

    def on_output(self, data: bytes, now: float, *, speaks_json: bool) -> Iterator[Effect]:
        """What the output says beside what it draws."""
        if self._agent.read_report is not None:
            for command in self._commands.feed(data):
                if command == STATUS_QUERY:
                    yield AnswerQuery(STATUS_ANSWER)
                yield from self._learn(self._agent.read_report(command), Tier.TERMINAL_REPORT, now)
        if speaks_json and self._agent.read_stdout is not None:
            for line in self._printed.feed(data):
                if (record := printed_record_of(line)) is not None:
                    yield from self._learn(self._agent.read_stdout(record), Tier.STDOUT_JSONL, now)

    def on_pipe(self, line: bytes, now: float) -> Iterator[Effect]:
        """`{"event": …, "data": …}`, or the older flat form with the event's name among the fields.

        Anything in the session can write there, so it only tells what we have sent that way ourselves.
        """
        record = record_of(line) or {}
        event = record.get("event", record.get("hook_event_name"))
        data = record.get("data", record)
        if isinstance(event, str) and event in self._agent.pipe_events and isinstance(data, dict):
            yield from self._on_hook(event, cast("dict[str, object]", data), None, now)

    def on_hook(self, event: str, body: bytes, hook: HookId, now: float) -> Iterator[Effect]:
        self._insight.hooks_have_come = True
        yield from self._on_hook(event, record_of(body) or {}, hook, now)

    def _on_hook(self, event: str, record: dict[str, object], hook: HookId | None, now: float) -> Iterator[Effect]:
        """Answered at once, but for one that asks: that is held until somebody has the answer."""
        readings = self._agent.read_hook(event, record) if self._agent.read_hook else ()
        if self._is_strangers(readings):
            yield from (ReplyHook(each) for each in (hook,) if each is not None)
            return
        asks = next((each for each in readings if isinstance(each, Asks)), None)
        stops = next((each for each in readings if isinstance(each, Stops)), None)
        if stops is not None and hook is not None:
            allowed = yield from self._on_stop(stops, hook, now)
            if not allowed:
                readings = tuple(Says(Working("stop blocked")) if isinstance(each, Says) else each for each in readings)
        yield from self._learn(readings, Tier.HOOKS, now)
        is_asked = asks is not None and hook is not None and not self._is_headless
        if asks is not None and hook is not None and is_asked and self._agent.holds_hooks:
            self._insight.open(asks.prompt, hook, now)
        elif stops is None and hook is not None:
            yield ReplyHook(hook)
        if asks is not None and is_asked and not self._agent.holds_hooks:
            self._insight.announce(asks.prompt, now)
        if asks is not None and is_asked and isinstance(asks.prompt, Plan) and asks.prompt.file is not None:
            yield FollowPlan(asks.prompt.file)

    def _is_strangers(self, readings: Readings) -> bool:
        """Is it of another run of the agent than ours?

        One that begins while ours is in the middle of a turn is one. None begins so of our own: whoever changes the session of an
        agent, or starts it again, does that while it rests. Then, too, one that we took for another's may turn out to be it.
        """
        session = next((each.session_id for each in readings if isinstance(each, Learned)), None)
        known = self._insight.known.session_id
        if session is None or session == known:
            return False
        begins = any(isinstance(each, Begins) for each in readings)
        if known is not None and begins and isinstance(self._insight.state, Working | Prompted):
            self._strangers.add(session)
        elif begins or (any(isinstance(each, Heard) for each in readings) and isinstance(self._insight.state, Idle)):
            self._strangers.discard(session)
        return session in self._strangers

    def _on_stop(self, stops: Stops, hook: HookId, now: float) -> Generator[Effect, None, bool]:
        """Whether it may."""
        self._insight.background = stops.background
        self._insight.keep(now)
        if stops.background:
            yield ReplyHook(hook)
            return True  # it will stop again when that ends
        may, why = self._gate.may_stop()
        self._insight.on_stop(now, may=may)
        if may:
            yield ReplyHook(hook)
            if why != "open":
                yield self._publish(StopAllowed(why), now)
            return True
        assert self._agent.block_stop is not None
        yield ReplyHook(hook, self._agent.block_stop(why))
        yield self._publish(StopBlocked(self._gate.blocks, why), now)
        return False

    def on_record(self, text: bytes, tier: Tier, now: float, wall: float) -> Iterator[Effect]:
        read = self._agent.read_log if tier is Tier.SESSION_LOG else self._agent.read_status
        record = record_of(text)
        if read is not None and record is not None:
            yield from self._learn(read(record), tier, now, wall)

    def on_told(self, text: bytes, now: float, wall: float) -> Iterator[Effect]:
        """Of all the states in it only the last still stands, and no message in it is proof of one of ours."""
        if self._agent.read_log is None:
            return
        records = [record for line in text.split(b"\n") if (record := record_of(line)) is not None]
        readings = [reading for record in records for reading in self._agent.read_log(record)]
        learned = (each for each in readings if isinstance(each, Learned))
        says = [each for each in readings if isinstance(each, Says)]
        yield from self._learn((*learned, *says[-1:]), Tier.SESSION_LOG, now, wall)

    def release_hooks(self, now: float) -> Iterator[Effect]:
        """A dialog that was approved at the keyboard leaves its hook waiting for us."""
        self._answering.close_replaced()
        for identity in self._insight.over(now):
            if (hook := self._insight.hooks.get(identity)) is not None:
                yield ReplyHook(hook)
            self._insight.close(identity, now)

    def _learn(self, readings: Readings, tier: Tier, now: float, wall: float | None = None) -> Iterator[Effect]:
        for reading in readings:
            match reading:
                case Says():
                    self._insight.says(reading, tier, now, wall)
                case TakenBack(claim):
                    self._insight.take_back(claim, tier, now)
                case Used():
                    self._insight.learn(reading)
                case Learned():
                    log = self._insight.known.transcript_path
                    self._insight.hear(reading, tier, now)
                    if self._insight.known.transcript_path not in (None, log):
                        yield FollowLog(str(self._insight.known.transcript_path))
                case Heard():
                    if tier is Tier.HOOKS:
                        self._gate.on_new_turn(reading.text)
                        self._insight.has_been_ready = True
                        self._insight.on_turn(now)
                    yield from self._tellings.heard(reading, tier.value, now - _late(reading.stamp, wall))
                case Unheard(stamp, returns):
                    yield from self._tellings.unheard(now - _late(stamp, wall), self._insight.state, returns=returns)
                case Returned(text):
                    yield from self._tellings.came_back(text, self._insight.state)
                case Settled(prompt):
                    self._insight.settle(prompt)
                case Announces(prompt):
                    self._insight.announce(prompt, now)
                case Describes(prompt):
                    self._insight.describe(prompt, now)
                case Begins():
                    pass
                case _:
                    self._answering.on_reading(reading, now)


def _late(stamp: float | None, wall: float | None) -> float:
    """How long ago a record was written; nothing, where that is not told."""
    return max(0.0, wall - stamp) if wall is not None and stamp is not None else 0.0
