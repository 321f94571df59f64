from dataclasses import replace

import msgspec
import pytest

from coop.agents import UNKNOWN
from coop.agents.claude import claude
from coop.errors import BadRecording
from coop.model.ids import HookId
from coop.model.records import HookAsked, HookRecord, Item, Output, Started, Tick
from coop.session.replay import agent_of, others, replay
from coop.session.timeline import state_at
from coop.wire.recording import Published, Received, Recorded
from tests.playbooks.claude import RESTS, bash, shows
from tests.unit.session.recordings import recorded

ASKS = HookAsked(HookId(1), "PermissionRequest", b'{"tool_name": "Bash", "tool_input": {"command": "ls"}}')
CONVERSATION: tuple[tuple[float, Item], ...] = (
    (1000.0, Started(42)),
    (1000.1, HookRecord(b'{"event":"SessionStart","data":{"source":"startup"}}')),
    (1000.2, RESTS),
    (1003.0, Tick()),
    (1004.0, ASKS),
    (1004.1, shows(bash("ls"))),
    (1004.2, Tick()),
)


def conversation() -> Recorded:
    return recorded(CONVERSATION, agent=claude())


def test_the_same_items_give_the_same_events() -> None:
    told = conversation()
    again = replay(told, agent_of(told.header))
    assert again.is_same
    assert [each.message["next"] for each in again.published if each.message["type"] == "state_change"] == [
        "waiting_for_input",
        "permission_prompt",
        "permission_prompt",
    ]
    assert state_at(again.published, 1003.5) == "waiting_for_input"
    assert state_at(again.published, 1000.0) == "starting"


def test_an_event_that_is_another_is_told() -> None:
    told = conversation()
    lines = tuple(
        replace(line, message={**line.message, "next": "working"}) if isinstance(line, Published) and line.seq == 1 else line
        for line in told.lines
    )
    again = replay(Recorded(told.header, lines), agent_of(told.header))
    assert not again.is_same
    [difference] = again.differences
    assert difference.recorded is not None
    assert difference.replayed is not None
    assert (difference.recorded.message["next"], difference.replayed.message["next"]) == ("working", "waiting_for_input")


def test_an_event_that_is_missing_is_told_unless_the_recording_breaks_off_there() -> None:
    told = conversation()
    agent = agent_of(told.header)
    without = tuple(line for line in told.lines if not isinstance(line, Published))
    assert len(replay(Recorded(told.header, without), agent).differences) == len(told.published())
    cut = told.lines[: max(n for n, line in enumerate(told.lines) if isinstance(line, Received)) + 1]
    assert replay(Recorded(told.header, cut), agent_of(told.header)).is_same


def test_another_screen_at_the_end_is_told() -> None:
    told = conversation()
    assert told.end is not None
    lines = (*told.lines[:-1], replace(told.end, screen="another"))
    assert not replay(Recorded(told.header, lines), agent_of(told.header)).has_same_screen


def test_a_changed_detector_says_what_it_would_have_said() -> None:
    told = conversation()
    rules = {"screen": {**claude().dialogs["screen"], "composer": "^nothing"}}  # type: ignore[index, dict-item]
    again = replay(told, agent_of(told.header, rules))
    assert not again.is_same
    assert state_at(again.published, 1003.5) == "starting"
    assert state_at(again.published, 1005.0) == "permission_prompt"


def test_what_begins_in_the_middle_is_replayed_for_the_screen() -> None:
    told = conversation()
    header = msgspec.structs.replace(told.header, begins="middle", screen="\x1bcbefore ")
    found = replay(Recorded(header, (Received(1001.0, Output(b"and after")),)), UNKNOWN)
    assert found.core is None
    assert found.screen.lines[0] == "before and after"
    assert not found.published


def test_other_versions_are_named() -> None:
    header = conversation().header
    assert not others(header)
    assert others(msgspec.structs.replace(header, engine="engine 0"))["engine"][0] == "engine 0"


def test_an_agent_that_is_not_installed_here_is_named() -> None:
    header = msgspec.structs.replace(conversation().header, agent="parrot")
    with pytest.raises(BadRecording, match="'parrot'"):
        agent_of(header)


def test_settings_that_are_none_are_refused() -> None:
    told = recorded([])
    header = msgspec.structs.replace(told.header, settings={"epoch": 5})
    with pytest.raises(BadRecording, match="its settings"):
        replay(Recorded(header, ()), UNKNOWN)
