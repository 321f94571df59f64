"""What a caller can ask of a session."""

from dataclasses import dataclass
from enum import Enum

from coop.model.screen import Size
from coop.model.state import AgentState


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


@dataclass(frozen=True, slots=True)
class Signal:
    number: int


@dataclass(frozen=True, slots=True)
class Nudge:
    message: str


@dataclass(frozen=True, slots=True)
class Respond:
    accept: bool | None = None
    option: int | None = None
    text: str | None = None


class LeaseAction(Enum):
    ACQUIRE = "acquire"
    RELEASE = "release"


@dataclass(frozen=True, slots=True)
class Lease:
    action: LeaseAction


Command = Type | TypeRaw | Keys | Resize | Signal | Nudge | Respond | Lease


@dataclass(frozen=True, slots=True)
class Stroke:
    """Bytes, and how long to pause when they are written."""

    data: bytes
    pause: float = 0.0


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


@dataclass(frozen=True, slots=True)
class Delivered:
    """The agent was told, and has shown that it heard: it has left the state it was in."""

    state_before: AgentState


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


@dataclass(frozen=True, slots=True)
class Refused:
    reason: Reason
    detail: str
    state: AgentState | None = None
    """What the agent was doing, where that is why."""


Outcome = Typed | Done | Leased | Delivered | Refused
