"""Answers as replies to the PermissionRequest hook that asked: exact, and without a keystroke."""

import json
from collections.abc import Mapping, Sequence

from coop.agents import HookReply
from coop.agents.answers import answers, label_of
from coop.errors import BadRequest
from coop.model.commands import Answer, Respond
from coop.model.prompt import Permission, Plan, Prompt, Query, Question, Setup

NO_WORD = b'{"async":true}'
"""An empty object Claude takes for output, and writes a line into the person's transcript for it."""
DENIED = "The person denied this."
Decision = Mapping[str, object]


def reply_to_hook(respond: Respond, prompt: Prompt) -> HookReply | None:
    """`None` when it must be typed. Raises `BadRequest` for an answer that does not fit."""
    match prompt:
        case Permission():
            decision = _permit(respond, prompt)
        case Plan():
            decision = _plan(respond, prompt)
        case Question(queries=()) | Setup():
            decision = None
        case Question():
            decision = _question(respond, prompt)
    return None if decision is None else HookReply(_body(decision), effect_of(respond, prompt))


def effect_of(respond: Respond, prompt: Prompt) -> str:
    """What an answer does; a number counts by its label."""
    if isinstance(prompt, Question):
        return "answered" if respond.accept is not False else "feedback" if respond.text else "denied"
    chosen = _label(respond, prompt.options)
    only_words = isinstance(prompt, Plan) and respond.accept is None and respond.option is None
    if respond.accept is False or only_words or (chosen or "").startswith(("No", "Tell Claude")):
        return "feedback" if respond.text else _denied(prompt)
    return "accepted" if chosen is not None or respond.option is None else "chosen"


def _denied(prompt: Prompt) -> str:
    """Either way only the subagent is told no. Answered by hook it is stopped, by keys it goes on itself: the turn goes on."""
    return "denied_subagent" if isinstance(prompt, Permission) and prompt.subagent else "denied"


def _permit(respond: Respond, prompt: Permission) -> Decision | None:
    match respond:
        case Respond(accept=True, always=True):
            return {"behavior": "allow", "updatedPermissions": list(prompt.suggestions)} if prompt.suggestions else None
        case Respond(accept=True, text=None):
            return {"behavior": "allow"}
        case Respond(accept=True):
            return None  # words that go along with a yes can only be typed
        case Respond(accept=False):
            return _denial(respond.text)
        case Respond(option=int()):
            label = _label(respond, prompt.options)
            return {"Yes": {"behavior": "allow"}, "No": _denial(respond.text)}.get(label or "")
        case _:
            raise BadRequest("body: expected accept or option for a permission")


def _plan(respond: Respond, prompt: Plan) -> Decision | None:
    match respond:
        case Respond(accept=True, always=False, text=None):
            # 2.1.325 ignores an allow without the input.
            return {"behavior": "allow", "updatedInput": {"plan": prompt.text, "planFilePath": prompt.file or ""}}
        case Respond(accept=False) | Respond(accept=None, option=None, text=str()):
            return _denial(respond.text)
        case Respond(accept=True) | Respond(option=int()):
            return None
        case _:
            raise BadRequest("body: expected accept, option or text for a plan")


def _denial(feedback: str | None) -> Decision:
    """Ends the turn, unless there is something to go on with; a subagent's ends only that."""
    return {"behavior": "deny", "message": feedback or DENIED, "interrupt": feedback is None}


def _question(respond: Respond, prompt: Question) -> Decision:
    if respond.accept is False:
        return _denial(respond.text)
    given = list(zip(prompt.queries, answers(respond, prompt), strict=True))
    updated: dict[str, object] = {"questions": [query.given for query in prompt.queries]}
    updated["answers"] = {query.text: _chosen(answer, query) for query, answer in given}
    # Claude's own dialog, too, tells the model what it has shown for the chosen option.
    if seen := {query.text: {"preview": preview} for query, answer in given if (preview := _preview(answer, query))}:
        updated["annotations"] = seen
    return {"behavior": "allow", "updatedInput": updated}


def _chosen(answer: Answer, query: Query) -> str:
    labels = [label_of(option, query) for option in answer.options]
    return ", ".join([*labels, *([answer.text] if answer.text else [])])


def _preview(answer: Answer, query: Query) -> str:
    """Of the option that is the answer; none is shown where several can be."""
    labels = [label_of(option, query) for option in answer.options]
    chosen = (choice.preview for choice in query.choices if choice.label in labels)
    return "" if query.takes_many else next(chosen, "")


def _label(respond: Respond, options: Sequence[str]) -> str | None:
    if respond.option is None or not options:  # not drawn yet
        return None
    if not 1 <= respond.option <= len(options):
        raise BadRequest(f"option: expected 1 to {len(options)}, got {respond.option}")
    return options[respond.option - 1]


def _body(decision: Decision) -> bytes:
    return json.dumps({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}).encode()


def block_stop(reason: str) -> bytes:
    """What makes Claude go on instead of stopping."""
    return json.dumps({"decision": "block", "reason": reason}).encode()
