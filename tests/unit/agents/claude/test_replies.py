import json
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import pytest

from coop.agents.claude.replies import DENIED, block_stop, effect_of, reply_to_hook
from coop.errors import BadRequest
from coop.model.commands import Answer, Respond
from coop.model.ids import PromptId
from coop.model.prompt import Choice, Permission, Plan, Prompt, Query, Question, Setup

P = PromptId("p1")
RULES = ({"type": "addRules", "behavior": "allow"},)
BASH = Permission(P, "Bash", {"command": "ls"}, ("Yes", "Yes, and always allow ls", "No"), suggestions=RULES)
PLAN = Plan(
    P, "# P\n1. A\n", "/plans/a.md", ("Yes, and use auto mode", "Yes, manually approve edits", "Tell Claude what to change")
)
ASKED: Mapping[str, object] = {
    "question": "Which database?",
    "header": "Database",
    "options": [{"label": "PostgreSQL", "description": "Robust"}, {"label": "SQLite", "description": "Simple"}],
    "what only Claude knows": 1,
}
DATABASE = Query("Which database?", (Choice("PostgreSQL", "Robust"), Choice("SQLite", "Simple")), "Database", given=ASKED)
FEATURES = Query("Which features?", (Choice("Auth"), Choice("Search"), Choice("Billing")), "Features", takes_many=True)
QUESTION = Question(P, DATABASE.text, ("PostgreSQL", "SQLite"), queries=(DATABASE,))
QUESTIONS = Question(P, DATABASE.text, ("PostgreSQL", "SQLite"), queries=(DATABASE, FEATURES))
TRUST = Setup(P, "trust", "Accessing workspace:", ("Yes, I trust this folder", "No, exit"))
ALLOW: Mapping[str, object] = {"behavior": "allow"}
DENY: Mapping[str, object] = {"behavior": "deny", "message": DENIED, "interrupt": True}


def feedback(words: str) -> Mapping[str, object]:
    return {"behavior": "deny", "message": words, "interrupt": False}


def decision(respond: Respond, prompt: Prompt) -> Mapping[str, object] | None:
    reply = reply_to_hook(respond, prompt)
    if reply is None:
        return None
    body = json.loads(reply.body)["hookSpecificOutput"]
    assert body["hookEventName"] == "PermissionRequest"
    return cast("Mapping[str, object]", body["decision"])


def effect(respond: Respond, prompt: Prompt) -> str:
    reply = reply_to_hook(respond, prompt)
    assert reply is not None
    assert reply.effect == effect_of(respond, prompt)
    return reply.effect


# Permissions


@pytest.mark.parametrize(
    ("respond", "expected", "does"),
    [
        (Respond(accept=True), ALLOW, "accepted"),
        (Respond(accept=True, always=True), {"behavior": "allow", "updatedPermissions": list(RULES)}, "accepted"),
        (Respond(accept=False), DENY, "denied"),
        (Respond(accept=False, text="use mv"), feedback("use mv"), "feedback"),
        (Respond(option=1), ALLOW, "accepted"),
        (Respond(option=3), DENY, "denied"),
        (Respond(option=3, text="use mv"), feedback("use mv"), "feedback"),
    ],
)
def test_a_permission_is_given_or_refused_exactly(respond: Respond, expected: Mapping[str, object], does: str) -> None:
    assert decision(respond, BASH) == expected
    assert effect(respond, BASH) == does


def test_an_option_that_is_neither_yes_nor_no_is_typed() -> None:
    assert decision(Respond(option=2), BASH) is None
    assert effect_of(Respond(option=2), BASH) == "accepted"


def test_for_good_is_typed_where_the_agent_suggested_nothing() -> None:
    assert decision(Respond(accept=True, always=True), Permission(P, "Bash")) is None


@pytest.mark.parametrize("respond", [Respond(), Respond(option=4), Respond(option=0)])
def test_an_answer_that_does_not_fit_a_permission_is_refused(respond: Respond) -> None:
    with pytest.raises(BadRequest):
        reply_to_hook(respond, BASH)


# Plans


@pytest.mark.parametrize(
    ("respond", "expected", "does"),
    [
        (Respond(accept=True), {**ALLOW, "updatedInput": {"plan": PLAN.text, "planFilePath": "/plans/a.md"}}, "accepted"),
        (Respond(accept=False), DENY, "denied"),
        (Respond(accept=False, text="smaller"), feedback("smaller"), "feedback"),
    ],
)
def test_a_plan_is_accepted_as_it_is_or_sent_back(respond: Respond, expected: Mapping[str, object], does: str) -> None:
    assert decision(respond, PLAN) == expected
    assert effect(respond, PLAN) == does


@pytest.mark.parametrize("respond", [Respond(accept=True, always=True), Respond(option=2), Respond(accept=True, text="but")])
def test_other_ways_to_accept_a_plan_are_typed(respond: Respond) -> None:
    assert decision(respond, PLAN) is None


def test_a_plan_needs_an_answer() -> None:
    with pytest.raises(BadRequest):
        reply_to_hook(Respond(), PLAN)


def test_words_alone_send_a_plan_back() -> None:
    assert decision(Respond(text="smaller"), PLAN) == feedback("smaller")


