"""A core to talk to."""

from collections.abc import Callable, Mapping

import pytest

from coop.agents import UNKNOWN, Agent
from coop.model.attach import Attachment
from coop.model.records import Started
from coop.model.screen import Size
from coop.model.state import Tier
from coop.session.core import CoreSettings, SessionCore
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.ring import Ring
from coop.testing import ManualClock, Playbook

MakePlay = Callable[..., Playbook]


@pytest.fixture
def make_play() -> MakePlay:
    """A playbook; its child, pid 42, has started unless told otherwise."""

    def make(
        *,
        agent: Agent = UNKNOWN,
        started: bool = True,
        idle_grace: float = 60.0,
        idle_timeout: float = 0.0,
        size: Size = Size(40, 10),  # noqa: B008  # a value
        speaks_json: bool = False,
        accepts_setup: bool = False,
        attachment: Attachment | None = None,
        absent: Mapping[Tier, str] | None = None,
    ) -> Playbook:
        clock = ManualClock()
        settings = CoreSettings(
            "epoch",
            idle_grace,
            idle_timeout,
            speaks_json=speaks_json,
            accepts_setup=accepts_setup,
            attachment=attachment,
            absent=absent or {},
        )
        screen = GhosttyScreen(size, agent.identity)
        core = SessionCore(settings, agent=agent, screen=screen, ring=Ring(4096), now=clock.now)
        play = Playbook(core, clock)
        return play >> Started(42) if started else play

    return make


@pytest.fixture
def play(make_play: MakePlay) -> Playbook:
    return make_play()
