"""Runs a recording through the core once more, and says whether the same came of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from coop import __version__
from coop.agents import UNKNOWN, Agent, installed_agents
from coop.agents.generic import configured
from coop.errors import BadRecording
from coop.model.records import Output
from coop.model.screen import ScreenSnapshot, Size
from coop.session.core import CoreSettings, SessionCore
from coop.session.effects import Publish
from coop.session.recording import digest, engine
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.ring import Ring
from coop.wire import ws
from coop.wire.recording import Header, Published, Received, Recorded

_RING = 4096
"""Nothing that is published depends on it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What was recorded and what came of it now; `None` where there is nothing."""

    recorded: Published | None
    replayed: Published | None

    @property
    def at(self) -> float:
        found = self.recorded or self.replayed
        assert found is not None
        return found.at


@dataclass(frozen=True, slots=True)
class Replayed:
    recorded: Recorded
    published: tuple[Published, ...]
    screen: ScreenSnapshot
    core: SessionCore | None
    """`None` when only the screen could be replayed."""

    @property
    def differences(self) -> tuple[Difference, ...]:
        if self.core is None:
            return ()
        return tuple(_differences(self.recorded, self.published))

    @property
    def has_same_screen(self) -> bool:
        end = self.recorded.end
        return end is None or end.screen == digest(self.screen)

    @property
    def is_same(self) -> bool:
        return self.has_same_screen and not self.differences

    @property
    def last(self) -> float:
        """When the last of it happened."""
        return max((line.at if not isinstance(line, Received) else line.now for line in self.recorded.lines), default=0.0)


def replay(recorded: Recorded, agent: Agent) -> Replayed:
    """With an agent that is used for nothing else: some remember what they have read. Raises `BadRecording`."""
    if recorded.header.begins == "middle":
        return _replay_screen(recorded)
    core = core_of(recorded.header, agent)
    published = tuple(_published(core, recorded))
    return Replayed(recorded, published, core.screen.snapshot(), core)


def agent_of(header: Header, rules: Mapping[str, object] | None = None, *, source: str = "the recording") -> Agent:
    """As it was when it was recorded, or with other rules in place of those. Raises `BadRecording` and `ConfigError`."""
    tables = {**(header.dialogs or {}), **(rules or {})}
    if header.agent == UNKNOWN.name:
        agent = configured(tables, source=source) if tables else UNKNOWN
    else:
        make = installed_agents().get(header.agent)
        if make is None:
            raise BadRecording(f"recorded of {header.agent!r}, and no such agent is installed here")
        agent = make(tables or None, source=source)
    return replace(agent, holds_hooks=header.holds_hooks)


def core_of(header: Header, agent: Agent) -> SessionCore:
    """Raises `BadRecording`."""
    try:
        settings = msgspec.convert(header.settings, CoreSettings)
    except msgspec.ValidationError as error:
        raise BadRecording(f"its settings are not those of a session: {error}") from None
    core = SessionCore(settings, agent=agent, screen=screen_of(header), ring=Ring(_RING), now=header.now)
    core.insight.learn(header.learned)
    return core


def screen_of(header: Header) -> GhosttyScreen:
    """As it was when the recording began."""
    screen = GhosttyScreen(header.size, header.identity, scrollback=header.scrollback)
    if header.screen is not None:
        screen.feed(header.screen.encode())
    return screen


def _published(core: SessionCore, recorded: Recorded) -> Iterator[Published]:
    for line in recorded.lines:
        if isinstance(line, Received):
            for effect in core.receive(line.item, line.now):
                if isinstance(effect, Publish):
                    event = effect.event
                    yield Published(event.at, event.seq, msgspec.json.decode(ws.encode(ws.event(event))))


def _replay_screen(recorded: Recorded) -> Replayed:
    """What was believed before it began is not in it, so what is on the screen is all that can be told."""
    screen = screen_of(recorded.header)
    for line in recorded.lines:
        match line:
            case Received(item=Output(data)):
                screen.feed(data)
            case Published(message={"type": "resize", "cols": int(cols), "rows": int(rows)}):
                screen.resize(Size(cols, rows))
            case _:
                pass
    return Replayed(recorded, (), screen.snapshot(), None)


def _differences(recorded: Recorded, replayed: tuple[Published, ...]) -> Iterator[Difference]:
    """Event by event, by number. What the last item brought may be missing where a recording breaks off."""
    told, now = {each.seq: each for each in recorded.published()}, {each.seq: each for each in replayed}
    last = max((line.now for line in recorded.lines if isinstance(line, Received)), default=0.0)
    for seq in sorted(told.keys() | now.keys()):
        was, came = told.get(seq), now.get(seq)
        is_cut_off = was is None and came is not None and recorded.end is None and came.at >= last
        if was != came and not is_cut_off:
            yield Difference(was, came)


def others(header: Header) -> dict[str, tuple[str, str]]:
    """What of this coop is not what the recording was made with: then another result is a difference, not a fault."""
    own: Mapping[str, Any] = {"coop": __version__, "engine": engine()}
    return {name: (getattr(header, name), mine) for name, mine in own.items() if getattr(header, name) != mine}
