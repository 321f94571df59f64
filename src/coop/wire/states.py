"""How states and prompts are spelled."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from coop.model.prompt import Permission, Plan, Prompt, Query, Question, Setup
from coop.model.readings import Claim, Waits
from coop.model.state import AgentState, AltScreen, Exited, ExitStatus, Failed, Idle, Prompted, Starting, Unknown, Working

StateName = Literal[
    "starting",
    "working",
    "waiting_for_input",
    "permission_prompt",
    "plan_prompt",
    "ask_user",
    "setup_prompt",
    "error",
    "alt_screen",
    "exited",
    "unknown",
]
TierName = Literal["hooks", "session_log", "stdout_jsonl", "process", "screen", "status_file", "terminal_report"]
PromptType = Literal["permission", "question", "plan", "setup"]


ErrorKindName = Literal["unauthorized", "out_of_credits", "rate_limited", "no_network", "overloaded", "other"]


class ChoiceContext(msgspec.Struct, omit_defaults=True):
    label: str
    description: str = ""
    preview: str = ""


class QuestionContext(msgspec.Struct, omit_defaults=True):
    question: str
    options: tuple[ChoiceContext, ...] = ()
    header: str = ""
    multi_select: bool = False


class PromptContext(msgspec.Struct, omit_defaults=True, kw_only=True):
    """What the agent asks, with all a person needs to decide."""

    type: PromptType
    id: str = ""
    subtype: str | None = None
    tool: str | None = None
    input_preview: str | None = None
    input: dict[str, Any] | None = None
    suggestions: tuple[dict[str, Any], ...] = ()
    subagent: str | None = None
    question: str | None = None
    options: tuple[str, ...] = ()
    questions: tuple[QuestionContext, ...] = ()
    summary: str | None = None
    plan: str | None = None
    plan_file: str | None = None
    screen_lines: tuple[str, ...] = ()


def state_name(state: AgentState) -> StateName:
    match state:
        case Starting():
            return "starting"
        case Working():
            return "working"
        case Idle():
            return "waiting_for_input"
        case Prompted(prompt):
            return _PROMPT_STATES[type(prompt)]
        case Failed():
            return "error"
        case AltScreen():
            return "alt_screen"
        case Exited():
            return "exited"
        case Unknown():
            return "unknown"


_PROMPT_STATES: dict[type, StateName] = {
    Permission: "permission_prompt",
    Plan: "plan_prompt",
    Question: "ask_user",
    Setup: "setup_prompt",
}


def prompt_of(state: AgentState) -> PromptContext | None:
    """The one on screen."""
    return prompt_context(state.prompt) if isinstance(state, Prompted) else None


def prompts_of(state: AgentState) -> tuple[PromptContext, ...]:
    return tuple(prompt_context(prompt) for prompt in state.prompts) if isinstance(state, Prompted) else ()


def detail_of(state: AgentState) -> str | None:
    """The words behind an error or an end, or what kind of work it is."""
    if isinstance(state, Exited):
        return state.status.why or None
    return state.detail if isinstance(state, Failed | Working) else None


def error_kind_of(state: AgentState) -> ErrorKindName | None:
    return state.kind.value if isinstance(state, Failed) else None


def resets_at_of(state: AgentState) -> str | None:
    return state.resets_at if isinstance(state, Failed) else None


def exit_of(state: AgentState) -> ExitStatus:
    """How the child ended; of nothing, while it has not."""
    return state.status if isinstance(state, Exited) else ExitStatus()


def prompt_context(prompt: Prompt) -> PromptContext:
    told = _told(prompt)
    told.id, told.subtype = prompt.id, prompt.subtype
    told.options, told.screen_lines = prompt.options, prompt.screen_lines
    return told


def _told(prompt: Prompt) -> PromptContext:
    match prompt:
        case Permission():
            return PromptContext(
                type="permission",
                tool=prompt.tool or None,
                input=dict(prompt.input) or None,
                input_preview=_preview(prompt.input),
                suggestions=tuple(dict(each) for each in prompt.suggestions),
                subagent=prompt.subagent,
            )
        case Plan():
            summary = next((line.strip("# ") for line in prompt.text.splitlines() if line.strip("# ")), None)
            return PromptContext(type="plan", plan=prompt.text or None, plan_file=prompt.file, summary=summary)
        case Question():
            questions = tuple(_question(query) for query in prompt.queries)
            return PromptContext(type="question", question=prompt.text, questions=questions)
        case Setup():
            return PromptContext(type="setup", summary=prompt.text)


def _question(query: Query) -> QuestionContext:
    choices = tuple(ChoiceContext(choice.label, choice.description, choice.preview) for choice in query.choices)
    return QuestionContext(query.text, choices, query.header, query.takes_many)


def _preview(given: Mapping[str, object]) -> str | None:
    """The one field that says most, or all of them, on one line."""
    if not given:
        return None
    telling = next((str(given[key]) for key in ("command", "file_path", "url", "pattern", "prompt") if key in given), None)
    text = telling if telling is not None else msgspec.json.encode(given).decode()
    return " ".join(text.split())[:200]


def claim_words(claim: Claim | Exited) -> str:
    """What a source said, in one word or two."""
    match claim:
        case Waits(what):
            return f"waits: {what}" if what else "waits"
        case Working(detail) if detail:
            return f"working: {detail}"
        case Failed(detail):
            return f"error: {detail}"
        case _:
            return state_name(claim)
