"""What coop knows of a kind of agent: one frozen value, found by its entry point."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from coop.model.commands import Nudge, Refused, Respond, Stroke, Strokes
from coop.model.launch import Disk, Launch, Prepared, SessionPlaces
from coop.model.prompt import Prompt
from coop.model.readings import Readings, ScreenReading
from coop.model.screen import XTERM, Identity, ScreenSnapshot
from coop.model.state import AgentState, Tier

Record = Mapping[str, object]
ReadScreen = Callable[[ScreenSnapshot], ScreenReading]
"""What a screen shows of the agent. Never raises, nor does any other reader."""
ReadRecord = Callable[[Record], Readings]
ReadHook = Callable[[str, Record], Readings]
ReadReport = Callable[[str], Readings]
"""What an operating system command (OSC) of the agent, or a title, says."""


@dataclass(frozen=True, slots=True)
class View:
    """What a script sees when it is resumed."""

    screen: ScreenSnapshot
    reading: ScreenReading
    state: AgentState
    now: float
    is_done: bool = False
    """There is proof: the agent took the message, or the prompt is answered."""
    version: str | None = None
    """Of the agent, where it is known."""

    @property
    def draft(self) -> str:
        """What stands in the agent's input."""
        return self.reading.composer.draft if self.reading.composer else ""


Script = Generator[Stroke, View, Refused | None]
"""Typing with open eyes: yields strokes, sees the screen after each. Returns why it gave up, or `None`."""
Steps = Generator[Stroke, View, View]
"""A part of a script; returns what it saw last."""


@dataclass(frozen=True, slots=True)
class HookReply:
    """An answer without a keystroke: the body of the reply to the hook that asked."""

    body: bytes
    effect: str = ""


TypeNudge = Callable[[Nudge], Script]
"""How a message is typed. Raises `BadRequest` for one that cannot be."""
TypeAnswer = Callable[[Respond, Prompt], Script]
"""How an answer is typed. Raises `BadRequest` for one that does not fit the prompt."""
ReplyToHook = Callable[[Respond, Prompt], HookReply | None]
"""The answer as the reply to the hook that asked; `None` when it cannot be put that way."""


@dataclass(frozen=True, slots=True)
class Agent:
    """What is `None` the agent does not have."""

    name: str
    commands: tuple[str, ...] = ()
    identity: Identity = XTERM
    prepare: Callable[[Launch, SessionPlaces, Disk], Prepared] | None = None
    """What is needed to start it with our hooks: described, not done."""
    read_hook: ReadHook | None = None
    holds_hooks: bool = True
    """A hook that asks waits for the answer; else it is let go at once, and the dialog is answered with keys."""
    pipe_events: frozenset[str] = frozenset()
    """The hooks that come by the pipe; others are not believed from there."""
    read_log: ReadRecord | None = None
    read_status: ReadRecord | None = None
    read_stdout: ReadRecord | None = None
    read_report: ReadReport | None = None
    read_screen: ReadScreen | None = None
    type_nudge: TypeNudge | None = None
    type_answer: TypeAnswer | None = None
    reply_to_hook: ReplyToHook | None = None
    feedback_is_message: bool = False
    """A denial ends the turn, so that words that go with it are a message of their own."""
    is_same: Callable[[str, str], bool] | None = None
    """Was this message heard as that one?"""
    effect_of: Callable[[Respond, Prompt], str] | None = None
    """What an answer does: `accepted`, `denied`, `feedback`, `answered`."""
    block_stop: Callable[[str], bytes] | None = None
    """The reply that makes the agent go on instead of ending its turn, and why."""
    tested: tuple[str, ...] = ()
    """The versions our live matrix runs."""
    quiet: float | None = None
    """How long the screen must rest at the prompt to count as idle; `None` leaves it to `--idle-grace`."""

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """Where its state can come from."""
        readers = {
            Tier.HOOKS: self.read_hook,
            Tier.SESSION_LOG: self.read_log,
            Tier.STATUS_FILE: self.read_status,
            Tier.STDOUT_JSONL: self.read_stdout,
            Tier.TERMINAL_REPORT: self.read_report,
            Tier.SCREEN: self.read_screen,
        }
        return (*(tier for tier, reader in readers.items() if reader is not None), Tier.PROCESS)


def typed(strokes: Strokes) -> Script:
    """Strokes that need no looking at the screen."""
    for stroke in strokes:  # noqa: UP028 - a tuple cannot be sent what is seen
        yield stroke
    return None


UNKNOWN = Agent(name="unknown")
KNOWN_COMMANDS = {"claude": "claude", "codex": "codex", "gemini": "gemini"}
"""Commands of agents that coop knows, or will know."""

MakeAgent = Callable[..., Agent]
"""`make(dialogs, source=…)`: the agent, with its own dialogs (`None`) or with those of a file."""


def installed_agents() -> dict[str, MakeAgent]:
    """By name, of this package and of others: every entry point in `coop.agents`."""
    return {point.name: _made_by(point) for point in entry_points(group="coop.agents")}


def _made_by(point: EntryPoint) -> MakeAgent:
    def make(dialogs: Mapping[str, object] | None, *, source: str) -> Agent:
        agent: Agent = point.load()(dialogs, source=source)
        return agent

    return make
