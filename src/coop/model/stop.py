"""Whether an agent may end its turn, as values."""

from dataclasses import dataclass
from enum import Enum

MOST_BLOCKS = 20
"""After so many in a row the agent may stop all the same, and it is reported."""
DEFAULT_REASON = (
    'The work is not declared done. When it is, run: coop send \'{"kind":"complete"}\'. '
    'If you cannot finish, run: coop send \'{"kind":"escalate","message":"why"}\'. Otherwise go on.'
)


class StopMode(Enum):
    ALLOW = "allow"
    GATE = "gate"


@dataclass(frozen=True, slots=True)
class StopConfig:
    mode: StopMode = StopMode.ALLOW
    reason: str = DEFAULT_REASON
    """What the agent is told when it may not stop."""
    most_blocks: int = MOST_BLOCKS


@dataclass(frozen=True, slots=True)
class StopSignal:
    """What the agent, or somebody for it, says of its work: `complete`, `escalate`, or something else, which opens no gate."""

    kind: str
    message: str | None = None
