"""What a dialog, or a hook in its place, can answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Allow:
    """Go on. `mode` is the permission mode to change to, `updated` the input to use instead."""

    mode: str | None = None
    feedback: str = ""
    updated: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Deny:
    """Do not. With feedback the model hears it and goes on; without, the turn ends."""

    feedback: str = ""
    ends_turn: bool = True
    shown: str = ""
    """On the screen, in place of the feedback; empty shows that."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The answers to the questions, by question; what is missing was not answered."""

    answers: Mapping[str, str]
    previews: Mapping[str, str] = field(default_factory=dict[str, str])
    """What was shown for the chosen options, by question."""


Answer = Allow | Deny | Answered
