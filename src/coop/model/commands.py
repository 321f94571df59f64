"""What a caller can ask of a session."""

from dataclasses import dataclass
from enum import Enum

from coop.model.ids import PromptId, ReceiptId
from coop.model.prompt import Prompt
from coop.model.screen import Size
from coop.model.state import AgentState
from coop.model.stop import StopConfig, StopSignal


@dataclass(frozen=True, slots=True)
class Type:
    """Text as if typed, and Enter behind it when `enter`."""

    text: str
    enter: bool = False


@dataclass(frozen=True, slots=True)
class TypeRaw:
    data: bytes


@dataclass(frozen=True, slots=True)
class Keys:
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resize:
    size: Size
    while_there: bool = False
    """Only as long as the connection that asks lasts: then the terminal gets the size back that it had."""


@dataclass(frozen=True, slots=True)
class Signal:
    number: int


class When(Enum):
    """At what moment a message is typed."""

    IDLE = "idle"
    QUEUE = "queue"
    """At once; a busy agent keeps it for the end of its turn."""
    INTERRUPT = "interrupt"
    """A busy agent is stopped first."""
    STEER = "steer"
    """A busy agent is told at once, in the middle of its turn: where the agent has that."""


@dataclass(frozen=True, slots=True)
class Nudge:
    message: str
    when: When = When.IDLE
    raw: bool = False
    """Commands of the agent (`/clear`, `!ls`) are run, not made harmless."""
    keep_draft: bool = False
    """Refuse rather than clear what somebody has begun to type."""
    wait: float = 3.0
    """How long the agent has to show that it took the message."""
    key: str | None = None
    """The same key again gives the first receipt instead of typing once more."""


@dataclass(frozen=True, slots=True)
class Answer:
    """To one question: options by number or label, or words of one's own."""

    options: tuple[int | str, ...] = ()
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Respond:
    accept: bool | None = None
    option: int | None = None
    text: str | None = None
    answers: tuple[Answer, ...] = ()
    always: bool = False
    """Yes, and do not ask again: as far as the agent offers it."""
    prompt_id: PromptId | None = None
    """Which prompt is meant; `None` the one on screen."""
    by_keys: bool = False
    """Type the answer even where a hook could carry it."""


class LeaseAction(Enum):
    ACQUIRE = "acquire"
    RELEASE = "release"


@dataclass(frozen=True, slots=True)
class Lease:
    action: LeaseAction


@dataclass(frozen=True, slots=True)
class ConfigureStop:
    config: StopConfig


@dataclass(frozen=True, slots=True)
class ResolveStop:
    signal: StopSignal


Command = Type | TypeRaw | Keys | Resize | Signal | Nudge | Respond | Lease | ConfigureStop | ResolveStop


@dataclass(frozen=True, slots=True)
class Stroke:
    """Bytes, and how long to pause when they are written."""

    data: bytes
    pause: float = 0.0
    clears: str = ""
    """What somebody had typed, and is erased by it."""
    proves: str = ""
    """What the screen shows to have been taken."""
    leads: bool = False
    """It only leads up to the key that sends or answers: by itself it does neither."""


Strokes = tuple[Stroke, ...]


@dataclass(frozen=True, slots=True)
class Typed:
    """The outcome of typing: how many bytes the terminal took."""

    bytes_written: int


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of what has nothing to tell."""


@dataclass(frozen=True, slots=True)
class Leased:
    held: bool
    """Does the caller hold the lease now?"""
    expires_in: float | None = None


class Progress(Enum):
    """How far a delivery has come."""

    TYPING = "typing"
    SUBMITTED = "submitted"
    """All of it is typed; nothing shows yet that the agent took it."""
    CONFIRMED = "confirmed"
    UNVERIFIABLE = "unverifiable"
    """Nothing has shown that the agent took it, and nothing more is expected to."""
    REFUSED = "refused"
    """Nothing was submitted."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a nudge."""

    id: ReceiptId
    message: str
    progress: Progress
    created_at: float = 0.0
    """By the session's own clock; a reader elsewhere does not have it."""
    received_as: str | None = None
    """What the agent says it was told."""
    evidence: str | None = None
    """Which source said so."""
    cleared_draft: str | None = None
    """What stood in the agent's input before, and was cleared for this."""
    queued: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Delivered:
    """The agent was told, and has shown that it heard."""

    state_before: AgentState
    receipt: Receipt | None = None
    effect: str = ""
    """What an answer did: `accepted`, `denied`, `denied_subagent`, `feedback`, `answered`."""
    via: str = ""
    """How an answer went: by `hook` or by `keys`."""
    prompt: Prompt | None = None
    """What was answered."""


class Reason(Enum):
    """Why a command was refused: a caller can expect each of these."""

    NOT_STARTED = "not_started"
    EXITED = "exited"
    WRITER_BUSY = "writer_busy"
    NO_DRIVER = "no_driver"
    BAD_COMMAND = "bad_command"
    AGENT_BUSY = "agent_busy"
    NO_PROMPT = "no_prompt"
    UNVERIFIED = "unverified"
    """Typed, but nothing shows that the agent took it."""
    DRAFT_PRESENT = "draft_present"
    PROMPT_CHANGED = "prompt_changed"
    DIALOG_UNRECOGNIZED = "dialog_unrecognized"
    TOO_LONG = "message_too_long"
    KEY_REUSED = "key_reused"
    RETURNED = "returned"
    """It came back into the agent's input, and was not sent."""
    BLOCKED = "blocked"
    """A hook of somebody's kept it from the model."""
    NOT_OURS = "not_ours"
    """It is for whoever the terminal belongs to."""


@dataclass(frozen=True, slots=True)
class Refused:
    reason: Reason
    detail: str
    state: AgentState | None = None
    """What the agent was doing, where that is why."""
    receipt: Receipt | None = None
    lines: tuple[str, ...] = ()
    """What is on the screen, where that is why."""


Outcome = Typed | Done | Leased | Delivered | Refused
