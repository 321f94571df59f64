"""What comes into a session's inbox."""

from dataclasses import dataclass

from coop.model.commands import Command
from coop.model.ids import ConnectionId, HookId, RequestId
from coop.model.screen import Size
from coop.model.state import ExitStatus


@dataclass(slots=True)
class Output:
    """Bytes of the child. Not frozen: there is one for every read, and freezing costs twice the time."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Started:
    pid: int


@dataclass(frozen=True, slots=True)
class SizeChanged:
    """The terminal, which is not ours, has another size for the output from here on."""

    size: Size


@dataclass(frozen=True, slots=True)
class OutputEnded:
    """The terminal is closed on the child's side: everything it wrote has been read."""


@dataclass(frozen=True, slots=True)
class ChildExited:
    status: ExitStatus


@dataclass(frozen=True, slots=True)
class ChildStopped:
    """It waits for somebody to say that it goes on: by this signal, though the kernel may have let it pass."""

    signal: int


@dataclass(frozen=True, slots=True)
class Written:
    """The terminal has taken the next `count` bytes of what was last written."""

    count: int


@dataclass(frozen=True, slots=True)
class HookRecord:
    """One line of the hook pipe, as it came."""

    line: bytes


@dataclass(frozen=True, slots=True)
class HookAsked:
    """A hook that waits for its reply: it is answered exactly once, unless it goes away."""

    id: HookId
    event: str
    body: bytes


@dataclass(frozen=True, slots=True)
class HookGone:
    """Whoever waited for that reply does so no more: somebody has answered at the keyboard."""

    id: HookId


@dataclass(frozen=True, slots=True)
class LogLine:
    """One whole line of the session log. `wall` is the time it was read, as the log itself counts it."""

    line: bytes
    wall: float


@dataclass(frozen=True, slots=True)
class LogTold:
    """Whole lines of the session log that were written before we came: the first, and the last ones. They are no news."""

    text: bytes
    wall: float


@dataclass(frozen=True, slots=True)
class LogFound:
    """The session log, of which only a part of the name was known."""

    path: str


@dataclass(frozen=True, slots=True)
class StatusText:
    """The agent's status file, whole."""

    text: bytes
    wall: float


@dataclass(frozen=True, slots=True)
class PlanText:
    """The file of a plan, whole, each time that somebody has changed it."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    id: RequestId
    command: Command
    connection: ConnectionId | None = None
    """The connection that asks, where it lasts longer than the request: only such a one can hold the lease."""


@dataclass(frozen=True, slots=True)
class ConnectionGone:
    connection: ConnectionId


@dataclass(frozen=True, slots=True)
class ShuttingDown:
    """The session is to end: the child is asked to go, and made to after `grace` seconds."""

    grace: float


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed."""


Item = (
    Output
    | Started
    | SizeChanged
    | OutputEnded
    | ChildExited
    | ChildStopped
    | Written
    | HookRecord
    | HookAsked
    | HookGone
    | LogLine
    | LogTold
    | LogFound
    | StatusText
    | PlanText
    | Asked
    | ConnectionGone
    | ShuttingDown
    | Tick
)
