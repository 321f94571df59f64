"""What an agent asks, with everything a person needs to decide."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from coop.model.ids import PromptId

HIDDEN_ABOVE = "…"
"""The first line of an input of which the dialog shows only the end, where no hook told the rest."""


@dataclass(frozen=True, slots=True)
class Choice:
    label: str
    description: str = ""
    preview: str = ""
    """What it would look like."""


@dataclass(frozen=True, slots=True)
class Query:
    """One of the questions a prompt asks together."""

    text: str
    choices: tuple[Choice, ...] = ()
    header: str = ""
    takes_many: bool = False
    given: Mapping[str, object] = field(default_factory=dict[str, object], compare=False, repr=False)
    """As the agent spells it, where it wants that back with the answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """`text` and `options` are those of the first query."""

    id: PromptId
    text: str
    options: tuple[str, ...] = ()
    screen_lines: tuple[str, ...] = ()
    queries: tuple[Query, ...] = ()
    subtype: str | None = None


@dataclass(frozen=True, slots=True)
class Guise:
    """The dialog of another tool: some agents draw a shell command that only changes a file as that change."""

    tool: str
    asks: str
    """What it would ask, word for word."""
    about: str
    """What it would quote."""


@dataclass(frozen=True, slots=True)
class Permission:
    """May this tool run with this input? `options` are the labels in the dialog, once it is drawn."""

    id: PromptId
    tool: str
    input: Mapping[str, object] = field(default_factory=dict[str, object])
    options: tuple[str, ...] = ()
    screen_lines: tuple[str, ...] = ()
    suggestions: tuple[Mapping[str, object], ...] = ()
    """What could be permitted for good, as the agent spells it."""
    subagent: str | None = None
    subtype: str | None = None
    guise: Guise | None = None
    """What may be drawn for it instead of a dialog of its own tool."""


@dataclass(frozen=True, slots=True)
class Plan:
    id: PromptId
    text: str
    file: str | None = None
    options: tuple[str, ...] = ()
    screen_lines: tuple[str, ...] = ()
    subtype: str | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """A dialog before the first turn: trust, an API key, a login. `subtype` says which."""

    id: PromptId
    subtype: str
    text: str
    options: tuple[str, ...] = ()
    screen_lines: tuple[str, ...] = ()


Prompt = Question | Permission | Plan | Setup
