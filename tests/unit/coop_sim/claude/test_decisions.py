"""What the answers of hooks mean."""

import pytest

from coop_sim.claude.answers import Allow, Answer, Answered, Deny
from coop_sim.claude.decisions import before_use, hook_answer
from coop_sim.claude.hooks import HookAnswer
from coop_sim.claude.permissions import Need
from coop_sim.claude.versions import VERSIONS
from coop_sim.scenario import ToolUse

OLD, NEW = VERSIONS["2.1.197"], VERSIONS["2.1.325"]
BASH, PLAN, QUESTION = (ToolUse(name, {}) for name in ("Bash", "ExitPlanMode", "AskUserQuestion"))
ACCEPT = {"type": "setMode", "mode": "acceptEdits", "destination": "session"}
RULES = {"type": "addRules", "rules": [], "behavior": "allow", "destination": "localSettings"}


def decided(**decision: object) -> list[HookAnswer]:
    return [HookAnswer("url", 0, {"hookSpecificOutput": {"decision": decision}})]


@pytest.mark.parametrize(
    ("use", "decision", "old", "new"),
    [
        (BASH, {"behavior": "allow"}, Allow(), Allow()),
        (BASH, {"behavior": "deny", "message": "no"}, Deny("no", ends_turn=False), Deny("no", ends_turn=False)),
        (BASH, {"behavior": "deny", "message": "no", "interrupt": True}, Deny("no"), Deny("no")),
        (BASH, {"behavior": "allow", "updatedPermissions": [RULES]}, Allow("remember"), Allow("remember")),
        (BASH, {"behavior": "allow", "updatedPermissions": [RULES, ACCEPT]}, Allow("acceptEdits"), Allow("acceptEdits")),
        (BASH, {"behavior": "what?"}, None, None),
        (PLAN, {"behavior": "allow"}, Allow("default"), None),
        (PLAN, {"behavior": "allow", "updatedInput": {}}, Allow("default"), Allow("default")),
        (
            QUESTION,
            {"behavior": "allow", "updatedInput": {"questions": [], "answers": {"Q": "A"}}},
            *[Answered({"Q": "A"})] * 2,
        ),
    ],
)
def test_a_permission_request_is_answered(use: ToolUse, decision: dict[str, object], old: Answer, new: Answer) -> None:
    assert hook_answer(decided(**decision), use, OLD) == old
    assert hook_answer(decided(**decision), use, NEW) == new


def pre(**told: object) -> list[HookAnswer]:
    return [HookAnswer("command", 0, {"hookSpecificOutput": told})]


def test_a_hook_before_the_use_can_spare_the_question_or_ask_it() -> None:
    assert before_use(pre(permissionDecision="allow"), Need.ANSWER, BASH) == (Need.NOTHING, {})
    assert before_use(pre(permissionDecision="ask"), Need.NOTHING, BASH) == (Need.ANSWER, {})
    assert before_use(pre(permissionDecision="allow"), Need.ANSWER, PLAN) == (Need.ANSWER, {})
    given = pre(permissionDecision="allow", updatedInput={"command": "ls"})
    assert before_use(given, Need.ANSWER, BASH) == (Need.NOTHING, {"command": "ls"})
    assert before_use([HookAnswer("c", 2, {}, "not now")], Need.NOTHING, BASH) == Deny("not now", ends_turn=False)
