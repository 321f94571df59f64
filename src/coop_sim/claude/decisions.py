"""What the answers of hooks mean for a tool use: of PreToolUse, and of PermissionRequest."""

from coop_sim.claude.answers import Allow, Answer, Answered, Deny
from coop_sim.claude.hooks import BLOCKING, HookAnswer
from coop_sim.claude.permissions import Need
from coop_sim.claude.versions import Version
from coop_sim.scenario import ToolUse
from coop_sim.shapes import Table, as_list, as_table, as_text


def before_use(answers: list[HookAnswer], need: Need, use: ToolUse) -> Deny | tuple[Need, Table]:
    """A refusal; or what the use still needs, and what it is given instead."""
    given: Table = {}
    for answer in answers:
        decision = as_text(answer.specific.get("permissionDecision"))
        if decision == "deny" or answer.code == BLOCKING or answer.said.get("decision") == "block":
            reason = as_text(answer.specific.get("permissionDecisionReason")) or answer.reason
            return Deny(reason or "Blocked by hook", ends_turn=False)
        if decision == "ask":
            need = Need.ANSWER
        if decision == "allow":
            updated = answer.specific.get("updatedInput")
            given = as_table(updated) or given
            asked_anyway = use.name in ("AskUserQuestion", "ExitPlanMode") and updated is None
            need = need if asked_anyway else Need.NOTHING
    return need, given


def hook_answer(answers: list[HookAnswer], use: ToolUse, version: Version) -> Answer | None:
    """The first decision; `None` when the hooks leave it to the person."""
    decisions = (as_table(answer.specific.get("decision")) for answer in answers)
    return next((read for one in decisions if (read := _decision(one, use, version)) is not None), None)


def _decision(decision: Table, use: ToolUse, version: Version) -> Answer | None:
    match decision.get("behavior"):
        case "deny":
            interrupts = decision.get("interrupt") is True
            return Deny(as_text(decision.get("message"), "Denied by hook"), ends_turn=interrupts)
        case "allow":
            return _allowed(decision, use, version)
        case _:
            return None


def _allowed(decision: Table, use: ToolUse, version: Version) -> Answer | None:
    has_input = "updatedInput" in decision
    is_talk = use.name in ("AskUserQuestion", "ExitPlanMode")
    if is_talk and not has_input and not version.plain_allow_answers_all:
        return None
    updated = as_table(decision.get("updatedInput"))
    if use.name == "AskUserQuestion":
        return _answers(updated, has_input=has_input)
    permissions = [as_table(one) for one in as_list(decision.get("updatedPermissions"))]
    mode = next((as_text(one.get("mode")) for one in permissions if one.get("type") == "setMode"), None)
    if mode is None and any(one.get("type") == "addRules" for one in permissions):
        mode = "remember"
    if mode is None and use.name == "ExitPlanMode":
        mode = "default"
    return Allow(mode, updated=None if is_talk else updated or None)


def _answers(updated: Table, *, has_input: bool) -> Answer | None:
    if has_input and "answers" in updated and "questions" not in updated:
        return Deny("Invalid input: questions is required", ends_turn=False)
    notes = as_table(updated.get("annotations"))
    return Answered(
        {question: as_text(answer) for question, answer in as_table(updated.get("answers")).items()},
        {question: as_text(as_table(note).get("preview")) for question, note in notes.items()},
    )
