"""What coop knows of a kind of agent: one frozen value, found by its entry point."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from coop.agents.hints import PIPED, read_piped
from coop.errors import ConfigError
from coop.model.attach import Found, Process
from coop.model.commands import Nudge, Refused, Respond, Stroke, Strokes
from coop.model.launch import Disk, HooksHere, Launch, Prepared, SessionPlaces
from coop.model.prompt import Prompt
from coop.model.readings import Readings, ScreenReading
from coop.model.screen import XTERM, Identity, ScreenSnapshot, Size
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
    hooks_here: Callable[[Mapping[str, str], str, Disk], HooksHere] | None = None
    """Given the environment and the folder of the sessions: can our hooks be installed? `None`: they always can, or there are none."""
    attach: Callable[[Sequence[Process], Size, Disk], Found | None] | None = None
    """Which of a terminal's processes it is, and where it leaves its traces."""
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
    queues_as_one: bool = False
    """What was queued together is heard as one message, with a blank line between."""
    is_redrawn: Callable[[Prompt, Prompt], bool] | None = None
    """Of two pictures of what could be one dialog, seen one right after the other: is it, and was not yet drawn to its end?"""
    effect_of: Callable[[Respond, Prompt], str] | None = None
    """What an answer does: `accepted`, `denied`, `denied_subagent`, `feedback`, `answered`."""
    no_word: bytes = b"{}"
    """The reply to a hook that nobody has anything to say to."""
    block_stop: Callable[[str], bytes] | None = None
    """The reply that makes the agent go on instead of ending its turn, and why."""
    tested: tuple[str, ...] = ()
    """The versions our live matrix runs."""
    dialogs: Mapping[str, object] | None = None
    """The data its screen is read by: given to whoever makes it, it makes the same agent."""
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


def is_told_by_hints(agent: Agent) -> bool:
    """It has no words of its own for us: only what its configuration lets it tell its terminal, or the hook pipe."""
    own = (agent.read_log, agent.read_status, agent.read_stdout)
    return not any(own) and agent.read_hook in (None, read_piped)


def typed(strokes: Strokes) -> Script:
    """Strokes that need no looking at the screen."""
    for stroke in strokes:  # noqa: UP028 - a tuple cannot be sent what is seen
        yield stroke
    return None


UNKNOWN = Agent(name="unknown", read_hook=read_piped, pipe_events=frozenset(PIPED))

MakeAgent = Callable[..., Agent]
"""`make(dialogs, source=…)`: the agent, with its own dialogs (`None`) or with those of a file. Raises `ConfigError`."""
GROUP = "coop.agents"


def installed_agents() -> dict[str, MakeAgent]:
    """By name, of this package and of others: every entry point in `coop.agents`. None of them is loaded yet."""
    points: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        points.setdefault(point.name, []).append(point)
    return {name: _made_by(*offered) for name, offered in sorted(points.items())}


def _made_by(point: EntryPoint, *others: EntryPoint) -> MakeAgent:
    def make(dialogs: Mapping[str, object] | None = None, *, source: str = "dialogs.toml") -> Agent:
        if others:
            packages = ", ".join(sorted(_package(each) for each in (point, *others)))
            raise ConfigError(f"agent {point.name!r} is offered by more than one package ({packages}): uninstall all but one")
        found = _given_by(point, dialogs, source)
        if not isinstance(found, Agent) or found.name != point.name:
            given = f"an agent named {found.name!r}" if isinstance(found, Agent) else repr(found)
            raise ConfigError(f"agent {point.name!r} of package {_package(point)}: {point.value} gives {given}, not that agent")
        return found

    return make


def _given_by(point: EntryPoint, dialogs: Mapping[str, object] | None, source: str) -> object:
    try:
        given: object = point.load()(dialogs, source=source)
    except ConfigError:
        raise
    except (Exception, SystemExit) as error:  # whatever somebody else's module does
        why = f"{type(error).__name__}: {error}"
        raise ConfigError(
            f"agent {point.name!r} of package {_package(point)} cannot be loaded ({point.value}: {why}); "
            "update the package or uninstall it"
        ) from error
    return given


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "unknown"
