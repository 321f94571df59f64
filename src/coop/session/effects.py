"""What the core wants done."""

from dataclasses import dataclass

from coop.model.commands import Outcome
from coop.model.events import Event
from coop.model.ids import HookId, RequestId
from coop.model.screen import Size


@dataclass(frozen=True, slots=True)
class Write:
    """To the terminal, for a caller. What was taken comes back as `Written`."""

    data: bytes


@dataclass(frozen=True, slots=True)
class AnswerQuery:
    """To the terminal, as the terminal: nobody waits for it."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Abandon:
    """Forget what of the last `Write` the terminal has not taken."""

    instead: bytes = b""
    """What it must be given all the same: the end of a paste that it has begun to take."""


@dataclass(frozen=True, slots=True)
class SetSize:
    size: Size


@dataclass(frozen=True, slots=True)
class SendSignal:
    number: int


@dataclass(frozen=True, slots=True)
class Publish:
    event: Event


@dataclass(frozen=True, slots=True)
class Reply:
    id: RequestId
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class ReplyHook:
    """To a hook that waits; an empty body lets the agent do what it would do anyway."""

    id: HookId
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class FollowLog:
    """The agent writes its session log there from now on."""

    path: str


@dataclass(frozen=True, slots=True)
class FollowPlan:
    """The plan in this file is asked about, and a person may change it there."""

    path: str


@dataclass(frozen=True, slots=True)
class ShutDown:
    """Nobody has used the session for as long as it was told to wait."""


Effect = Write | AnswerQuery | Abandon | SetSize | SendSignal | Publish | Reply | ReplyHook | FollowLog | FollowPlan | ShutDown
