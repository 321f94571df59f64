"""What coop knows of a kind of agent: one frozen value, found by its entry point."""

from collections.abc import Callable
from dataclasses import dataclass

from coop.model.commands import Nudge, Respond, Strokes
from coop.model.prompt import Prompt
from coop.model.screen import XTERM, Identity, ScreenSnapshot
from coop.model.state import AgentState

ReadScreen = Callable[[ScreenSnapshot], AgentState | None]
"""What a screen says of the agent; `None` when it says nothing. Never raises."""


EncodeNudge = Callable[[Nudge], Strokes]
"""How a message is typed. Raises `BadRequest` for one that cannot be."""
EncodeRespond = Callable[[Respond, Prompt], Strokes]
"""How an answer is typed. Raises `BadRequest` for one that does not fit the prompt."""


@dataclass(frozen=True, slots=True)
class Agent:
    """What is `None` the agent does not have."""

    name: str
    identity: Identity = XTERM
    read_screen: ReadScreen | None = None
    encode_nudge: EncodeNudge | None = None
    encode_respond: EncodeRespond | None = None
    quiet: float | None = None
    """How long the screen must rest at the prompt to count as idle; `None` leaves it to `--idle-grace`."""


UNKNOWN = Agent(name="unknown")
KNOWN_COMMANDS = {"claude": "claude", "codex": "codex", "gemini": "gemini"}
"""Commands of agents that coop will know; used for a hint only."""
