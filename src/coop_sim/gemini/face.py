"""Where a turn is seen: on a screen, or in the lines of `-p`."""

from typing import Protocol

from coop_sim.gemini.blocks import Block
from coop_sim.gemini.dialogs import Answer, Dialog
from coop_sim.gemini.tools import Done
from coop_sim.scenario import ToolUse


class Face(Protocol):
    def show(self, *blocks: Block) -> None: ...

    def stream(self, text: str) -> None:
        """All that was said of the message so far; empty when it is over."""
        ...

    def work(self, is_working: bool) -> None: ...

    def recount(self, count: str) -> None: ...

    def paint(self) -> None: ...

    def dismiss(self) -> None:
        """Nobody waits for the dialogs that are left."""
        ...

    async def ask(self, dialog: Dialog, *, place: int = 0, count: str = "") -> Answer: ...

    def uses(self, use: ToolUse) -> None: ...

    def used(self, done: Done) -> None: ...
