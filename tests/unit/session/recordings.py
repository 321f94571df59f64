"""Recordings that are made in a moment, without a terminal."""

from collections.abc import Iterable

from coop.agents import UNKNOWN, Agent
from coop.model.records import Item
from coop.model.screen import Size
from coop.session.core import CoreSettings, SessionCore
from coop.session.recording import About, Scribe, digest, header_of
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.ring import Ring
from coop.wire.recording import Ended, Recorded, end_line, header_line, read

ABOUT = About("work", 100)


def recorded(items: Iterable[tuple[float, Item]], *, agent: Agent = UNKNOWN, size: Size = Size(120, 40)) -> Recorded:  # noqa: B008
    """What a session writes down of these."""
    return read(recording(items, agent=agent, size=size), source="memory")


def recording(items: Iterable[tuple[float, Item]], *, agent: Agent = UNKNOWN, size: Size = Size(120, 40)) -> bytes:  # noqa: B008
    screen = GhosttyScreen(size, agent.identity, scrollback=ABOUT.scrollback)
    core = SessionCore(CoreSettings("epoch"), agent=agent, screen=screen, ring=Ring(4096), now=1000.0)
    lines = [header_line(header_of(core, ABOUT, now=1000.0, wall=1_800_000_000.0))]
    scribe, last = Scribe(core, lines.append, lambda why, now: None), 1000.0
    for last, item in items:
        scribe.receive(item, last)
    lines.append(end_line(Ended(last, "stopped", digest(screen.snapshot()))))
    return b"".join(lines)
