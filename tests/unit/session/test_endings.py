"""Which prompts are over though their hooks still wait: told by what the agent says and shows meanwhile."""

from dataclasses import replace

import pytest

from coop.detect.belief import DIALOG_GONE_AFTER, Belief, Observation
from coop.model.ids import PromptId
from coop.model.prompt import Permission
from coop.model.readings import Waits
from coop.model.state import Idle, Prompted, Starting, Tier, Working
from coop.session.endings import JUST_COME, Endings, undrawn

P1, P2 = PromptId("p1"), PromptId("p2")
BASH = Permission(P1, "Bash", {}, ("Yes", "No"), ("a dialog",))
OPENED = {P1: 1.0}


def believed(*words: Observation, prompt: Permission = BASH) -> Belief:
    return replace(Belief(Starting(), Tier.PROCESS, 0.0), said={word.tier: word for word in words}, open=(prompt,))


WAITS = Observation(Waits("permission"), Tier.STATUS_FILE, 2.0)
BUSY = Observation(Working(), Tier.STATUS_FILE, 3.0)
GONE = Observation(Idle(), Tier.SCREEN, 3.0, began=3.0)


def test_it_is_open_for_as_long_as_the_agent_says_that_it_waits() -> None:
    endings = Endings()
    endings.on_open(P1, believed(WAITS))
    assert endings.over(OPENED, believed(WAITS), 100.0) == ()
    assert endings.over(OPENED, believed(BUSY), 3.0) == (P1,)


def test_what_the_status_file_said_of_the_one_before_is_not_of_this() -> None:
    endings = Endings()
    endings.on_close(P2, 2.5)
    endings.on_open(P1, believed(WAITS))
    assert endings.over(OPENED, believed(BUSY), 3.0) == ()


@pytest.mark.parametrize(("subagent", "over"), [(None, (P1,)), ("explorer", ())])
def test_without_a_status_file_the_next_hook_says_that_it_is_over(subagent: str | None, over: tuple[PromptId, ...]) -> None:
    said = believed(Observation(Working(), Tier.HOOKS, 2.0), prompt=replace(BASH, subagent=subagent))
    assert Endings().over(OPENED, said, 2.0) == over


def test_a_dialog_that_was_drawn_is_over_when_it_has_been_gone_for_a_while() -> None:
    endings = Endings()
    assert endings.gone_at(P1, believed(GONE)) is None, "it was never drawn"
    endings.on_shown(P1, OPENED, 2.0)
    assert endings.gone_at(P1, believed(Observation(Prompted(BASH), Tier.SCREEN, 2.0))) is None
    due = endings.gone_at(P1, believed(GONE))
    assert due == GONE.began + DIALOG_GONE_AFTER
    assert (endings.over(OPENED, believed(GONE), due - 0.01), endings.over(OPENED, believed(GONE), due)) == ((), (P1,))


def test_one_that_makes_way_for_another_is_over_unless_the_other_has_only_just_come() -> None:
    both = {P1: 1.0, P2: 5.0}
    endings = Endings()
    endings.on_shown(P1, both, 2.0)
    endings.on_shown(P2, both, 5.0 + JUST_COME)
    assert (endings.covered, endings.over(both, believed(), 6.0)) == ({P1}, ())
    endings.on_shown(P1, both, 6.0)
    endings.on_shown(P2, both, 5.1 + JUST_COME)
    assert P1 in endings.over(both, believed(), 6.0)


def test_one_that_no_hook_waits_for_is_named_when_another_takes_its_place() -> None:
    endings = Endings()
    assert endings.on_shown(P1, {}, 1.0) is None
    assert endings.on_shown(P2, {P2: 1.0}, 2.0) == P1


def test_what_a_subagent_asks_and_nobody_has_seen_is_not_over() -> None:
    hidden = replace(BASH, screen_lines=(), subagent="explorer")
    endings = Endings()
    endings.on_waits(OPENED)
    assert undrawn(believed(prompt=hidden)) == (P1,)
    assert endings.over(OPENED, believed(BUSY, prompt=hidden), 9.0) == ()


def test_what_is_closed_is_forgotten() -> None:
    endings = Endings()
    endings.on_shown(P1, OPENED, 1.0)
    endings.end(P1)
    assert endings.over(OPENED, believed(), 1.0) == (P1,)
    endings.on_close(P1, 2.0)
    assert (endings.shown, endings.over(OPENED, believed(), 2.0)) == (None, ())
