"""What a caller can ask of a session."""

from dataclasses import dataclass
from enum import Enum

from coop.model.screen import Size


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


class Reason(Enum):
    """Why a command was refused: a caller can expect each of these."""

    NOT_STARTED = "not_started"
    EXITED = "exited"
    WRITER_BUSY = "writer_busy"
    NO_DRIVER = "no_driver"
    BAD_COMMAND = "bad_command"


@dataclass(frozen=True, slots=True)
class Refused:
    reason: Reason
    detail: str


Outcome = Typed | Done | Leased | Refused
