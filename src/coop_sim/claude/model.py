"""What answers a prompt: a script, or an API. One call is one message of the model's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from coop_sim.scenario import Faults, Reply
from coop_sim.shapes import Table

Hear = Callable[[str], None]
"""Told each piece of text as it comes."""


@dataclass(frozen=True, slots=True)
class Call:
    messages: Sequence[Table]
    system: str = ""
    tools: Sequence[str] = field(default=())


class Model(Protocol):
    def begin(self, prompt: str) -> Faults:
        """A prompt is about to be answered; the misfortunes that go with it."""
        ...

    def apart(self) -> "Model":
        """The same model in another conversation: a subagent's."""
        ...

    async def summary(self, call: Call) -> str:
        """Of the conversation so far. Raises `Refused`."""
        ...

    async def reply(self, call: Call, hear: Hear) -> Reply:
        """Raises `Refused`. Cancelled, nothing more is heard."""
        ...
