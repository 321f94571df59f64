from dataclasses import replace

from coop.detect.belief import Belief, Observation, revise
from coop.model.state import AgentState, AltScreen, Exited, ExitStatus, Failed, Idle, Tier, Working

WORKING = Belief(Working(), Tier.SCREEN, since=0.0)


def seen(state: AgentState, at: float, tier: Tier = Tier.SCREEN) -> Observation:
    return Observation(state, tier, at)


def test_work_and_errors_are_believed_at_once() -> None:
    idle = replace(WORKING, state=Idle())
    assert revise(idle, seen(Working(), 5.0), 5.0, grace=60).state == Working()
    assert revise(WORKING, seen(Failed("no"), 5.0), 5.0, grace=60).state == Failed("no")


def test_a_quiet_screen_is_idle_only_after_the_grace() -> None:
    waiting = revise(WORKING, seen(Idle(), 5.0), 5.0, grace=60)
    assert waiting.state == Working()
    assert waiting.grace_remaining(15.0) == 50.0
    assert revise(waiting, None, 64.9, grace=60).state == Working()
    assert revise(waiting, None, 65.0, grace=60).state == Idle()


def test_activity_cancels_the_grace() -> None:
    waiting = revise(WORKING, seen(Idle(), 5.0), 5.0, grace=60)
    active = revise(waiting, seen(Working(), 30.0), 30.0, grace=60)
    assert active.pending is None
    assert revise(active, None, 100.0, grace=60).state == Working()


def test_output_at_the_prompt_starts_the_grace_anew() -> None:
    waiting = revise(WORKING, seen(Idle(), 5.0), 5.0, grace=60)
    again = revise(waiting, seen(Idle(), 30.0), 30.0, grace=60)
    assert again.due == 90.0


def test_the_alternate_screen_is_believed_after_half_a_second() -> None:
    waiting = revise(WORKING, seen(AltScreen(), 5.0), 5.0, grace=60)
    assert waiting.state == Working()
    assert waiting.grace_remaining(5.0) is None
    assert revise(waiting, None, 5.5, grace=60).state == AltScreen()


def test_exit_is_final() -> None:
    exited = revise(WORKING, seen(Exited(ExitStatus(0)), 5.0, Tier.PROCESS), 5.0, grace=60)
    assert revise(exited, seen(Working(), 6.0), 6.0, grace=60) == exited


def test_since_is_when_the_state_came_and_stays() -> None:
    idle = revise(WORKING, seen(Idle(), 5.0), 65.0, grace=60)
    assert idle.since == 65.0
    assert revise(idle, seen(Idle(), 70.0), 70.0, grace=60).since == 65.0
