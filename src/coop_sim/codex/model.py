"""What answers: an API, or a script. One call is one response of the model's."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from coop_sim.scenario import Faults
from coop_sim.shapes import Table

Hear = Callable[[str], None]
"""Told each piece of text as it comes."""


@dataclass(frozen=True, slots=True)
class Call:
    items: Sequence[Table]
    has_tools: bool = True
    wants_title: bool = False


@dataclass(frozen=True, slots=True)
class Response:
    id: str
    items: tuple[Table, ...]
    """Messages and calls of tools."""
    usage: Mapping[str, int] = field(default_factory=dict[str, int])
    ends: bool = True
    """Is there nothing more to say after it?"""


@dataclass(frozen=True, slots=True)
class Failure:
    """What ends a turn, in Codex's words and by its name."""

    message: str
    info: object = "other"
    is_retried: bool = False
    is_network: bool = False
    """Nobody is there: it waits for as long as that takes."""


class Failed(Exception):
    """The model could not be asked, or answered with an error."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Model(Protocol):
    def begin(self, prompt: str) -> Faults:
        """A prompt is about to be answered; the misfortunes that go with it."""
        ...

    async def title(self, call: Call) -> str:
        """Of the conversation; empty when it has none."""
        ...

    async def respond(self, call: Call, hear: Hear) -> Response:
        """Raises `Failed`. Cancelled, nothing more is heard."""
        ...
