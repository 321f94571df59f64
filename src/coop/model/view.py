"""A session as it is seen from outside, over a wire."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from coop.model.events import Event
from coop.model.ids import EventSeq, PromptId
from coop.model.screen import Size
from coop.model.state import AgentState, ExitStatus, Tier
from coop.model.stop import StopConfig, StopSignal


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the agent is doing, and all that is known of it, after the event `event_seq` of the run `epoch`."""

    state: AgentState
    agent: str
    epoch: str
    event_seq: EventSeq
    screen_seq: int
    since_seq: int
    """The screen's `seq` when the state began."""
    tier: Tier | None = None
    """Which source decided; `None` when it is one that this version does not know."""
    idle_grace_remaining: float | None = None
    session_id: str | None = None
    transcript_path: str | None = None
    cwd: str | None = None
    model: str | None = None
    permission_mode: str | None = None
    agent_version: str | None = None
    tested: bool | None = None
    last_message: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Restarted:
    """The session was started anew, and counts its events from one. A snapshot follows."""

    epoch: str


@dataclass(frozen=True, slots=True)
class Lagged:
    """Some events are lost to this reader: it was away, or slow, for too long. A snapshot follows."""

    epoch: str
    after: EventSeq
    """The last one that was read."""


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """An event of a kind that this version does not know, as it came."""

    seq: EventSeq
    epoch: str
    kind: str
    body: Mapping[str, object]


StreamItem = Event | Snapshot | Restarted | Lagged | UnknownEvent


@dataclass(frozen=True, slots=True)
class Health:
    status: str
    """`starting`, `running` or `exited`."""
    agent: str
    name: str
    size: Size
    pid: int | None
    uptime: float
    version: str
    labels: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class ProcessStatus:
    """The child. `exit` is `None` while it runs."""

    state: str
    """`starting`, `running` or `exited`."""
    pid: int | None
    exit: ExitStatus | None
    bytes_read: int
    bytes_written: int
    uptime: float


@dataclass(frozen=True, slots=True)
class OutputChunk:
    """Raw output. `offset` is later than what was asked for when that is no longer kept."""

    data: bytes
    offset: int
    next_offset: int
    total: int


@dataclass(frozen=True, slots=True)
class Answered:
    """What an answer did: its `effect` is `accepted`, `denied`, `denied_subagent`, `feedback` or `answered`; it went `via` a hook or keys."""

    prompt_type: str
    prompt_id: PromptId | None
    effect: str
    via: str


@dataclass(frozen=True, slots=True)
class StopGate:
    """Whether the agent may end its turn, how often it was sent back, and what was said of its work."""

    config: StopConfig
    blocks: int
    signal: StopSignal | None


@dataclass(frozen=True, slots=True)
class RecordingStatus:
    """Whether the session is written down, and where: on the machine it runs on."""

    is_on: bool
    path: str | None = None
    """The last one, when none is being made; `None` when there was none."""
    written: int = 0
    """In bytes."""
    begins: str | None = None
    """`start`, or `middle`: then it is replayed for the screen only."""
    ended: str | None = None
    """Why it is over."""
