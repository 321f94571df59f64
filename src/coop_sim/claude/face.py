"""How a turn shows itself: on a screen, or as printed lines."""

from typing import Protocol

from coop_sim.claude.answers import Answer
from coop_sim.claude.blocks import Block
from coop_sim.claude.menu import Dialog


class Face(Protocol):
    @property
    def columns(self) -> int: ...

    def show(self, *blocks: Block) -> None:
        """For good."""
        ...

    def live(self, *blocks: Block) -> None:
        """Until the next time: what is not yet finished."""
        ...

    def retrying(self, row: str | None, attempt: int = 0, of: int = 0, wait: float = 1.0) -> None: ...

    def count(self, tokens: int) -> None: ...

    def restore(self, prompt: str) -> None:
        """Puts an unanswered prompt back into the box."""
        ...

    async def ask(self, dialog: Dialog) -> Answer:
        """Cancelled, the dialog goes away."""
        ...
