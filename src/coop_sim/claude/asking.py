"""What is asked before a tool use, and what a PermissionRequest hook's answer to it means."""

from coop_sim.claude.answers import Allow, Answer, Answered, Deny
from coop_sim.claude.hooks import HookAnswer
from coop_sim.claude.menu import Dialog
from coop_sim.claude.permissions import to_remember
from coop_sim.claude.plans import no_plan_dialog, plan_dialog
from coop_sim.claude.question import questions_in
from coop_sim.claude.requests import request_dialog
from coop_sim.claude.scenario import ToolUse
from coop_sim.claude.session import Session
from coop_sim.claude.shapes import Table, as_list, as_table, as_text
from coop_sim.claude.states import Blocked
from coop_sim.claude.versions import Version


def dialog_for(use: ToolUse, session: Session, columns: int) -> Dialog:
    if use.name != "ExitPlanMode":
        return request_dialog(use, session.version, session.cwd, columns)
    plan, path, home = as_text(use.input.get("plan")), session.plan_file, session.options.home
    if not plan:
        return no_plan_dialog(columns)
    shown = f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
    return plan_dialog(plan, shown, session.version, columns, bypasses=session.options.mode == "bypassPermissions")


def blocked_by(use: ToolUse, version: Version) -> Blocked:
    match use.name:
        case "AskUserQuestion":
            return Blocked(version.question_waiting_for, "question", f"answer: {_first_question(use)}")
        case "ExitPlanMode":
            return Blocked("permission prompt", "permission", "approve plan")
        case "Bash":
            return Blocked("permission prompt", "permission", f"approve Bash: {as_text(use.input.get('command'))}")
        case _:
            name = "Update" if use.name == "Edit" else use.name
            return Blocked("permission prompt", "permission", f"approve {name}: {as_text(use.input.get('file_path'))}")


def _first_question(use: ToolUse) -> str:
    questions = questions_in(dict(use.input))
    labels = " · ".join(label for label, _ in questions[0].options) if questions else ""
    return f"{questions[0].text} ({labels})" if questions else ""


def suggestions(use: ToolUse) -> Table:
    """The `permission_suggestions` of a PermissionRequest, where there are any."""
    if use.name in ("Edit", "Write"):
        return {"permission_suggestions": [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]}
    rules = [{"toolName": "Bash", "ruleContent": part} for part in to_remember(as_text(use.input.get("command")))]
    if use.name != "Bash" or not rules:
        return {}
    added = {"type": "addRules", "rules": rules, "behavior": "allow", "destination": "localSettings"}
    return {"permission_suggestions": [added]}


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
    modes = [as_text(as_table(one).get("mode")) for one in as_list(decision.get("updatedPermissions"))]
    mode = modes[0] if modes else "default" if use.name == "ExitPlanMode" else None
    return Allow(mode, updated=None if is_talk else updated or None)


def _answers(updated: Table, *, has_input: bool) -> Answer | None:
    if has_input and "answers" in updated and "questions" not in updated:
        return Deny("Invalid input: questions is required", ends_turn=False)
    return Answered({question: as_text(answer) for question, answer in as_table(updated.get("answers")).items()})
