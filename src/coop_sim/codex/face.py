"""How a turn shows itself: on a screen, or as printed lines."""

from typing import Protocol

from coop_sim.codex.blocks import Block
from coop_sim.codex.menu import Chosen, Dialog


class Face(Protocol):
    def show(self, *blocks: Block) -> None:
        """For good."""
        ...

    def live(self, *blocks: Block, is_saying: bool = False) -> None:
        """Until the next time: what is not yet finished."""
        ...

    def retrying(self, attempt: str, why: str = "") -> None:
        """Which attempt it is, or what it waits for; empty when it does no more."""
        ...

    async def ask(self, dialog: Dialog, kind: str, *, is_held_back: bool = False, delay: float = 0.0) -> Chosen:
        """`kind` is what it waits for. Cancelled, the dialog goes away."""
        ...
