"""What coop knows of a kind of agent: one frozen value, found by its entry point."""

from collections.abc import Callable
from dataclasses import dataclass

from coop.model.screen import XTERM, Identity, ScreenSnapshot
from coop.model.state import AgentState

ReadScreen = Callable[[ScreenSnapshot], AgentState | None]
"""What a screen says of the agent; `None` when it says nothing. Never raises."""


@dataclass(frozen=True, slots=True)
class Agent:
    """What is `None` the agent does not have."""

    name: str
    identity: Identity = XTERM
    read_screen: ReadScreen | None = None
    quiet: float | None = None
    """How long the screen must rest at the prompt to count as idle; `None` leaves it to `--idle-grace`."""


UNKNOWN = Agent(name="unknown")
KNOWN_COMMANDS = {"claude": "claude", "codex": "codex", "gemini": "gemini"}
"""Commands of agents that coop will know; used for a hint only."""
