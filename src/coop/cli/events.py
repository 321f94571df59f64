"""`coop events`: what happens in a session, a line each."""

import re
import sys
from collections.abc import AsyncIterator
from datetime import datetime

import click
import msgspec

from coop.cli.looks import DIM, ended, harmless, one_line, painted, state_word
from coop.cli.prompts import summary
from coop.cli.reaching import Door, Looking, session
from coop.cli.unread import while_read
from coop.client.api import Api
from coop.client.follow import Position
from coop.client.session import Session
from coop.errors import BadRequest
from coop.model.events import (
    Event,
    Fact,
    PromptAnswered,
    Resized,
    SessionEnded,
    ShutdownStarted,
    StateChanged,
    StopAllowed,
    StopBlocked,
)
from coop.model.state import AgentState, Exited, Failed, Prompted, Working
from coop.model.view import Lagged, Restarted, Snapshot, StreamItem, UnknownEvent
from coop.wire.states import state_name
from coop.wire.stream import message

KEPT = 1000
"""So many past events are asked for; coop keeps a few more."""
_POSITION = re.compile(r"(?P<epoch>.+)-(?P<seq>\d{1,18})")


@click.command(cls=Looking)
@session
@click.option("-f", "--follow", is_flag=True, help="Go on with what happens, until the session ends.")
@click.option("--after", metavar="EPOCH-SEQ", help="Only what came after this event.")
def events(door: Door, *, as_json: bool, follow: bool, after: str | None) -> None:
    """Tell what happens, as it happens.

    Without --follow: the events that are kept, and the state now. With it: the state now, and every event from then on, each once,
    also when the connection breaks. --json prints a message of the WebSocket on each line, and
    {"type":"gap"} where events are missing.
    """
    position = position_of(after) if after is not None else None
    door.ask(lambda api: while_read(_tell(api, position, follow=follow, as_json=as_json)))


def position_of(text: str) -> Position:
    found = _POSITION.fullmatch(text)
    if found is None:
        raise BadRequest(f"--after: expected EPOCH-SEQ, as in 19a1f-42, got {text!r}")
    return found["epoch"], int(found["seq"])


async def _tell(api: Api, after: Position | None, *, follow: bool, as_json: bool) -> None:
    session = Session(api)
    async for item in session.events(after=after) if follow else until_now(session, after):
        line = msgspec.json.encode(message(item)).decode() if as_json else told(item, at=datetime.now() if follow else None)  # noqa: DTZ005
        click.echo(line)
        sys.stdout.flush()


async def until_now(session: Session, after: Position | None) -> AsyncIterator[StreamItem]:
    """The events that are kept, and where they have led."""
    now = await session.snapshot()
    begin = after or (now.epoch, max(0, now.event_seq - KEPT))
    if begin != (now.epoch, now.event_seq):
        async with session.events(after=begin) as stream:
            async for item in stream:
                yield item
                if not isinstance(item, Event | UnknownEvent) or item.seq >= now.event_seq:
                    break
    yield now


def told(item: StreamItem, *, at: datetime | None) -> str:
    """One line; `at` is when it was heard, where that is when it happened."""
    time = f"{at:%H:%M:%S}" if at is not None else ""
    match item:
        case Event(seq=seq, fact=fact):
            return _line(time, f"#{seq}", fact_told(fact))
        case Snapshot(event_seq=seq, state=state):
            return _line(time, f"#{seq}", f"now {_state(state)}")
        case Restarted(epoch):
            return _line(time, "", f"another run of coop has begun: {epoch}")
        case Lagged(after=after):
            return _line(time, "", f"events after #{after} are lost")
        case UnknownEvent(seq=seq, kind=kind):
            return _line(time, f"#{seq}", harmless(kind))


def _line(time: str, number: str, words: str) -> str:
    stamp = f"{time}  " if time else ""
    return f"{painted(f'{stamp}{number:<5}', DIM)} {words}"


def fact_told(fact: Fact) -> str:
    match fact:
        case StateChanged(previous=before, current=now):
            return f"{painted(state_name(before), DIM)} → {_state(now)}"
        case PromptAnswered(prompt, by, outcome, answer):
            said = f" with “{one_line(answer)}”" if answer else ""
            return f"answered by {by}{f': {outcome}' if outcome else ''}{said} ({summary(prompt)})"
        case StopBlocked(count, reason):
            return f"sent back to work, {count} times now: {one_line(reason)}"
        case StopAllowed(why):
            return f"may stop: {why}"
        case Resized(size):
            return f"resized to {size.cols}×{size.rows}"
        case ShutdownStarted(grace):
            return f"the session is being ended; the child has {grace:g} s"
        case SessionEnded(status):
            return f"ended: {_state(Exited(status))}"


def _state(state: AgentState) -> str:
    word = state_word(state_name(state))
    match state:
        case Prompted(prompt):
            return f"{word}: {summary(prompt)}"
        case Failed(detail) | Working(str() as detail):
            return f"{word}: {one_line(detail)}"
        case Exited(status):
            return f"{word} {ended(status)}".rstrip()
        case _:
            return word
