import json

import pytest

from coop.agents.codex.replies import block_stop, effect_of, reply_to_hook
from coop.errors import BadRequest
from coop.model.commands import Respond
from coop.model.ids import PromptId
from coop.model.prompt import Permission, Plan, Prompt, Question, Setup

ID = PromptId("p1")
BASH = Permission(ID, "Bash", {"command": "ls"}, options=("Yes, proceed (y)", "Yes, and don't…", "No, and tell Codex (esc)"))
PLAN = Plan(ID, "", options=("Yes, implement this plan", "No, stay in Plan mode"))
TRUST = Setup(ID, "trust", "", ("Trust and continue", "Quit"))


def decision(respond: Respond) -> tuple[dict[str, str], str]:
    reply = reply_to_hook(respond, BASH)
    assert reply is not None
    found: dict[str, str] = json.loads(reply.body)["hookSpecificOutput"]["decision"]
    return found, reply.effect


def test_a_permission_is_answered_by_its_hook() -> None:
    assert decision(Respond(accept=True)) == ({"behavior": "allow"}, "accepted")
    assert decision(Respond(accept=False, text="no")) == ({"behavior": "deny", "message": "no"}, "feedback")
    assert decision(Respond(accept=False))[0]["message"]


def test_what_the_hook_cannot_say_is_typed() -> None:
    assert reply_to_hook(Respond(accept=True, always=True), BASH) is None
    assert reply_to_hook(Respond(option=1), PLAN) is None
    with pytest.raises(BadRequest):
        reply_to_hook(Respond(option=1), BASH)


@pytest.mark.parametrize(
    ("respond", "prompt", "effect"),
    [
        (Respond(accept=True), BASH, "accepted"),
        (Respond(option=2), BASH, "accepted"),
        (Respond(option=3), BASH, "denied"),
        (Respond(accept=False), BASH, "denied"),
        (Respond(accept=False, text="x"), BASH, "feedback"),
        (Respond(text="x"), PLAN, "feedback"),
        (Respond(option=2), TRUST, "denied"),
        (Respond(option=1), Question(ID, "?"), "answered"),
        (Respond(accept=False), Question(ID, "?"), "denied"),
    ],
)
def test_an_answer_has_an_effect(respond: Respond, prompt: Prompt, effect: str) -> None:
    assert effect_of(respond, prompt) == effect


def test_a_stop_is_blocked_with_a_reason() -> None:
    assert json.loads(block_stop("not yet")) == {"decision": "block", "reason": "not yet"}


@pytest.mark.parametrize("option", [-1, 0, 9])
def test_what_is_not_offered_has_none(option: int) -> None:
    with pytest.raises(BadRequest, match="expected 1 to 3"):
        effect_of(Respond(option=option), BASH)
