"""What a session publishes: facts in the past tense."""

from dataclasses import dataclass

from coop.model.ids import EventSeq
from coop.model.prompt import Prompt
from coop.model.screen import Size
from coop.model.state import AgentState, ExitStatus


@dataclass(frozen=True, slots=True)
class StateChanged:
    previous: AgentState
    current: AgentState
    screen_seq: int


@dataclass(frozen=True, slots=True)
class PromptAnswered:
    """A prompt is over. `by` is `api` or `keyboard`; `outcome` is `None` when nothing has shown it."""

    prompt: Prompt
    by: str
    outcome: str | None = None
    answer: str | None = None
    """What was chosen or said, beyond yes and no, where that is known."""


@dataclass(frozen=True, slots=True)
class StopBlocked:
    """The agent wanted to end its turn and was told to go on, for the `count`th time in a row."""

    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class StopAllowed:
    """The agent stopped under a gate.

    `why` is `resolved`, `safety_valve` when it had been sent back too often, `no_hook` when it never asked.
    """

    why: str


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


Fact = StateChanged | PromptAnswered | StopBlocked | StopAllowed | Resized | ShutdownStarted | SessionEnded


@dataclass(frozen=True, slots=True)
class Event:
    """A fact with its place in the stream of one `epoch`, one run of a session."""

    seq: EventSeq
    epoch: str
    at: float
    fact: Fact
