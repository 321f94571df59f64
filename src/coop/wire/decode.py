"""What coop says, as values again: states, prompts and events. What this version has no word for becomes an explicit unknown."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast, get_args

import msgspec

from coop.errors import Internal
from coop.model.events import (
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
from coop.model.view import Snapshot
from coop.wire import ws
from coop.wire.http import AgentStateReply
from coop.wire.states import ErrorKindName, PromptContext, PromptType, QuestionContext, StateName, TierName, state_name

Body = Mapping[str, Any]
T = TypeVar("T")

_PLAIN: Mapping[str, AgentState] = {"starting": Starting(), "waiting_for_input": Idle(), "alt_screen": AltScreen()}
_PROMPT_OF: Mapping[str, PromptType] = {
    "permission_prompt": "permission",
    "plan_prompt": "plan",
    "ask_user": "question",
    "setup_prompt": "setup",
}
_PROMPT_NAMES = frozenset(get_args(PromptType))


def convert(body: object, kind: type[T]) -> T:
    """A reply as that type; fields it does not have are passed over. Raises `Internal` for what cannot be one."""
    try:
        return msgspec.convert(body, kind)
    except msgspec.ValidationError as error:
        raise Internal(f"expected {kind.__name__} of coop, got something else: {error}") from None


def snapshot(body: Body) -> Snapshot:
    """The reply of /agent/state. Raises `Internal` when it is none."""
    told = convert(_known(body), AgentStateReply)
    return Snapshot(
        state=state(body),
        agent=told.agent,
        epoch=told.epoch,
        event_seq=EventSeq(told.event_seq),
        screen_seq=told.screen_seq,
        since_seq=told.since_seq,
        tier=_tier(body.get("detection_tier")),
        idle_grace_remaining=told.idle_grace_remaining_secs,
        session_id=told.session_id,
        transcript_path=told.transcript_path,
        cwd=told.cwd,
        model=told.model,
        permission_mode=told.permission_mode,
        agent_version=told.agent_version,
        tested=told.tested,
        last_message=told.last_message,
        usage=told.usage or {},
    )


def _known(body: Body) -> dict[str, Any]:
    """With the words that newer versions may add replaced by ones of ours; the words themselves are read apart."""
    return {
        **body,
        "state": _among(StateName, body.get("state"), "unknown"),
        "detection_tier": _among(TierName, body.get("detection_tier"), "process"),
        "error_kind": _among(ErrorKindName, body.get("error_kind"), None),
        "prompt": None,
        "prompts": (),
    }


def _among(names: Any, word: object, otherwise: str | None) -> object:
    return word if word in get_args(names) else otherwise


def _tier(word: object) -> Tier | None:
    return Tier(word) if word in get_args(TierName) else None


def state(body: Body, name: str = "state") -> AgentState:
    """The state that a body tells, by the word in its field `name`. A word without a meaning here is `Unknown(word)`."""
    word = str(body.get(name, ""))
    if word in _PLAIN:
        return _PLAIN[word]
    match word:
        case "working":
            return Working(_text(body, "detail"))
        case "error":
            return Failed(_text(body, "detail") or "", _kind(body.get("error_kind")), _text(body, "resets_at"))
        case "exited":
            return Exited(ExitStatus(body.get("exit_code"), body.get("exit_signal")))
        case _:
            return _prompted(word, body) or Unknown("" if word == "unknown" else word)


def bare_state(word: str) -> AgentState:
    """What can be said of a state by its name alone."""
    return state({"state": word, "prompt": {"type": _PROMPT_OF[word]}} if word in _PROMPT_OF else {"state": word})


def _text(body: Body, key: str) -> str | None:
    found = body.get(key)
    return found if isinstance(found, str) else None


def _kind(word: object) -> ErrorKind:
    return ErrorKind(word) if word in get_args(ErrorKindName) else ErrorKind.OTHER


def _prompted(word: str, body: Body) -> AgentState | None:
    shown = prompt(body.get("prompt"))
    if shown is None or (word not in _PROMPT_OF and word in get_args(StateName)):
        return None
    waiting = tuple(each for each in map(prompt, body.get("prompts") or ()) if each is not None)
    return Prompted(shown, waiting if len(waiting) > 1 else ())


def prompt(body: object) -> Prompt | None:
    """What the agent asks; `None` when it is nothing, or of a kind that this version does not know."""
    if not isinstance(body, Mapping) or cast("Body", body).get("type") not in _PROMPT_NAMES:
        return None
    told = convert(cast("Body", body), PromptContext)
    return _PROMPTS[told.type](told, PromptId(told.id))


def _permission(told: PromptContext, identity: PromptId) -> Permission:
    return Permission(
        identity,
        told.tool or "",
        told.input or {},
        told.options,
        told.screen_lines,
        told.suggestions,
        told.subagent,
        told.subtype,
    )


def _plan(told: PromptContext, identity: PromptId) -> Plan:
    text = told.plan if told.plan is not None else told.summary or ""
    return Plan(identity, text, told.plan_file, told.options, told.screen_lines, told.subtype)


def _question(told: PromptContext, identity: PromptId) -> Question:
    queries = tuple(_query(each) for each in told.questions)
    return Question(identity, told.question or "", told.options, told.screen_lines, queries, told.subtype)


def _query(told: QuestionContext) -> Query:
    choices = tuple(Choice(each.label, each.description, each.preview) for each in told.options)
    return Query(told.question, choices, told.header, told.multi_select)


def _setup(told: PromptContext, identity: PromptId) -> Setup:
    return Setup(identity, told.subtype or "", told.summary or "", told.options, told.screen_lines)


_PROMPTS: Mapping[PromptType, Callable[[PromptContext, PromptId], Prompt]] = {
    "permission": _permission,
    "plan": _plan,
    "question": _question,
    "setup": _setup,
}


def fact(kind: str, body: Body, before: AgentState | None) -> Fact | None:
    """What an event of that kind tells; `None` when this version cannot say.

    A change tells no more than the name of the state it came from; `before`, the last state that was told, has the rest.
    """
    try:
        return _FACTS[kind](body, before) if kind in _FACTS else None
    except Internal:
        return None


def _state_changed(body: Body, before: AgentState | None) -> StateChanged:
    seq, name = body.get("seq"), str(body.get("prev", ""))
    if before is None or state_name(before) != name:
        before = bare_state(name)
    return StateChanged(before, state(body, "next"), seq if isinstance(seq, int) else 0)


def _answered(body: Body, before: AgentState | None) -> PromptAnswered | None:
    asked = prompt(body.get("prompt"))
    return (
        PromptAnswered(asked, str(body.get("by", "")), _text(body, "outcome"), _text(body, "answer"))
        if asked is not None
        else None
    )


def _stop(body: Body, before: AgentState | None) -> StopBlocked | StopAllowed:
    told = convert(body, ws.StopMessage)
    return StopBlocked(told.blocks, told.reason) if told.result == "blocked" else StopAllowed(told.result)


def _resized(body: Body, before: AgentState | None) -> Resized:
    told = convert(body, ws.ResizedMessage)
    return Resized(Size(told.cols, told.rows))


def _shutdown(body: Body, before: AgentState | None) -> ShutdownStarted:
    return ShutdownStarted(convert(body, ws.ShutdownMessage).grace_secs)


def _exit(body: Body, before: AgentState | None) -> SessionEnded:
    told = convert(body, ws.ExitMessage)
    return SessionEnded(ExitStatus(told.code, told.signal))


_FACTS: Mapping[str, Callable[[Body, AgentState | None], Fact | None]] = {
    "state_change": _state_changed,
    "answered": _answered,
    "stop": _stop,
    "resize": _resized,
    "shutdown": _shutdown,
    "exit": _exit,
}
