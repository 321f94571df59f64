"""What was heard is passed on as it was said."""

from typing import Any

import msgspec
import pytest

from coop.model.events import Event, Resized
from coop.model.ids import EventSeq, PromptId
from coop.model.prompt import Permission
from coop.model.screen import Size
from coop.model.state import AgentState, ErrorKind, Exited, ExitStatus, Failed, Idle, Prompted, Tier, Working
from coop.model.view import Lagged, Restarted, Snapshot, UnknownEvent
from coop.wire import decode
from coop.wire.stream import message, state_reply, state_told

BASH = Permission(PromptId("p1"), "Bash", {"command": "ls"}, ("Yes", "No"))
STATES: list[AgentState] = [
    Idle(),
    Working("background"),
    Prompted(BASH),
    Failed("x", ErrorKind.OVERLOADED),
    Exited(ExitStatus(3)),
]


def told(item: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(message(item)))


@pytest.mark.parametrize("state", STATES, ids=lambda state: type(state).__name__)
def test_a_snapshot_comes_back_as_it_was(state: AgentState) -> None:
    seen = Snapshot(
        state,
        "claude",
        "e",
        EventSeq(4),
        7,
        6,
        Tier.HOOKS,
        1.5,
        "s",
        "/log",
        "/cwd",
        "m",
        "default",
        "2.1",
        True,
        "hi",
        {"in": 1},
    )
    assert decode.snapshot(msgspec.to_builtins(state_reply(seen))) == seen
    assert told(seen)["type"] == "state"


def test_a_state_has_the_names_of_the_api() -> None:
    body = msgspec.to_builtins(state_told(Prompted(BASH)))
    assert (body["state"], body["prompt"]["tool"], body["exit_code"]) == ("permission_prompt", "Bash", None)


def test_events_gaps_and_what_is_not_known_are_passed_on() -> None:
    assert told(Event(EventSeq(2), "e", 0.0, Resized(Size(80, 24)))) == {
        "type": "resize",
        "cols": 80,
        "rows": 24,
        "event_seq": 2,
        "epoch": "e",
    }
    assert told(Restarted("f")) == {"type": "gap", "reason": "restarted", "epoch": "f"}
    assert told(Lagged("e", EventSeq(2))) == {"type": "gap", "reason": "lagged", "epoch": "e", "after": 2}
    assert told(UnknownEvent(EventSeq(3), "e", "novel", {"x": 1})) == {"type": "novel", "x": 1}
