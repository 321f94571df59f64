"""How states and prompts are spelled."""

from typing import Literal

import msgspec

from coop.model.prompt import Prompt
from coop.model.state import AgentState, AltScreen, Exited, Failed, Idle, Prompted, Starting, Unknown, Working

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


class PromptContext(msgspec.Struct, omit_defaults=True, kw_only=True):
    """What the agent asks, with all a person needs to decide."""

    type: PromptType
    id: str
    tool: str | None = None
    input_preview: str | None = None
    question: str | None = None
    options: tuple[str, ...] = ()
    summary: str | None = None
    screen_lines: tuple[str, ...] = ()


def state_name(state: AgentState) -> StateName:
    match state:
        case Starting():
            return "starting"
        case Working():
            return "working"
        case Idle():
            return "waiting_for_input"
        case Prompted():
            return "ask_user"
        case Failed():
            return "error"
        case AltScreen():
            return "alt_screen"
        case Exited():
            return "exited"
        case Unknown():
            return "unknown"


def prompt_of(state: AgentState) -> PromptContext | None:
    return _context(state.prompt) if isinstance(state, Prompted) else None


def detail_of(state: AgentState) -> str | None:
    """The words behind an error."""
    return state.detail if isinstance(state, Failed) else None


def _context(prompt: Prompt) -> PromptContext:
    return PromptContext(
        type="question", id=prompt.id, question=prompt.text, options=prompt.options, screen_lines=prompt.screen_lines
    )
