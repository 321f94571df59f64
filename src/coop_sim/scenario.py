"""What the pretend model answers: turns, found by the prompt."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ToolUse:
    name: str
    input: Mapping[str, object]
    id: str = ""
    """As the API named it; empty when nobody did."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the model. After its tools have run the next reply of the turn follows."""

    say: str = ""
    think: str = ""
    delay: float = 0.05
    """Before the first word, in seconds."""
    pace: float = 0.0
    """Between words, in seconds."""
    tools: tuple[ToolUse, ...] = ()
    id: str = ""
    """As the API named it; empty when nobody did."""
    stop_reason: str = ""
    """Empty says what follows from the tools: `tool_use` or `end_turn`."""
    usage: Mapping[str, int] = field(default_factory=dict[str, int])
    ends: bool = True
    """Does the model say nothing more after it?"""

    @property
    def stopped_for(self) -> str:
        return self.stop_reason or ("tool_use" if self.tools else "end_turn")


@dataclass(frozen=True, slots=True)
class ApiError:
    status: int
    kind: str
    message: str
    retries: int = 0
    wait: float = 1.0
    """Before the first retry."""
    backoff: float = 1.0
    """How much longer each wait is than the one before."""
    type: str = ""
    """The API's own name for it."""


@dataclass(frozen=True, slots=True)
class KnownError:
    """What an agent calls an error of the API."""

    kind: str
    message: str


class BadScenario(ValueError):
    """The scenario cannot be used as it is; the message says what to change."""


class Refused(Exception):
    """The model could not be asked, or answered with an error."""

    def __init__(self, error: ApiError) -> None:
        super().__init__(error.message)
        self.error = error


@dataclass(frozen=True, slots=True)
class Faults:
    """Misfortunes. Those of the scenario happen in every turn."""

    hang: bool = False
    crash: int | None = None
    """The exit code to die with, without a word."""
    no_hooks: bool = False
    no_status_file: bool = False
    torn_log_line: bool = False
    slow_dialog: float = 0.0
    """How long a dialog is asked, and not yet drawn."""

    def and_those_of(self, other: "Faults") -> "Faults":
        return Faults(
            self.hang or other.hang,
            self.crash if self.crash is not None else other.crash,
            self.no_hooks or other.no_hooks,
            self.no_status_file or other.no_status_file,
            self.torn_log_line or other.torn_log_line,
            max(self.slow_dialog, other.slow_dialog),
        )


@dataclass(frozen=True, slots=True)
class Turn:
    replies: tuple[Reply, ...]
    match: str | None = None
    """A regular expression the prompt must contain; `None` matches every prompt."""
    error: ApiError | None = None
    faults: Faults = Faults()
    times: int | None = None
    """How often it may be used; `None` is without end."""

    def matches(self, prompt: str) -> bool:
        return self.match is None or re.search(self.match, prompt) is not None


@dataclass(frozen=True, slots=True)
class Scenario:
    turns: tuple[Turn, ...] = ()
    title: str = ""
    faults: Faults = Faults()
    is_checked_in_auto: bool | None = None
    """Can auto mode check actions? `None`: only when no ANTHROPIC_BASE_URL is set, as with the real one."""
    default: str = "I am a pretend agent. You said: {prompt}"
