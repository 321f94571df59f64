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
    """How a child ended: with a code, or by a signal."""

    code: int | None = None
    signal: int | None = None

    @property
    def shell_code(self) -> int:
        """As a shell reports it: 128 + n for a death by signal n."""
        if self.signal is not None:
            return 128 + self.signal
        return self.code or 0


@dataclass(frozen=True, slots=True)
class Starting: ...


@dataclass(frozen=True, slots=True)
class Working: ...


@dataclass(frozen=True, slots=True)
class Idle: ...


@dataclass(frozen=True, slots=True)
class Prompted:
    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Failed:
    detail: str


@dataclass(frozen=True, slots=True)
class AltScreen:
    """Something that is not the agent's own interface has the screen: an editor, a pager."""


@dataclass(frozen=True, slots=True)
class Unknown: ...


@dataclass(frozen=True, slots=True)
class Exited:
    status: ExitStatus


AgentState = Starting | Working | Idle | Prompted | Failed | AltScreen | Unknown | Exited
