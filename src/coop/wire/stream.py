"""What a reader of a session has heard, as messages again: for those who pass it on."""

from typing import Literal

import msgspec

from coop.model.events import Event
from coop.model.state import AgentState
from coop.model.view import Lagged, Restarted, Snapshot, StreamItem, UnknownEvent
from coop.wire import states, ws
from coop.wire.http import AgentStateReply
from coop.wire.states import ErrorKindName, PromptContext, StateName


class StateTold(msgspec.Struct):
    """A state by itself, with the names it has in /agent/state."""

    state: StateName
    prompt: PromptContext | None
    detail: str | None
    error_kind: ErrorKindName | None
    resets_at: str | None
    exit_code: int | None
    exit_signal: int | None


class GapMessage(msgspec.Struct, tag_field="type", tag="gap", omit_defaults=True):
    """Events were lost to this reader, which had read `after`; or another run of coop has begun. A `snapshot` follows."""

    reason: Literal["restarted", "lagged"]
    epoch: str
    after: int | None = None


def state_told(state: AgentState) -> StateTold:
    ended = states.exit_of(state)
    return StateTold(
        states.state_name(state),
        states.prompt_of(state),
        states.detail_of(state),
        states.error_kind_of(state),
        states.resets_at_of(state),
        ended.code,
        ended.signal,
    )


def message(item: StreamItem) -> msgspec.Struct | dict[str, object]:
    match item:
        case Event():
            return ws.event(item)
        case Snapshot():
            return ws.state(state_reply(item))
        case Restarted(epoch):
            return GapMessage("restarted", epoch)
        case Lagged(epoch, after):
            return GapMessage("lagged", epoch, after)
        case UnknownEvent(kind=kind, body=body):
            return {"type": kind, **body}


def state_reply(seen: Snapshot) -> AgentStateReply:
    told = state_told(seen.state)
    return AgentStateReply(
        agent=seen.agent,
        state=told.state,
        since_seq=seen.since_seq,
        screen_seq=seen.screen_seq,
        detection_tier=seen.tier.value if seen.tier is not None else "process",
        idle_grace_remaining_secs=seen.idle_grace_remaining,
        prompt=told.prompt,
        detail=told.detail,
        epoch=seen.epoch,
        event_seq=seen.event_seq,
        prompts=states.prompts_of(seen.state),
        error_kind=told.error_kind,
        resets_at=told.resets_at,
        session_id=seen.session_id,
        transcript_path=seen.transcript_path,
        cwd=seen.cwd,
        model=seen.model,
        permission_mode=seen.permission_mode,
        agent_version=seen.agent_version,
        tested=seen.tested,
        last_message=seen.last_message,
        usage=dict(seen.usage) or None,
        exit_code=told.exit_code,
        exit_signal=told.exit_signal,
    )