def test_words_alone_for_a_plan_are_told_as_feedback() -> None:
    assert effect(Respond(text="smaller"), PLAN) == "feedback"


@pytest.mark.parametrize(
    ("respond", "does"),
    [
        (Respond(accept=False), "denied_subagent"),
        (Respond(option=3), "denied_subagent"),
        (Respond(accept=False, text="why?"), "feedback"),
        (Respond(accept=True), "accepted"),
    ],
)
def test_a_no_to_a_subagent_says_that_it_is_no_end_of_the_turn(respond: Respond, does: str) -> None:
    assert effect(respond, replace(BASH, subagent="general-purpose")) == does


# Questions


def answered(**chosen: str) -> dict[str, str]:
    return {{"database": DATABASE.text, "features": FEATURES.text}[key]: value for key, value in chosen.items()}


@pytest.mark.parametrize(
    ("respond", "chosen"),
    [
        (Respond(option=2), "SQLite"),
        (Respond(text="DuckDB"), "DuckDB"),
        (Respond(answers=(Answer((1,)),)), "PostgreSQL"),
        (Respond(answers=(Answer(("SQLite",)),)), "SQLite"),
        (Respond(answers=(Answer(text="DuckDB"),)), "DuckDB"),
        (Respond(accept=True, option=1), "PostgreSQL"),
    ],
)
def test_one_question_is_answered_by_number_label_or_words(respond: Respond, chosen: str) -> None:
    given = decision(respond, QUESTION)
    assert given is not None
    assert given == {**ALLOW, "updatedInput": {"questions": [dict(ASKED)], "answers": answered(database=chosen)}}
    assert effect(respond, QUESTION) == "answered"


@pytest.mark.parametrize(
    ("respond", "seen"), [(Respond(option=2), "[]"), (Respond(option=3), None), (Respond(text="[ ]"), None)]
)
def test_what_was_shown_for_the_chosen_option_goes_with_it(respond: Respond, seen: str | None) -> None:
    layout = Query("Which?", (Choice("Wide", preview="[    ]"), Choice("Narrow", preview="[]"), Choice("None")))
    given = decision(respond, Question(P, "Which?", queries=(layout,)))
    assert given is not None
    updated = cast("Mapping[str, object]", given["updatedInput"])
    assert updated.get("annotations") == (None if seen is None else {"Which?": {"preview": seen}})


@pytest.mark.parametrize(
    ("many", "chosen"),
    [
        (Answer((1, 3)), "Auth, Billing"),
        (Answer(("Search",)), "Search"),
        (Answer((1,), text="Export"), "Auth, Export"),
        (Answer(text="Export"), "Export"),
    ],
)
def test_several_questions_are_answered_together(many: Answer, chosen: str) -> None:
    given = decision(Respond(answers=(Answer((2,)), many)), QUESTIONS)
    assert given is not None
    assert cast("Mapping[str, object]", given["updatedInput"])["answers"] == answered(database="SQLite", features=chosen)


@pytest.mark.parametrize(
    ("words", "expected", "does"), [(None, DENY, "denied"), ("ask later", feedback("ask later"), "feedback")]
)
def test_a_question_can_be_declined(words: str | None, expected: Mapping[str, object], does: str) -> None:
    respond = Respond(accept=False, text=words)
    assert decision(respond, QUESTIONS) == expected
    assert effect(respond, QUESTIONS) == does


@pytest.mark.parametrize(
    ("respond", "says"),
    [
        (Respond(option=1), "expected 2, one for each question, got 1"),
        (Respond(accept=True), "got 0"),
        (Respond(answers=(Answer(), Answer((1,)))), "question 1 has no answer"),
        (Respond(answers=(Answer(text="  "), Answer((1,)))), "question 1 has no answer"),
        (Respond(answers=(Answer((1, 2)), Answer((1,)))), "question 1 takes one answer, got 2"),
        (Respond(answers=(Answer((1,), text="x"), Answer((1,)))), "question 1 takes one answer"),
        (Respond(answers=(Answer((3,)), Answer((1,)))), "option: expected 1 to 2 or one of 'PostgreSQL', 'SQLite', got 3"),
        (Respond(answers=(Answer((1,)), Answer(("Moon",)))), "got 'Moon'"),
    ],
)
def test_answers_that_do_not_fit_their_questions_are_refused(respond: Respond, says: str) -> None:
    with pytest.raises(BadRequest) as told:
        reply_to_hook(respond, QUESTIONS)
    assert says in told.value.message


# What no hook asked


@pytest.mark.parametrize("prompt", [TRUST, Question(P, "Shall we?", ("Aye", "Nay"))])
def test_what_no_hook_asked_is_typed(prompt: Prompt) -> None:
    assert reply_to_hook(Respond(option=1), prompt) is None


def test_what_an_option_does_goes_by_its_label() -> None:
    assert effect_of(Respond(option=2), TRUST) == "denied"
    assert effect_of(Respond(option=1), TRUST) == "accepted"
    assert effect_of(Respond(option=3), PLAN) == "denied"


def test_a_stop_is_blocked_with_a_reason() -> None:
    assert json.loads(block_stop("not done")) == {"decision": "block", "reason": "not done"}
