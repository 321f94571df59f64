"""The messages of the WebSocket, both ways."""

import base64
from typing import Annotated, Any, Literal, cast

import msgspec
from msgspec import Meta

from coop.errors import BadRequest, CoopError, NotNow
from coop.model.commands import Lease, LeaseAction
from coop.model.events import (
    Event,
    PromptAnswered,
    Resized,
    SessionEnded,
    ShutdownStarted,
    StateChanged,
    StopAllowed,
    StopBlocked,
)
from coop.model.screen import ScreenSnapshot, Size
from coop.model.state import ExitStatus
from coop.wire import states
from coop.wire.http import (
    AgentStateReply,
    CursorPosition,
    InputRequest,
    KeysRequest,
    Nudged,
    NudgeRequest,
    RawInputRequest,
    ReceiptBody,
    ResizeRequest,
    Responded,
    RespondRequest,
)
from coop.wire.mistakes import told
from coop.wire.states import ErrorKindName, PromptContext, StateName, prompt_context, state_name

Echoed = str | int | None
"""A request's own name for itself, given back in the reply."""


class _FromClient(msgspec.Struct, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    request_id: Echoed = None


class InputMessage(InputRequest, tag="input", tag_field="type", kw_only=True):
    request_id: Echoed = None


class InputRawMessage(RawInputRequest, tag="input_raw", tag_field="type", kw_only=True):
    request_id: Echoed = None


class KeysMessage(KeysRequest, tag="keys", tag_field="type", kw_only=True):
    request_id: Echoed = None


class ResizeMessage(ResizeRequest, tag="resize", tag_field="type", kw_only=True):
    request_id: Echoed = None


class NudgeMessage(NudgeRequest, tag="nudge", tag_field="type", kw_only=True):
    request_id: Echoed = None


class RespondMessage(RespondRequest, tag="respond", tag_field="type", kw_only=True):
    request_id: Echoed = None


class ScreenRequestMessage(_FromClient, tag="screen_request"): ...


class StateRequestMessage(_FromClient, tag="state_request"): ...


class DumpRequestMessage(_FromClient, tag="dump_request"): ...


class ReplayMessage(_FromClient, tag="replay"):
    offset: Annotated[int, Meta(ge=0)] = 0


class LockMessage(_FromClient, tag="lock"):
    action: Literal["acquire", "release"]

    def command(self) -> Lease:
        return Lease(LeaseAction(self.action))


class AuthMessage(_FromClient, tag="auth"):
    token: str


class PingMessage(_FromClient, tag="ping"): ...


CommandMessage = InputMessage | InputRawMessage | KeysMessage | ResizeMessage | NudgeMessage | RespondMessage | LockMessage
FromClient = (
    CommandMessage | ScreenRequestMessage | StateRequestMessage | DumpRequestMessage | ReplayMessage | AuthMessage | PingMessage
)


class _Echoing(msgspec.Struct):
    """All that is read of a message that is none."""

    request_id: Echoed = None


class StreamQuery(msgspec.Struct):
    """How a client subscribes: `/ws?mode=…&delta=…`."""

    mode: Literal["raw", "screen", "state", "all", "terminal"] = "all"
    delta: bool = False

    @property
    def raw(self) -> bool:
        return self.mode in ("raw", "all", "terminal")

    @property
    def dumps(self) -> bool:
        """A dump comes first, and again whenever the size changes: where in the stream that was, bytes do not tell."""
        return self.mode == "terminal"

    @property
    def screen(self) -> bool:
        return self.mode in ("screen", "all")

    @property
    def state(self) -> bool:
        return self.mode in ("state", "all", "terminal")


class OutputMessage(msgspec.Struct, tag="output", tag_field="type"):
    data: str
    offset: int


class DumpMessage(msgspec.Struct, tag="dump", tag_field="type", omit_defaults=True):
    """`data` (base64) makes an empty terminal of that size show what the stream showed at `offset`; output goes on from there."""

    data: str
    offset: int
    cols: int
    rows: int
    request_id: Echoed = None


class ScreenMessage(msgspec.Struct, tag="screen", tag_field="type", omit_defaults=True):
    lines: tuple[str, ...]
    cols: int
    rows: int
    alt_screen: bool
    cursor: CursorPosition
    seq: int
    request_id: Echoed = None


class ScreenDeltaMessage(msgspec.Struct, tag="screen_delta", tag_field="type"):
    """The rows that differ from the screen of `base_seq`, by their number."""

    base_seq: int
    seq: int
    changed: dict[int, str]
    alt_screen: bool
    cursor: CursorPosition


class StateChangeMessage(msgspec.Struct, tag="state_change", tag_field="type", omit_defaults=True):
    prev: StateName
    next: StateName
    seq: int
    prompt: PromptContext | None
    detail: str | None
    event_seq: int
    epoch: str
    prompts: tuple[PromptContext, ...] = ()
    error_kind: ErrorKindName | None = None
    resets_at: str | None = None
    exit_code: int | None = None
    exit_signal: int | None = None


class StateMessage(AgentStateReply, tag="state", tag_field="type", omit_defaults=True, kw_only=True):
    request_id: Echoed = None


SnapshotReason = Literal["start", "restarted", "lagged"]


class SnapshotMessage(msgspec.Struct, tag="snapshot", tag_field="type"):
    """Where a stream of events begins, or begins anew: what has been is told by `state`."""

    reason: SnapshotReason
    state: AgentStateReply
    ended: bool = False
    """Nothing follows: the child is gone, and all it wrote has been read."""


class ExitMessage(msgspec.Struct, tag="exit", tag_field="type"):
    code: int | None
    signal: int | None


class ResizedMessage(msgspec.Struct, tag="resize", tag_field="type"):
    cols: int
    rows: int
    event_seq: int
    epoch: str


class ShutdownMessage(msgspec.Struct, tag="shutdown", tag_field="type"):
    """The session is being ended; `exit` follows when the child is gone."""

    grace_secs: float
    event_seq: int
    epoch: str


class LaggedMessage(msgspec.Struct, tag="lagged", tag_field="type", omit_defaults=True):
    """This reader was too slow: bytes from `offset` to `next_offset` are lost to it, or `missed_events` events.
    `dump` (base64) makes an empty terminal of `cols` × `rows` show what the stream showed at `next_offset`."""

    offset: int | None = None
    next_offset: int | None = None
    missed_events: int = 0
    dump: str | None = None
    cols: int | None = None
    rows: int | None = None


class ErrorMessage(msgspec.Struct, tag="error", tag_field="type", omit_defaults=True):
    """What was asked for was not done. The rest is there where it was a nudge or an answer: as in the body of the HTTP error."""

    message: str
    code: str
    request_id: Echoed = None
    reason: str | None = None
    state: str | None = None
    receipt: ReceiptBody | None = None
    verification: Literal["pending"] | None = None
    screen_lines: tuple[str, ...] = ()


class LockReply(msgspec.Struct, tag="lock", tag_field="type", omit_defaults=True):
    held: bool
    expires_in_secs: float | None
    request_id: Echoed = None


class InputReply(msgspec.Struct, tag="input_result", tag_field="type", omit_defaults=True):
    bytes_written: int
    request_id: Echoed = None


class NudgeReply(Nudged, tag="nudge_result", tag_field="type", omit_defaults=True):
    request_id: Echoed = None


class RespondReply(Responded, tag="respond_result", tag_field="type", omit_defaults=True):
    request_id: Echoed = None


class PromptAnsweredMessage(msgspec.Struct, tag="answered", tag_field="type", omit_defaults=True):
    """A prompt is over: who answered it (`api`, `keyboard`), what became of it, where that has shown, and what was said."""

    prompt: PromptContext
    by: Literal["api", "keyboard"]
    outcome: str | None
    event_seq: int
    epoch: str
    answer: str | None = None


StopResult = Literal["blocked", "resolved", "safety_valve", "no_hook"]
_STOPPED: dict[str, StopResult] = {"resolved": "resolved", "safety_valve": "safety_valve", "no_hook": "no_hook"}


class StopMessage(msgspec.Struct, tag="stop", tag_field="type", omit_defaults=True):
    """The agent ended its turn under a gate: it was sent back (`blocked`), let go (`resolved`, `safety_valve`), or never asked (`no_hook`)."""

    result: StopResult
    blocks: int
    event_seq: int
    epoch: str
    reason: str = ""
    """What the agent was told."""


class PongMessage(msgspec.Struct, tag="pong", tag_field="type", omit_defaults=True):
    request_id: Echoed = None


ToClient = (
    OutputMessage
    | DumpMessage
    | ScreenMessage
    | ScreenDeltaMessage
    | StateChangeMessage
    | StateMessage
    | PromptAnsweredMessage
    | StopMessage
    | ExitMessage
    | ResizedMessage
    | ShutdownMessage
    | LaggedMessage
    | ErrorMessage
    | LockReply
    | InputReply
    | NudgeReply
    | RespondReply
    | PongMessage
)

_echo_decoder = msgspec.json.Decoder(_Echoing)
_decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)
_reader: msgspec.json.Decoder[ToClient] = msgspec.json.Decoder(ToClient)
encode = msgspec.json.Encoder().encode


