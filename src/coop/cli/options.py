"""Settings, read once at the edge."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Options:
    """Everything `coop -- COMMAND` can be told."""

    command: tuple[str, ...]
    attach: str | None = None
    """Somebody else's terminal, instead of a command."""
    port: int | None = None
    host: str = "127.0.0.1"
    grpc_port: int | None = None
    socket: Path | None = None
    health_port: int | None = None
    health_host: str = "127.0.0.1"
    auth_token: str | None = None
    insecure_no_auth: bool = False
    allowed_hosts: tuple[str, ...] = ()
    allow_self: bool = False
    agent: str = "unknown"
    agent_config: Path | None = None
    dialogs: Path | None = None
    resume: str | None = None
    answer_by: Literal["hook", "keys"] | None = None
    """`None` leaves it to the agent."""
    skip_startup_prompts: bool = False
    idle_grace: float = 60.0
    name: str | None = None
    labels: tuple[tuple[str, str], ...] = ()
    cols: int = 200
    rows: int = 50
    ring_size: int = 1024 * 1024
    scrollback: int = 1000
    term: str = "xterm-256color"
    idle_timeout: float = 0.0
    keep_alive: bool = False
    record: str | None = None
    """A file, or a directory for it: one that is there, or ends with a slash."""
    log_format: Literal["json", "text"] | None = None
    """`None` is text on a terminal, and JSON elsewhere."""
    log_level: str = "info"
    otel: bool = False
    ready_fd: int | None = None
    """Where somebody waits to be told that the session listens, and lets go of it then; `None` in the foreground."""
