"""What answers do, and how those are put that go back to a hook: with `--answer-by hook`, and at the gate."""

import json

from coop.agents import HookReply
from coop.agents.answers import chosen_label
from coop.errors import BadRequest
from coop.model.commands import Respond
from coop.model.prompt import Permission, Plan, Prompt, Question

DENIED = "The person denied this."


def reply_to_hook(respond: Respond, prompt: Prompt) -> HookReply | None:
    """`None` when it must be typed. A denial by the hook lets the turn go on, unlike one at the keyboard."""
    if not isinstance(prompt, Permission) or respond.always:
        return None
    match respond.accept:
        case True:
            return HookReply(_body({"behavior": "allow"}), "accepted")
        case False:
            return HookReply(_body({"behavior": "deny", "message": respond.text or DENIED}), "feedback")
        case None:
            raise BadRequest("body: expected accept for a permission that is answered by its hook")


def effect_of(respond: Respond, prompt: Prompt) -> str:
    """What an answer does; a number counts by its label."""
    if isinstance(prompt, Question):
        return "denied" if respond.accept is False else "answered"
    chosen = chosen_label(respond, prompt) or ""
    only_words = isinstance(prompt, Plan) and respond.accept is None and respond.option is None
    if respond.accept is False or only_words or chosen.startswith(("No", "Quit", "Continue without")):
        return "feedback" if respond.text else "denied"
    return "accepted"


def _body(decision: dict[str, str]) -> bytes:
    return json.dumps({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}).encode()


def block_stop(reason: str) -> bytes:
    """What makes Codex go on instead of stopping."""
    return json.dumps({"decision": "block", "reason": reason}).encode()
