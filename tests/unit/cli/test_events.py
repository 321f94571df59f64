import asyncio
from datetime import datetime

import click
import httpx
import pytest

from coop.cli.events import fact_told, position_of, told, until_now
from coop.client.address import address_of
from coop.client.api import Api
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
from coop.model.ids import EventSeq, PromptId
from coop.model.prompt import Permission
from coop.model.screen import Size
from coop.model.state import ExitStatus, Failed, Idle, Prompted, Working
from coop.model.view import Lagged, Restarted, Snapshot, StreamItem, UnknownEvent
from tests.unit.client.scripted import Scripted, spelled
from tests.unit.client.test_follow import frame, resize
from tests.unit.wire.test_decode import REPLY

BASH = Permission(PromptId("p1"), "Bash", {"command": "ls"})
NOON = datetime(2026, 1, 2, 12, 0, 1)  # noqa: DTZ001


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (StateChanged(Idle(), Prompted(BASH), 1), "waiting_for_input → permission_prompt: Bash: ls"),
        (StateChanged(Idle(), Working("background"), 1), "waiting_for_input → working: background"),
        (StateChanged(Working(), Failed("over\nloaded"), 1), "working → error: over loaded"),
        (PromptAnswered(BASH, "keyboard", None), "answered by keyboard (Bash: ls)"),
        (PromptAnswered(BASH, "api", "denied"), "answered by api: denied (Bash: ls)"),
        (PromptAnswered(BASH, "api", "feedback", "use\nls -a"), "answered by api: feedback with “use ls -a” (Bash: ls)"),
        (StopBlocked(2, "not yet"), "sent back to work, 2 times now: not yet"),
        (StopAllowed("resolved"), "may stop: resolved"),
        (Resized(Size(80, 24)), "resized to 80×24"),
        (ShutdownStarted(10.0), "the session is being ended; the child has 10 s"),
        (SessionEnded(ExitStatus(3)), "ended: exited with code 3"),
        (SessionEnded(ExitStatus(signal=9)), "ended: exited by signal 9"),
        (SessionEnded(ExitStatus(why="detached")), "ended: exited"),
    ],
)
def test_every_fact_has_its_words(fact: Fact, words: str) -> None:
    assert click.unstyle(fact_told(fact)) == words


def test_a_line_tells_the_number_and_when_it_was_heard() -> None:
    event = Event(EventSeq(7), "e", 0.0, Resized(Size(80, 24)))
    assert click.unstyle(told(event, at=NOON)) == "12:00:01  #7    resized to 80×24"
    assert click.unstyle(told(event, at=None)) == "#7    resized to 80×24"


def test_gaps_and_what_a_newer_coop_says_are_told() -> None:
    assert "another run" in told(Restarted("e2"), at=None)
    assert "events after #3 are lost" in told(Lagged("e", EventSeq(3)), at=None)
    assert click.unstyle(told(UnknownEvent(EventSeq(9), "e", "novel\x1b", {}), at=None)) == "#9    novel\\x1b"
    now = Snapshot(Idle(), "claude", "e", EventSeq(4), 1, 1)
    assert click.unstyle(told(now, at=None)) == "#4    now waiting_for_input"


def test_a_position_is_an_epoch_and_a_number() -> None:
    assert position_of("19a-f-42") == ("19a-f", 42)
    for text in ("42", "-", "19a-", "19a-x"):
        with pytest.raises(BadRequest, match="EPOCH-SEQ"):
            position_of(text)


def test_an_event_that_only_a_newer_coop_knows_is_no_end_of_what_is_told() -> None:
    said = [resize("a", 1), frame("sneeze", "a-2", loud=True), resize("a", 3)]
    now = httpx.Response(200, json={**REPLY, "epoch": "a", "event_seq": 3})
    scripted = Scripted([list(map(spelled, said))], answer=lambda _: now)

    async def read() -> list[StreamItem]:
        session = Session(Api(address_of("http://coop:1"), None, scripted))
        return [item async for item in until_now(session, ("a", 0))]

    assert [type(item) for item in asyncio.run(read())] == [Event, UnknownEvent, Event, Snapshot]
