"""What one record of an agent says. A record may say several things, or nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from coop.model.prompt import Prompt
from coop.model.state import AltScreen, Failed, Idle, Prompted, Working


@dataclass(frozen=True, slots=True)
class Waits:
    """Some dialog is open, without a word about which."""

    what: str = ""


Claim = Working | Idle | Prompted | Failed | AltScreen | Waits


@dataclass(frozen=True, slots=True)
class Says:
    """A claim about the state. One that is not `final` can be overruled by whoever is asked next, a stop hook say."""

    claim: Claim
    final: bool = True
    stamp: float | None = None
    """When that was, in seconds since 1970, where the record says so: records come late, and not in order."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The source no longer says it; `None` is whatever it said last."""

    claim: Claim | None = None


@dataclass(frozen=True, slots=True)
class Asks:
    """A prompt that is answered by the reply to this very record. Its id is given by the session."""

    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Announces:
    """A prompt whose dialog is about to be drawn, and is answered there. Its id is given by the session."""

    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Describes:
    """What a dialog would ask that may be drawn, or may not."""

    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Heard:
    """The agent took this message: as a prompt, or into its queue."""

    text: str
    queued: bool = False
    stamp: float | None = field(default=None, compare=False)
    """When that was, where the record says so."""


@dataclass(frozen=True, slots=True)
class Stops:
    """The agent is about to end its turn and can still be told not to. `again` when it was, the last time."""

    background: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of a prompt, told afterwards. `accepted` is `None` for an answer to a question."""

    tool: str
    accepted: bool | None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """That call has been made, or refused, whoever decided it: this is asked no more."""

    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Unheard:
    """The turn ended without the message that began it: a hook of somebody's kept it from the model."""

    stamp: float | None = None
    """When that was, where the record says so."""
    returns: bool = False
    """The hook was still at it when the turn was stopped: the message came back into the input, whatever was told of it before."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The agent gave this message back out of its queue: it was not sent."""

    text: str


@dataclass(frozen=True, slots=True)
class Learned:
    """Facts about the session; `None` says nothing."""

    session_id: str | None = None
    transcript_path: str | None = None
    cwd: str | None = None
    model: str | None = None
    permission_mode: str | None = None
    version: str | None = None
    last_message: str | None = None


@dataclass(frozen=True, slots=True)
class Used:
    """Tokens of one message; a message is told of more than once, and counts once."""

    message_id: str
    tokens: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Begins:
    """A run of the agent begins, and says so by a hook that any other run which a tool starts would have as well."""


Reading = (
    Says
    | TakenBack
    | Asks
    | Announces
    | Describes
    | Heard
    | Stops
    | Decided
    | Settled
    | Unheard
    | Returned
    | Learned
    | Used
    | Begins
)
Readings = tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Composer:
    """The agent's input box, as drawn."""

    draft: str = ""
    runs_shell: bool = False
    """What is typed now is run by a shell."""
    rows: int = 1
    """How many lines it has: an empty one at the end is no part of the draft."""
    inserts: bool = False
    """It is in a mode for text, as vim's: the key that would stop a turn only leaves that."""
    stop_key: str | None = None
    """Which key stops the turn, as far as that is shown."""


@dataclass(frozen=True, slots=True)
class ScreenReading:
    """What a screen shows of the agent."""

    says: Says | None = None
    composer: Composer | None = None
    """`None` when it is not to be seen."""
    queued: bool = False
    """Messages wait for the end of the turn."""
    queue: tuple[str, ...] = ()
    """Those messages, as far as they are shown."""
    background: bool = False
    """Something that a turn began goes on after it."""
    answered: int | None = None
    """Of several prompts that came at once, how many were answered before the one that is shown; `None` where it is not told."""
    learned: Learned | None = None
    """What it tells beside the state."""
    unread: tuple[str, ...] = ()
    """The lines of a screen that shows neither the input nor a dialog we can read."""
