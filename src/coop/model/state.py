"""What an agent is doing, as values. The wire's spellings are in `wire`."""

from dataclasses import dataclass
from enum import Enum

from coop.model.prompt import Prompt


class Tier(Enum):
    """Where an observation came from."""

    HOOKS = "hooks"
    SESSION_LOG = "session_log"
    STDOUT_JSONL = "stdout_jsonl"
    PROCESS = "process"
    SCREEN = "screen"
    STATUS_FILE = "status_file"
    TERMINAL_REPORT = "terminal_report"


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How a child ended: with a code, or by a signal. Of one that was not ours only that it has."""

    code: int | None = None
    signal: int | None = None
    why: str = ""
    """In words, where that is all there is."""

    @property
    def shell_code(self) -> int:
        """As a shell reports it: 128 + n for a death by signal n."""
        if self.signal is not None:
            return 128 + self.signal
        return self.code or 0


@dataclass(frozen=True, slots=True)
class Starting: ...


@dataclass(frozen=True, slots=True)
class Working:
    detail: str | None = None
    """What kind of work, where it is not plain: `background`, `retrying 3/10`, `stop blocked`."""


@dataclass(frozen=True, slots=True)
class Idle: ...


@dataclass(frozen=True, slots=True)
class Prompted:
    """`prompt` is the one on screen; `waiting` are all that are open, oldest first, where there is more than that one."""

    prompt: Prompt
    waiting: tuple[Prompt, ...] = ()

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        return self.waiting or (self.prompt,)


class ErrorKind(Enum):
    UNAUTHORIZED = "unauthorized"
    OUT_OF_CREDITS = "out_of_credits"
    RATE_LIMITED = "rate_limited"
    NO_NETWORK = "no_network"
    OVERLOADED = "overloaded"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Failed:
    """The turn ended with an error; the agent waits for somebody to do something about it."""

    detail: str
    kind: ErrorKind = ErrorKind.OTHER
    resets_at: str | None = None
    """When a limit ends, in the agent's own words."""


@dataclass(frozen=True, slots=True)
class AltScreen:
    """Something that is not the agent's own interface has the screen: an editor, a pager."""


@dataclass(frozen=True, slots=True)
class Unknown:
    word: str = ""
    """What a newer coop calls it, for a reader that does not know the word."""


@dataclass(frozen=True, slots=True)
class Exited:
    status: ExitStatus


AgentState = Starting | Working | Idle | Prompted | Failed | AltScreen | Unknown | Exited
