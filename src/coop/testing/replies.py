"""What the model answers, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Think:
    text: str


@dataclass(frozen=True, slots=True)
class Use:
    """A tool is called. `$PLANFILE` anywhere in its input becomes the plan file the request names."""

    tool: str
    input: Mapping[str, object]


Block = Say | Think | Use


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole message, streamed in pieces of `piece` characters, `pace` seconds apart."""

    blocks: tuple[Block, ...]
    delay: float = 0.0
    pace: float = 0.0
    piece: int = 40
    stop_reason: str | None = None
    """`None` says what follows from the blocks: `tool_use` or `end_turn`."""
    usage: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection breaks after these blocks."""

    reply: Reply


@dataclass(frozen=True, slots=True)
class Break:
    """The stream says it has failed after these blocks."""

    reply: Reply
    kind: str = "overloaded_error"
    message: str = "Overloaded"


@dataclass(frozen=True, slots=True)
class Fail:
    """No message at all but an HTTP error."""

    status: int
    kind: str = "api_error"
    message: str = "pretend error"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


Turn = Reply | Drop | Break | Fail


def say(text: str, *, delay: float = 0.0, pace: float = 0.0) -> Reply:
    return Reply((Say(text),), delay=delay, pace=pace)


def use(tool: str, **given: object) -> Reply:
    return Reply((Use(tool, given),))