def decode(text: str | bytes) -> FromClient:
    """A message of a client. Raises `BadRequest` that names the field."""
    try:
        return _decoder.decode(text)
    except msgspec.ValidationError as error:
        raise BadRequest(f"message: {told(error, FromClient, text)}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRequest(f"message: {error}") from None
    except RecursionError:
        raise BadRequest("message: nested too deeply") from None


def request_of(text: str | bytes) -> Echoed:
    """What a message that cannot be decoded wants to be answered by; `None` when that cannot be told either."""
    try:
        return _echo_decoder.decode(text).request_id
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def read(text: str | bytes) -> ToClient | None:
    """A message of coop's; `None` for one that only a newer coop knows."""
    try:
        return _reader.decode(text)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def output(data: bytes, offset: int) -> bytes:
    """An `output` message, put together by hand: this is the one that is sent by the thousand."""
    return b'{"type":"output","data":"%b","offset":%d}' % (base64.b64encode(data), offset)


def error(refusal: CoopError, request_id: Echoed = None) -> ErrorMessage:
    if isinstance(refusal, NotNow):
        more = cast("dict[str, Any]", refusal.more)
        return ErrorMessage(refusal.message, refusal.code, request_id, refusal.reason, refusal.state, **more)
    return ErrorMessage(refusal.message, refusal.code, request_id)


def dump(data: bytes, offset: int, size: Size, request_id: Echoed = None) -> DumpMessage:
    return DumpMessage(base64.b64encode(data).decode(), offset, size.cols, size.rows, request_id)


def screen(snapshot: ScreenSnapshot, request_id: Echoed = None) -> ScreenMessage:
    size, cursor = snapshot.size, snapshot.cursor
    position = CursorPosition(cursor.row, cursor.col)
    return ScreenMessage(snapshot.lines, size.cols, size.rows, snapshot.alt_screen, position, snapshot.seq, request_id)


def screen_delta(before: ScreenSnapshot, now: ScreenSnapshot) -> ScreenDeltaMessage | ScreenMessage:
    """What changed; the whole screen when its size did."""
    if before.size != now.size:
        return screen(now)
    rows = enumerate(zip(now.lines, now.generations, strict=True))
    changed = {row: line for row, (line, generation) in rows if generation > before.seq}
    return ScreenDeltaMessage(before.seq, now.seq, changed, now.alt_screen, CursorPosition(now.cursor.row, now.cursor.col))


def state(reply: AgentStateReply, request_id: Echoed = None) -> StateMessage:
    return StateMessage(**msgspec.structs.asdict(reply), request_id=request_id)


def exit_of(status: ExitStatus) -> ExitMessage:
    return ExitMessage(status.code, status.signal)


EventMessage = StateChangeMessage | PromptAnsweredMessage | StopMessage | ResizedMessage | ShutdownMessage | ExitMessage


def event(event: Event) -> EventMessage:
    match event.fact:
        case StateChanged():
            return _state_change(event.fact, event)
        case PromptAnswered(prompt, by, outcome, answer):
            who: Literal["api", "keyboard"] = "api" if by == "api" else "keyboard"
            return PromptAnsweredMessage(prompt_context(prompt), who, outcome, event.seq, event.epoch, answer)
        case StopBlocked(count, reason):
            return StopMessage("blocked", count, event.seq, event.epoch, reason)
        case StopAllowed(why):
            return StopMessage(_STOPPED.get(why, "resolved"), 0, event.seq, event.epoch)
        case Resized(size):
            return ResizedMessage(size.cols, size.rows, event.seq, event.epoch)
        case ShutdownStarted(grace):
            return ShutdownMessage(grace, event.seq, event.epoch)
        case SessionEnded(status):
            return exit_of(status)


def _state_change(fact: StateChanged, event: Event) -> StateChangeMessage:
    now, ended = fact.current, states.exit_of(fact.current)
    prompts = states.prompts_of(now)
    return StateChangeMessage(
        state_name(fact.previous),
        state_name(now),
        fact.screen_seq,
        states.prompt_of(now),
        states.detail_of(now),
        event.seq,
        event.epoch,
        prompts if len(prompts) > 1 else (),
        states.error_kind_of(now),
        states.resets_at_of(now),
        ended.code,
        ended.signal,
    )
