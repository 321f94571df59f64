"""How to start a child, as data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from coop.model.screen import Size
from coop.model.state import Tier


@dataclass(frozen=True, slots=True)
class Launch:
    argv: tuple[str, ...]
    env: Mapping[str, str]
    size: Size
    cwd: str = "."


class Disk(Protocol):
    """The files there are, for those who only look."""

    def read(self, path: str) -> str:
        """Raises `OSError`."""
        ...

    def newest(self, folder: str, pattern: str) -> Sequence[str]:
        """The files under a folder that fit, the one last written first."""
        ...

    def real(self, path: str) -> str:
        """Without links on the way."""
        ...

    def first_line(self, path: str) -> str:
        """Raises `OSError`."""
        ...

    def is_file(self, path: str) -> bool: ...

    def is_folder(self, path: str) -> bool: ...

    def is_roots_alone(self, folder: str) -> bool:
        """Can nobody but root change what is in it, nor in any folder above it?"""
        ...


@dataclass(frozen=True, slots=True)
class SessionPlaces:
    """What a session offers to its child's hooks."""

    files: str
    """A directory only the user can enter, for files the child is to read."""
    hook_url: str
    """Where hooks are posted to; each event has its name behind it."""
    token_variable: str
    """The variable of the child's environment that holds the token for it."""
    session_id: str
    """A new one, for an agent that lets us choose."""
    python: str = "python3"
    """An interpreter for hooks that are commands."""
    holds_hooks: bool = False
    """A hook that asks is held until somebody has the answer."""
    resume: str | None = None
    """What to go on with: a log's path, a session's id, a workspace, or a part of one."""


@dataclass(frozen=True, slots=True)
class HooksHere:
    """Whether an agent's hooks can be installed on this machine, in words."""

    said: str
    do: str = ""
    """What a person can do to have them; empty when nothing is missing."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The launch with everything our hooks need, and where the agent will leave its traces."""

    launch: Launch
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """To be written, readable by the user alone, before the child starts."""
    log: str | None = None
    """The session log it will write, where that is known beforehand."""
    log_pattern: str | None = None
    """What its path will look like, where that is all that is known: `*` stands for what is not."""
    log_from_end: bool = False
    """What is in the log already is of an earlier run."""
    is_running: bool = False
    """It was running before us: what is in the log already was said before we came, and the last of it still stands."""
    status_files: str | None = None
    """The directory where it keeps a status file named after its pid."""
    speaks_json: bool = False
    """Its standard output is JSON lines."""
    is_headless: bool = False
    """It asks nobody anything: `claude -p`."""
    log_root: str | None = None
    """Where its session logs are; one that it names elsewhere is not read."""
    open_log: str | None = None
    """Its session log is one that it has open there; this stands in the first line of the right one."""
    session_id: str | None = None
    log_of_status: Callable[[Mapping[str, object]], str | None] | None = None
    """The log that the status file leads to, for an agent whose hooks cannot say it."""
    absent: Mapping[Tier, str] = field(default_factory=dict[Tier, str])
    """Sources that will say nothing, and why."""
    warning: str | None = None
    """Why it may not start."""
