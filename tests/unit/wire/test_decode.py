import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coop.errors import Internal
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
from coop.model.prompt import Choice, Permission, Plan, Prompt, Query, Question, Setup
from coop.model.screen import Size
from coop.model.state import (
    AgentState,
    AltScreen,
    ErrorKind,
    Exited,
    ExitStatus,
    Failed,
    Idle,
    Prompted,
    Starting,
    Tier,
    Unknown,
    Working,
)
from coop.wire import decode, ws
from coop.wire.states import state_name

REPLY: dict[str, Any] = {
    "agent": "claude",
    "state": "waiting_for_input",
    "since_seq": 3,
    "screen_seq": 9,
    "detection_tier": "hooks",
    "idle_grace_remaining_secs": None,
    "prompt": None,
    "detail": None,
    "epoch": "e",
    "event_seq": 4,
}
words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8)
lines = st.lists(words, max_size=3).map(tuple)
ids = words.map(PromptId)
maybe = st.none() | words
inputs = st.dictionaries(words, st.none() | st.booleans() | st.integers(-9, 9) | words, max_size=3)
queries = st.builds(Query, words, st.lists(st.builds(Choice, words, words), max_size=2).map(tuple), words, st.booleans())
prompts: st.SearchStrategy[Prompt] = st.one_of(
    st.builds(Permission, ids, words, inputs, lines, lines, st.lists(inputs, max_size=2).map(tuple), maybe, maybe),
    st.builds(Question, ids, words, lines, lines, st.lists(queries, max_size=2).map(tuple), maybe),
    st.builds(Plan, ids, words, maybe, lines, lines, maybe),
    st.builds(Setup, ids, words, words, lines, lines),
)
exits = st.builds(ExitStatus, st.integers(0, 255), st.none()) | st.builds(ExitStatus, st.none(), st.integers(1, 64))
states: st.SearchStrategy[AgentState] = st.one_of(
    st.sampled_from([Starting(), Idle(), AltScreen(), Unknown()]),
    st.builds(Working, maybe),
    st.builds(Failed, words, st.sampled_from(ErrorKind), maybe),
    st.builds(Exited, exits),
    st.builds(Prompted, prompts, st.just(())),
    prompts.map(lambda asked: Prompted(asked, (asked, asked))),
)
facts: st.SearchStrategy[Fact] = st.one_of(
    st.builds(StateChanged, states, states, st.integers(0, 99)),
    st.builds(PromptAnswered, prompts, st.sampled_from(["api", "keyboard"]), maybe, maybe),
    st.builds(StopBlocked, st.integers(1, 20), words),
    st.sampled_from([StopAllowed("resolved"), StopAllowed("safety_valve"), StopAllowed("no_hook")]),
    st.builds(Resized, st.builds(Size, st.integers(1, 99), st.integers(1, 99))),
    st.builds(ShutdownStarted, st.floats(0, 10)),
    st.builds(SessionEnded, exits),
)


@given(fact=facts)
def test_what_is_published_is_what_is_read(fact: Fact) -> None:
    message = ws.event(Event(EventSeq(1), "e", 0.0, fact))
    before = fact.previous if isinstance(fact, StateChanged) else None
    assert decode.fact(str(message.__struct_config__.tag), json.loads(ws.encode(message)), before) == fact


@given(state=states)
def test_a_state_that_is_known_by_its_name_alone_keeps_its_name(state: AgentState) -> None:
    assert state_name(decode.bare_state(state_name(state))) == state_name(state)


def test_a_snapshot_has_what_the_reply_has() -> None:
    told = decode.snapshot({**REPLY, "model": "opus", "usage": {"input_tokens": 3}, "tested": True})
    assert (told.state, told.tier, told.epoch, told.event_seq) == (Idle(), Tier.HOOKS, "e", 4)
    assert (told.model, told.usage, told.tested) == ("opus", {"input_tokens": 3}, True)


def test_words_and_fields_of_a_newer_coop_are_no_mistake() -> None:
    newer = {**REPLY, "state": "dreaming", "detection_tier": "telepathy", "error_kind": "bored", "mood": {"good": True}}
    told = decode.snapshot(newer)
    assert (told.state, told.tier) == (Unknown("dreaming"), None)
    assert decode.snapshot({**newer, "state": "error", "detail": "no"}).state == Failed("no", ErrorKind.OTHER)


def test_a_prompt_of_a_newer_coop_is_an_unknown_state() -> None:
    riddle = {"type": "riddle", "id": "p1"}
    assert decode.state({"state": "riddle_prompt", "prompt": riddle}) == Unknown("riddle_prompt")
    known = {"type": "question", "id": "p1", "question": "DB?", "colour": "red"}
    assert decode.state({"state": "ask_twice", "prompt": known, "prompts": [known, riddle]}) == Prompted(
        Question(PromptId("p1"), "DB?")
    )


@pytest.mark.parametrize("body", [{}, {**REPLY, "event_seq": "many"}, {"state": "working"}])
def test_what_is_no_state_at_all_is_said_to_be_none(body: dict[str, Any]) -> None:
    with pytest.raises(Internal, match="expected AgentStateReply"):
        decode.snapshot(body)


@pytest.mark.parametrize(
    ("kind", "body"),
    [("sneezed", {}), ("resize", {"cols": "wide"}), ("stop", {"type": "stop", "result": "postponed", "blocks": 1})],
)
def test_an_event_that_cannot_be_read_is_none(kind: str, body: dict[str, Any]) -> None:
    assert decode.fact(kind, body, Idle()) is None


def test_a_change_from_a_state_that_was_not_seen_is_told_by_its_name() -> None:
    body = {"prev": "permission_prompt", "next": "working", "seq": 7, "detail": None}
    assert decode.fact("state_change", body, Idle()) == StateChanged(Prompted(Permission(PromptId(""), "")), Working(), 7)
