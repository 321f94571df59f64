"""Programs that run already, on somebody else's terminal."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from coop.model.launch import Prepared


@dataclass(frozen=True, slots=True)
class Process:
    """One that runs on the terminal; what of it the system does not tell is empty."""

    pid: int
    argv: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    cwd: str = "/"
    began: float | None = None
    """When it was started, in seconds since 1970; `None` when that is not told."""
    opened: tuple[str, ...] = ()
    """The files it has open."""
    beside: tuple["Process", ...] = ()
    """What else runs in its folder, and not on its terminal."""


@dataclass(frozen=True, slots=True)
class Found:
    """An agent among the processes of a terminal, as if we had started it."""

    pid: int
    prepared: Prepared


@dataclass(frozen=True, slots=True)
class Attachment:
    """A terminal that is somebody else's: we neither resize nor end it, and do not answer its program's queries."""

    to: str
    """As `--attach` spells it."""
    output: str
    """How what the program writes comes to us."""
