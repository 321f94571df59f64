"""What a session publishes: facts in the past tense."""

from dataclasses import dataclass

from coop.model.ids import EventSeq
from coop.model.screen import Size
from coop.model.state import AgentState, ExitStatus


@dataclass(frozen=True, slots=True)
class StateChanged:
    previous: AgentState
    current: AgentState
    screen_seq: int


@dataclass(frozen=True, slots=True)
class Resized:
    size: Size


@dataclass(frozen=True, slots=True)
class ShutdownStarted:
    """The session is being ended; the child has `grace` seconds to go by itself."""

    grace: float


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The child is gone and all it wrote has been read. Nothing follows."""

    status: ExitStatus


Fact = StateChanged | Resized | ShutdownStarted | SessionEnded


@dataclass(frozen=True, slots=True)
class Event:
    """A fact with its place in the stream of one `epoch`, one run of a session."""

    seq: EventSeq
    epoch: str
    at: float
    fact: Fact
