"""The bodies of the HTTP API. What decodes a request is what documents it."""

import base64
import binascii
import signal
from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from coop.errors import BadRequest
from coop.model.commands import (
    Answer,
    ConfigureStop,
    Keys,
    Nudge,
    Receipt,
    Resize,
    ResolveStop,
    Respond,
    Signal,
    Type,
    TypeRaw,
    When,
)
from coop.model.ids import PromptId
from coop.model.screen import Size
from coop.model.stop import DEFAULT_REASON, MOST_BLOCKS, StopConfig, StopMode, StopSignal
from coop.wire.mistakes import told
from coop.wire.states import ErrorKindName, PromptContext, PromptType, StateName, TierName

MAX_SIDE = 2000
Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]
MAX_CELLS = 250_000
Text = Annotated[str, Meta(max_length=1_000_000)]


class ScreenQuery(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal["text", "ansi"] = "text"
    cursor: bool = True
    scrollback: Annotated[int, Meta(ge=0, le=100_000)] = 0


class OutputQuery(msgspec.Struct, forbid_unknown_fields=True):
    offset: Annotated[int, Meta(ge=0)] = 0
    limit: Annotated[int, Meta(ge=0)] | None = None


class EventsQuery(msgspec.Struct, forbid_unknown_fields=True):
    last_event_id: str | None = None
    token: Annotated[str | None, Meta(description="for readers that cannot send a header")] = None


class InputRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Types text, and Enter behind it when `enter`."""

    text: Text
    enter: bool = False

    def command(self) -> Type:
        return Type(self.text, self.enter)


class RawInputRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Writes bytes, given in base64, as they are."""

    data: Annotated[str, Meta(max_length=2_000_000, description="base64")]

    def command(self) -> TypeRaw:
        return TypeRaw(decode_base64(self.data))


class KeysRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Presses named keys, one after the other: `Enter`, `Escape`, `Up`, `F5`, `Ctrl-C`, `Alt-b`, `Shift-Tab`."""

    keys: Annotated[tuple[Annotated[str, Meta(max_length=64)], ...], Meta(max_length=10_000)]

    def command(self) -> Keys:
        return Keys(self.keys)


class ResizeRequest(msgspec.Struct, forbid_unknown_fields=True):
    cols: Side
    rows: Side

    def command(self) -> Resize:
        return Resize(checked_size(self.cols, self.rows))


class SignalRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Sends a signal to the child's process group."""

    signal: Annotated[str, Meta(max_length=32, description="SIGINT, INT or 2")]

    def command(self) -> Signal:
        return Signal(signal_number(self.signal))


class ShutdownRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Ends the session: the child is hung up on, and killed when it has not gone after `grace_secs`."""

    grace_secs: Annotated[float, Meta(ge=0, le=10)] = 10.0


class NudgeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Tells the agent something; answered when the agent has shown that it took the message."""

    message: Text
    when: Literal["idle", "queue", "interrupt", "steer"] = "idle"
    raw: Annotated[bool, Meta(description="run /commands and !shell instead of making them harmless")] = False
    keep_draft: Annotated[bool, Meta(description="refuse rather than clear what stands in the agent's input")] = False
    wait: Annotated[float, Meta(ge=0, le=60, description="seconds to wait for proof")] = 3.0
    idempotency_key: Annotated[str, Meta(min_length=1, max_length=256)] | None = None

    def command(self) -> Nudge:
        return Nudge(self.message, When(self.when), self.raw, self.keep_draft, self.wait, self.idempotency_key)


OptionNumber = Annotated[int, Meta(ge=1)]


class AnswerRequest(msgspec.Struct, forbid_unknown_fields=True):
    """To one question: an option by its number or label, several of them, or words."""

    option: OptionNumber | str | None = None
    options: tuple[OptionNumber | str, ...] = ()
    text: Text | None = None

    def answer(self) -> Answer:
        return Answer((*((self.option,) if self.option is not None else ()), *self.options), self.text)


class RespondRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Answers what the agent asks. A `prompt_id` makes sure that it is what the caller saw."""

    accept: bool | None = None
    option: OptionNumber | None = None
    text: Text | None = None
    answers: tuple[AnswerRequest, ...] = ()
    always: Annotated[bool, Meta(description="with accept: do not ask again, as far as the agent offers it")] = False
    prompt_id: str | None = None
    by_keys: Annotated[bool, Meta(description="type the answer even where a hook could carry it")] = False

    def command(self) -> Respond:
        if self.accept is None and self.option is None and self.text is None and not self.answers:
            raise BadRequest("body: expected accept, option, text or answers")
        prompt = PromptId(self.prompt_id) if self.prompt_id is not None else None
        answers = tuple(each.answer() for each in self.answers)
        return Respond(self.accept, self.option, self.text, answers, self.always, prompt, self.by_keys)


class StopConfigBody(msgspec.Struct, forbid_unknown_fields=True):
    """Whether the agent may end its turn (`allow`), or is sent back until somebody says that it is done (`gate`)."""

    mode: Literal["allow", "gate"]
    reason: Annotated[str, Meta(min_length=1, max_length=10_000, description="what the agent is told")] = DEFAULT_REASON
    most_blocks: Annotated[int, Meta(ge=1, le=1000, description="so often in a row at most")] = MOST_BLOCKS

    def command(self) -> ConfigureStop:
        return ConfigureStop(StopConfig(StopMode(self.mode), self.reason, self.most_blocks))


class SignalBody(msgspec.Struct, forbid_unknown_fields=True):
    """What the agent, or somebody for it, says of its work: `complete` and `escalate` open the gate."""

    kind: Annotated[str, Meta(min_length=1, max_length=64)]
    message: Text | None = None

    def command(self) -> ResolveStop:
        return ResolveStop(StopSignal(self.kind, self.message))


class StopStatus(StopConfigBody):
    blocks: int = 0
    signal: SignalBody | None = None


class RecordingRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Begins to write the session down, or stops."""

    on: bool


class RecordingReply(msgspec.Struct):
    """Is the session written down, and where?"""

    on: bool
    path: Annotated[str | None, Meta(description="the last one, when none is being made")] = None
    bytes_written: int = 0
    begins: Annotated[
        Literal["start", "middle"] | None, Meta(description="what begins in the middle is replayed for the screen only")
    ] = None
    ended: Annotated[str | None, Meta(description="why it is over")] = None


class ReceiptBody(msgspec.Struct, omit_defaults=True):
    """What became of a nudge."""

    id: str
    progress: Literal["typing", "submitted", "confirmed", "unverifiable", "refused"]
    message: str
    received_as: str | None = None
    evidence: str | None = None
    cleared_draft: str | None = None
    queued: bool = False
    reason: str | None = None


class Terminal(msgspec.Struct):
    cols: int
    rows: int


class Health(msgspec.Struct):
    status: str
    pid: int | None
    uptime_secs: int
    agent: str
    terminal: Terminal
    ws_clients: int
    name: str
    labels: dict[str, str]
    version: str


class CursorPosition(msgspec.Struct):
    row: int
    col: int


class Screen(msgspec.Struct, omit_defaults=True):
    lines: tuple[str, ...]
    rows: int
    cols: int
    cursor: CursorPosition | None
    alt_screen: bool
    sequence: int
    title: str = ""
    scrollback: tuple[str, ...] = ()


class Output(msgspec.Struct):
    data: Annotated[str, Meta(description="base64")]
    offset: int
    next_offset: int
    total_written: int


class BytesWritten(msgspec.Struct):
    bytes_written: int


class Delivered(msgspec.Struct):
    delivered: bool


class Ending(msgspec.Struct):
    grace_secs: float


class Nudged(msgspec.Struct, omit_defaults=True):
    delivered: bool
    state_before: StateName
    receipt: ReceiptBody | None = None


class Responded(msgspec.Struct, omit_defaults=True):
    delivered: bool
    prompt_type: PromptType
    prompt_id: str | None = None
    effect: Annotated[str, Meta(description="accepted, denied, denied_subagent, feedback or answered")] = ""
    via: Annotated[str, Meta(description="hook or keys")] = ""


class Status(msgspec.Struct):
    state: str
    pid: int | None
    exit_code: int | None
    screen_seq: int
    bytes_read: int
    bytes_written: int
    ws_clients: int
    exit_signal: int | None
    uptime_secs: int


class AgentStateReply(msgspec.Struct, kw_only=True):
    agent: str
    state: StateName
    since_seq: int
    screen_seq: int
    detection_tier: TierName
    idle_grace_remaining_secs: float | None
    prompt: PromptContext | None
    detail: str | None
    epoch: str
    event_seq: int
    prompts: tuple[PromptContext, ...] = ()
    error_kind: ErrorKindName | None = None
    resets_at: str | None = None
    session_id: str | None = None
    transcript_path: str | None = None
    cwd: str | None = None
    model: str | None = None
    permission_mode: str | None = None
    agent_version: str | None = None
    tested: bool | None = None
    last_message: str | None = None
    usage: dict[str, int] | None = None
    exit_code: int | None = None
    exit_signal: int | None = None


class TierWord(msgspec.Struct):
    """What one source last said; `null` when it has said nothing. `unavailable` is why it never will."""

    tier: TierName
    said: str | None
    ago_secs: float | None
    since_secs: float | None
    final: bool | None
    decides: bool
    unavailable: Annotated[str | None, Meta(description="why it cannot speak at all")] = None


class PendingWord(msgspec.Struct):
    """What will be believed next, if nothing is said before."""

    state: StateName
    in_secs: float
    rule: str


class AttachedTo(msgspec.Struct):
    """Somebody else's terminal, which coop serves but neither resizes nor ends."""

    to: str
    output: Annotated[str, Meta(description="how what the program writes comes to coop")]


class Explanation(msgspec.Struct):
    """Why the agent's state is what it is said to be."""

    state: StateName
    detection_tier: TierName
    for_secs: float
    rule: str
    until: str
    pending: PendingWord | None
    tiers: tuple[TierWord, ...]
    held_hooks: int
    hook_records: int
    work_after_the_turn: str | None
    event_seq: int
    attached: AttachedTo | None = None


T = TypeVar("T")


def decode(body: bytes, kind: type[T]) -> T:
    """A request of that kind. Raises `BadRequest` that names the field."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise BadRequest(f"body: {told(error, kind, body)}") from None
    except msgspec.DecodeError as error:
        raise BadRequest(f"body: expected a JSON object: {error}") from None
    except UnicodeDecodeError:
        raise BadRequest("body: expected JSON in UTF-8") from None
    except RecursionError:
        raise BadRequest("body: nested too deeply") from None


def query(given: Mapping[str, str], kind: type[T]) -> T:
    """What stands behind the `?`, as that kind. Raises `BadRequest` that names the field."""
    try:
        return msgspec.convert(given, type=kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadRequest(f"query: {told(error, kind, given)}") from None


def checked_size(cols: int, rows: int) -> Size:
    if cols * rows > MAX_CELLS:
        raise BadRequest(f"cols, rows: {cols}×{rows} is more than {MAX_CELLS} cells")
    return Size(cols, rows)


def decode_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadRequest(f"data: expected base64: {error}") from None


def signal_number(name: str) -> int:
    """`SIGINT`, `int` or `2`. Raises `BadRequest` for what this system does not have."""
    text = name.strip().upper()
    if text.isascii() and text.isdigit():
        number = int(text)
        if number in signal.valid_signals():
            return number
    else:
        found = getattr(signal, text if text.startswith("SIG") else f"SIG{text}", None)
        if isinstance(found, signal.Signals):
            return found.value
    raise BadRequest(f"signal: expected a name like SIGINT or a number, got {name!r}")


def receipt_body(receipt: Receipt) -> ReceiptBody:
    return ReceiptBody(
        receipt.id,
        receipt.progress.value,
        receipt.message,
        receipt.received_as,
        receipt.evidence,
        receipt.cleared_draft,
        receipt.queued,
        receipt.reason,
    )
