"""What every way to speak to a coop can do, in the words of the wire."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from coop.testing import CoopProcess


@dataclass(frozen=True)
class Shown:
    """A screen."""

    lines: tuple[str, ...]
    cols: int
    rows: int
    cursor: tuple[int, int]
    alt_screen: bool


@dataclass(frozen=True)
class Asked:
    """A prompt."""

    type: str
    id: str
    text: str
    options: tuple[str, ...]


Seen = tuple[str, object]
"""`("state", its name)`, `("resize", (cols, rows))` or `("exit", (code, signal))`."""


WhenName = Literal["idle", "queue", "interrupt", "steer"]


class Client(Protocol):
    """Refusals are raised as `CoopError` with their code."""

    def health(self) -> tuple[str, str, int, int]:
        """Status, agent, cols, rows."""
        ...

    def status(self) -> tuple[str, int | None, int | None]:
        """State, exit code, exit signal."""
        ...

    def screen(self) -> Shown: ...
    def state(self) -> str: ...
    def prompt(self) -> Asked | None: ...
    def output(self, offset: int) -> bytes: ...
    def type(self, text: str, *, enter: bool) -> int: ...
    def keys(self, *keys: str) -> int: ...
    def resize(self, cols: int, rows: int) -> None: ...
    def signal(self, name: str) -> None: ...

    def nudge(self, message: str, *, when: WhenName = "idle") -> str:
        """How far it has come."""
        ...

    def respond(self, answer: Mapping[str, object]) -> str:
        """The type of what was answered."""
        ...

    def events(self) -> AbstractContextManager[Iterator[Seen]]:
        """From the state as it is now to the end."""
        ...


@runtime_checkable
class Recorder(Protocol):
    """One that can have the session written down, too."""

    def recording(self) -> tuple[bool, str | None]:
        """Is it, and where? Of the last one, when none is being made."""
        ...

    def record(self, *, on: bool) -> tuple[bool, str | None]: ...


@dataclass(frozen=True)
class Way:
    name: str
    open: Callable[[CoopProcess, str | None], AbstractContextManager[Client]]
    """With the token, where there is one."""
    options: tuple[str, ...] = ()
    """What coop must be started with for it."""
