from dataclasses import replace

import pytest

from coop.agents.claude import claude
from coop.detect.belief import Observation
from coop.model.events import Event, Fact, PromptAnswered, SessionEnded, StateChanged
from coop.model.ids import EventSeq, PromptId
from coop.model.prompt import Question
from coop.model.readings import Claim, Waits
from coop.model.screen import XTERM, Size
from coop.model.state import AgentState, ExitStatus, Idle, Prompted, Tier, Working
from coop.session.core import CoreSettings, SessionCore
from coop.session.tally import MOST_NAMES, OTHER, Histogram, Tally
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.ring import Ring

ASKED = Question(PromptId("p1"), "Which?")


@pytest.fixture
def core() -> SessionCore:
    return SessionCore(CoreSettings("e"), agent=claude(), screen=GhosttyScreen(Size(80, 24), XTERM), ring=Ring(4096), now=10.0)


@pytest.fixture
def tally(core: SessionCore) -> Tally:
    return Tally(core, 10.0)


def event(at: float, fact: Fact) -> Event:
    return Event(EventSeq(1), "e", at, fact)


def becomes(at: float, state: AgentState) -> Event:
    return event(at, StateChanged(Idle(), state, 0))


def believe(core: SessionCore, state: AgentState, tier: Tier, **said: Claim) -> None:
    words = {Tier(name): Observation(claim, Tier(name), 0.0) for name, claim in said.items()}
    core.insight.belief = replace(core.belief, state=state, tier=tier, said=words)


def test_seconds_add_up_to_the_time_that_has_passed(tally: Tally) -> None:
    for at, state in ((12.0, Idle()), (15.0, Working()), (16.0, Idle())):
        tally.on_event(becomes(at, state))
    assert tally.seconds(20.0) == {"starting": 2.0, "waiting_for_input": 7.0, "working": 1.0}
    assert tally.seconds(20.0) == tally.seconds(20.0)  # a look changes nothing


def test_prompts_are_told_apart_by_type_and_outcome(tally: Tally) -> None:
    for outcome in ("answered", None):
        tally.on_event(becomes(1.0, Prompted(ASKED)))
        tally.on_event(becomes(4.0, Working()))
        tally.on_event(event(4.0, PromptAnswered(ASKED, "api", outcome)))
    assert {labels: (each.total, sum(each.counts)) for labels, each in tally.prompts.items()} == {
        ("question", "answered"): (3.0, 1),
        ("question", "unknown"): (3.0, 1),
    }


def test_a_source_that_says_otherwise_is_counted_once_and_for_as_long_as_it_does(core: SessionCore, tally: Tally) -> None:
    believe(core, Working(), Tier.HOOKS, hooks=Working(), screen=Idle())
    for now in (11.0, 12.0, 13.0):
        tally.on_item(now)
    believe(core, Working(), Tier.HOOKS, hooks=Working(), screen=Working("thinking"))
    tally.on_item(14.0)
    tally.on_item(20.0)
    assert (dict(tally.disagreement.times), dict(tally.disagreement.seconds)) == ({"screen": 1}, {"screen": 3.0})


def test_whoever_decides_agrees_and_so_does_who_says_that_it_waits(core: SessionCore, tally: Tally) -> None:
    believe(core, Prompted(ASKED), Tier.HOOKS, hooks=Working(), status_file=Waits(), session_log=Working())
    tally.on_item(11.0)
    assert dict(tally.disagreement.times) == {"session_log": 1}


def test_after_the_end_nobody_disagrees(core: SessionCore, tally: Tally) -> None:
    tally.on_event(event(11.0, SessionEnded(ExitStatus(0))))
    believe(core, Working(), Tier.HOOKS, screen=Idle())
    tally.on_item(12.0)
    tally.on_item(13.0)
    assert not tally.disagreement.times


def test_names_of_hooks_cannot_be_made_up_without_end(tally: Tally) -> None:
    for number in range(MOST_NAMES + 50):
        tally.hook_answered(f"Made{number}", 0.001)
    assert len(tally.hooks) == MOST_NAMES + 1
    assert sum(tally.hooks[OTHER].counts) == 50


def test_a_histogram_counts_up_to_each_bound() -> None:
    histogram = Histogram((1.0, 2.0))
    for value in (0.5, 1.0, 1.5, 7.0):
        histogram.add(value)
    assert histogram.cumulative() == [("1.0", 2.0), ("2.0", 3.0), ("+Inf", 4.0)]
    assert histogram.total == 10.0
