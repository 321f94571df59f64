from dataclasses import replace

import pytest

from coop.detect.belief import (
    BACKGROUND_OVER_AFTER,
    DIALOG_GONE_AFTER,
    RAISED_AFTER,
    SETTLE_WINDOW,
    STATUS_STUCK_AFTER,
    STRANGE_AFTER,
    STUCK_AFTER,
    UNRECOGNIZED_AFTER,
    Belief,
    Closed,
    Kept,
    Observation,
    Opened,
    Seen,
    revise,
)
from coop.model.ids import PromptId
from coop.model.prompt import Permission, Question, Setup
from coop.model.readings import Claim, Waits
from coop.model.state import AgentState, AltScreen, Exited, ExitStatus, Failed, Idle, Prompted, Starting, Tier, Working

WORKING = Belief(Working(), Tier.SCREEN, since=0.0)
STARTING = Belief(Starting(), Tier.PROCESS, since=0.0)
BASH = Permission(PromptId("p1"), "Bash", {"command": "ls"})
EDIT = Permission(PromptId("p2"), "Edit", {"file_path": "a.py"})
TRUST = Setup(PromptId("p3"), "trust", "Accessing workspace:")
UNRECOGNIZED = Question(PromptId("p4"), "Shall we?", ("Aye", "Nay"), subtype="unrecognized")
EXITED = Exited(ExitStatus(0))
PRIMARY = (Tier.HOOKS, Tier.SESSION_LOG, Tier.STDOUT_JSONL, Tier.STATUS_FILE)


def seen(state: Claim | Exited, at: float, tier: Tier = Tier.SCREEN, *, final: bool = True) -> Observation:
    return Observation(state, tier, at, final)


def hooks(state: Claim, at: float, *, final: bool = True) -> Observation:
    return seen(state, at, Tier.HOOKS, final=final)


def log(state: Claim, at: float, *, final: bool = True) -> Observation:
    return seen(state, at, Tier.SESSION_LOG, final=final)


def status(state: Claim, at: float) -> Observation:
    return seen(state, at, Tier.STATUS_FILE)


def told(belief: Belief, *words: Observation, grace: float = 60.0) -> Belief:
    """After each of these was seen, at its own time."""
    for word in words:
        belief = revise(belief, word, word.at, grace=grace)
    return belief


def after(belief: Belief, now: float, *words: Seen, grace: float = 60.0) -> AgentState:
    """The state at that time, after these were seen then."""
    for word in (*words, None):
        belief = revise(belief, word, now, grace=grace)
    return belief.state


# The screen alone


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
    assert active.grace_remaining(30.0) is None
    assert revise(active, None, 100.0, grace=60).state == Working()


def test_output_at_the_prompt_starts_the_grace_anew() -> None:
    waiting = revise(WORKING, seen(Idle(), 5.0), 5.0, grace=60)
    again = revise(waiting, seen(Idle(), 30.0), 30.0, grace=60)
    assert again.due == 90.0


def test_a_log_that_grows_starts_the_grace_anew_whatever_is_written_there() -> None:
    waiting = revise(WORKING, seen(Idle(), 5.0), 5.0, grace=60)
    grown = revise(replace(waiting, grew_at=40.0), None, 40.0, grace=60)
    assert grown.grace_remaining(40.0) == 60.0
    assert revise(grown, None, 99.9, grace=60).state == Working()
    assert revise(grown, None, 100.0, grace=60).state == Idle()


def test_the_alternate_screen_is_believed_after_half_a_second() -> None:
    waiting = revise(WORKING, seen(AltScreen(), 5.0), 5.0, grace=60)
    assert waiting.state == Working()
    assert waiting.grace_remaining(5.0) is None
    assert revise(waiting, None, 5.5, grace=60).state == AltScreen()


def test_since_is_when_the_state_came_and_stays() -> None:
    idle = revise(WORKING, seen(Idle(), 5.0), 65.0, grace=60)
    assert idle.since == 65.0
    assert revise(idle, seen(Idle(), 70.0), 70.0, grace=60).since == 65.0


def test_a_resting_screen_is_idle_when_the_agents_own_report_agrees() -> None:
    """But not at once: when it starts, a dialog may still come."""
    said = seen(Idle(), 5.0, Tier.TERMINAL_REPORT), seen(Idle(), 5.0)
    for before in (STARTING, WORKING):
        assert told(before, *said).state == before.state
        assert after(told(before, *said), 6.1) == Idle()


def test_a_report_alone_says_nothing() -> None:
    assert told(WORKING, seen(Idle(), 5.0, Tier.TERMINAL_REPORT)).state == Working()
    assert told(STARTING, seen(Working(), 5.0, Tier.TERMINAL_REPORT)).state == Starting()


@pytest.mark.parametrize("tier", [Tier.TERMINAL_REPORT, Tier.STATUS_FILE])
@pytest.mark.parametrize("claim", [Working(), Waits()])
def test_no_grace_makes_an_agent_idle_that_says_it_is_not(tier: Tier, claim: Claim) -> None:
    belief = told(WORKING, seen(claim, 5.0, tier), seen(Idle(), 5.0))
    assert after(belief, 1000.0) == Working()


# Exit


def test_exit_is_final() -> None:
    exited = revise(WORKING, seen(EXITED, 5.0, Tier.PROCESS), 5.0, grace=60)
    assert revise(exited, seen(Working(), 6.0), 6.0, grace=60) == exited


def test_exit_outranks_everything() -> None:
    belief = told(revise(WORKING, Opened(BASH), 1.0, grace=60), hooks(Failed("no"), 2.0), seen(Prompted(EDIT), 3.0))
    exited = told(belief, seen(EXITED, 4.0, Tier.PROCESS))
    assert exited.state == EXITED
    for word in (Opened(EDIT), Closed(BASH.id), Kept("background"), hooks(Working(), 9.0), None):
        assert revise(exited, word, 9.0, grace=60) == exited


# The end of a turn


@pytest.mark.parametrize("tier", PRIMARY)
def test_the_end_of_a_turn_can_be_contradicted_for_half_a_second(tier: Tier) -> None:
    ended = told(WORKING, seen(Working(), 1.0, tier), seen(Idle(), 5.0, tier, final=False))
    assert ended.state == Working()
    assert ended.grace_remaining(5.0) == SETTLE_WINDOW
    assert after(ended, 5.49) == Working()
    assert after(ended, 5.5) == Idle()


def test_a_second_source_ends_the_settle_window() -> None:
    ended = told(WORKING, hooks(Idle(), 5.0, final=False))
    assert after(ended, 5.1, status(Idle(), 5.1)) == Idle()
    assert after(ended, 5.1, seen(Idle(), 5.1)) == Idle()


def test_two_sources_that_can_both_be_overruled_are_no_proof() -> None:
    ended = told(WORKING, hooks(Idle(), 5.0, final=False), log(Idle(), 5.1, final=False))
    assert ended.state == Working()
    assert after(ended, 5.1 + SETTLE_WINDOW) == Idle()


@pytest.mark.parametrize("tier", [Tier.STATUS_FILE, Tier.SCREEN, Tier.TERMINAL_REPORT])
def test_whoever_still_sees_work_keeps_a_turn_from_ending(tier: Tier) -> None:
    """A stop hook of somebody else may have sent the agent on."""
    ended = told(WORKING, seen(Working(), 4.0, tier), hooks(Idle(), 5.0, final=False))
    assert after(ended, 100.0) == Working()


@pytest.mark.parametrize(("tier", "patience"), [(Tier.SCREEN, STUCK_AFTER), (Tier.STATUS_FILE, STATUS_STUCK_AFTER)])
def test_one_source_that_still_sees_work_is_outvoted_by_two_that_rest(tier: Tier, patience: float) -> None:
    resting = Tier.STATUS_FILE if tier is Tier.SCREEN else Tier.TERMINAL_REPORT
    works = told(STARTING, hooks(Working(), 2.0), seen(Working(), 3.0, tier))
    ended = told(works, seen(Idle(), 4.0, resting), hooks(Idle(), 5.0, final=False))
    assert after(ended, 5.0 + patience - 0.01) == Working()
    assert after(ended, 5.0 + patience) == Idle()


def test_who_rested_before_the_turn_began_is_no_second_source() -> None:
    belief = told(WORKING, log(Idle(), 1.0), hooks(Working(), 2.0), hooks(Idle(), 5.0, final=False))
    assert belief.state == Working()
    assert after(belief, 5.0 + SETTLE_WINDOW) == Idle()


def test_work_that_is_told_of_after_the_end_of_a_turn_counts() -> None:
    ended = told(WORKING, hooks(Idle(), 5.0, final=False), hooks(Working("stop blocked"), 5.2))
    assert after(ended, 100.0) == Working("stop blocked")


def test_a_word_that_comes_late_counts_from_when_it_was_said() -> None:
    belief = told(WORKING, hooks(Working(), 5.0))
    assert after(belief, 6.0, log(Idle(), 4.0)) == Working()
    assert after(belief, 6.0, log(Idle(), 5.2)) == Idle()


def test_the_screen_never_ends_work_that_the_agent_told_of() -> None:
    belief = told(WORKING, hooks(Working(), 5.0), seen(Idle(), 6.0))
    assert belief.state == Working()
    assert after(belief, 65.9) == Working()
    assert after(belief, 66.0) == Idle()


def test_the_grace_counts_from_the_last_word_of_anybody() -> None:
    belief = told(WORKING, seen(Idle(), 6.0), hooks(Working(), 10.0))
    assert after(belief, 69.9) == Working()
    assert after(belief, 70.0) == Idle()


@pytest.mark.parametrize("why", ["background", "queued"])
def test_what_goes_on_after_a_turn_keeps_the_agent_at_work(why: str) -> None:
    kept = revise(told(WORKING, hooks(Working(), 1.0)), Kept(why), 4.0, grace=60)
    ended = told(kept, hooks(Idle(), 5.0), status(Idle(), 5.0), seen(Idle(), 5.0))
    assert ended.state == Working(why)
    assert after(ended, 1000.0, Kept(None)) == Idle()


def test_messages_that_wait_keep_it_at_work_for_as_long_as_they_do() -> None:
    kept = revise(told(WORKING, hooks(Working(), 1.0)), Kept("queued"), 4.0, grace=60)
    assert after(told(kept, hooks(Idle(), 5.0), status(Idle(), 5.0), seen(Idle(), 5.0)), 1000.0) == Working("queued")


def test_background_work_is_over_when_the_status_file_says_so_for_a_while() -> None:
    kept = revise(told(WORKING, hooks(Working(), 1.0)), Kept("background"), 4.0, grace=60)
    ended = told(kept, hooks(Idle(), 5.0), status(Idle(), 5.0), seen(Idle(), 5.0))
    assert after(ended, 5.0 + BACKGROUND_OVER_AFTER - 0.01) == Working("background")
    assert after(ended, 5.0 + BACKGROUND_OVER_AFTER) == Idle()


def test_a_quiet_screen_does_not_outvote_a_status_file_that_says_busy() -> None:
    works = told(STARTING, hooks(Working(), 2.0), status(Working(), 3.0))
    ended = told(works, seen(Idle(), 4.0), hooks(Idle(), 5.0, final=False))
    assert after(ended, 100.0) == Working()


def test_a_hook_that_comes_late_is_outvoted() -> None:
    rested = told(STARTING, hooks(Idle(), 2.0), status(Idle(), 2.0), seen(Idle(), 2.0))
    late = told(rested, hooks(Working(), 10.0))
    assert late.state == Working()
    assert after(late, 10.0 + STUCK_AFTER) == Idle()


# Work on the screen


def resting() -> Belief:
    """Idle since 6.0, while the screen still shows what was done."""
    worked = told(STARTING, hooks(Working(), 3.0), seen(Working(), 4.0))
    ended = told(worked, hooks(Idle(), 5.0, final=False), status(Idle(), 5.0))
    return revise(ended, None, 6.0, grace=60)


def test_what_the_screen_still_shows_of_the_last_turn_is_no_work() -> None:
    belief = resting()
    assert belief.state == Idle()
    assert after(belief, 8.0, seen(Working(), 8.0)) == Idle()


def test_the_screen_raises_work_when_it_begins_and_lasts() -> None:
    belief = told(resting(), seen(Idle(), 6.5), seen(Working(), 8.0))
    assert belief.state == Idle()
    assert belief.due == 8.0 + RAISED_AFTER
    raised = revise(belief, None, 8.0 + RAISED_AFTER, grace=60)
    assert (raised.state, raised.tier) == (Working(), Tier.SCREEN)


def test_a_flash_of_work_is_none() -> None:
    belief = told(resting(), seen(Idle(), 6.5), seen(Working(), 8.0), seen(Idle(), 8.1))
    assert after(belief, 9.0) == Idle()


def test_the_screen_raises_work_at_once_when_a_report_agrees() -> None:
    working = seen(Working(), 8.0)
    reported = replace(working, tier=Tier.TERMINAL_REPORT)
    assert told(resting(), seen(Idle(), 6.5), reported, working).state == Working()
    old = replace(reported, at=1.0)  # of the turn before
    assert told(resting(), seen(Idle(), 6.5), old, working).state == Idle()


def test_work_the_screen_raised_ends_when_the_screen_rests() -> None:
    raised = revise(told(resting(), seen(Idle(), 6.5), seen(Working(), 8.0)), None, 8.5, grace=60)
    assert told(raised, seen(Idle(), 9.0)).state == Idle()


def test_the_screen_tells_what_kind_of_work_it_is() -> None:
    belief = told(STARTING, hooks(Working(), 1.0), seen(Working("retrying 2/10"), 2.0))
    assert belief.state == Working("retrying 2/10")


def test_an_agent_has_started_when_its_composer_is_drawn() -> None:
    started = told(STARTING, hooks(Idle(), 1.0, final=False))
    assert after(started, 100.0) == Starting()
    assert after(started, 100.0, seen(Idle(), 99.0)) == Idle()


def test_the_first_prompt_is_not_yet_work() -> None:
    """The log and the screen say idle while the agent starts: nobody has given it anything to do."""
    assert told(STARTING, log(Idle(), 1.0, final=False)).state == Starting()
    assert told(STARTING, seen(Idle(), 1.0)).state == Starting()


# Errors


@pytest.mark.parametrize("tier", PRIMARY)
def test_an_error_stays_until_a_new_turn_begins(tier: Tier) -> None:
    failed = told(WORKING, seen(Failed("no"), 5.0, tier))
    assert (failed.state, failed.tier) == (Failed("no"), tier)
    others = [seen(Idle(), 6.0, each) for each in (*PRIMARY, Tier.SCREEN, Tier.TERMINAL_REPORT) if each is not tier]
    failed = told(failed, *others)
    assert after(failed, 1000.0) == Failed("no")
    assert after(failed, 1000.0, hooks(Working(), 1000.0)) == Working()


def test_the_screen_raises_work_after_an_error() -> None:
    failed = told(WORKING, seen(Idle(), 4.0), hooks(Failed("no"), 5.0))
    assert after(failed, 6.0, seen(Working(), 6.0)) == Failed("no")
    assert after(told(failed, seen(Working(), 6.0)), 6.0 + RAISED_AFTER) == Working()


def test_the_screen_raises_work_after_an_error_though_others_rest() -> None:
    failed = told(WORKING, hooks(Failed("no"), 5.0), status(Idle(), 5.1), seen(Idle(), 5.2))
    begins = told(failed, seen(Working(), 8.0))
    assert begins.state == Failed("no")
    assert after(begins, 8.0 + RAISED_AFTER) == Working()


def test_a_word_from_before_the_error_does_not_end_it() -> None:
    failed = told(WORKING, hooks(Failed("no"), 5.0))
    assert after(failed, 5.1, log(Working(), 4.0)) == Failed("no")


# Prompts


def test_a_prompt_whose_hook_is_held_is_open_until_it_is_closed() -> None:
    asks = revise(told(WORKING, hooks(Working(), 1.0)), Opened(BASH), 2.0, grace=60)
    assert (asks.state, asks.tier) == (Prompted(BASH), Tier.HOOKS)
    assert after(asks, 1000.0, seen(Idle(), 900.0), log(Working(), 999.0)) == Prompted(BASH)
    assert after(asks, 1000.0, Closed(BASH.id)) == Working()


def test_a_prompt_that_is_told_again_keeps_its_place() -> None:
    asks = revise(revise(WORKING, Opened(BASH), 1.0, grace=60), Opened(EDIT), 2.0, grace=60)
    again = replace(BASH, options=("Yes", "No"))
    assert after(asks, 3.0, Opened(again)) == Prompted(again, (again, EDIT))


def test_of_several_prompts_the_oldest_is_named_until_the_screen_shows_which() -> None:
    asks = revise(revise(WORKING, Opened(BASH), 1.0, grace=60), Opened(EDIT), 2.0, grace=60)
    assert asks.state == Prompted(BASH, (BASH, EDIT))
    assert after(asks, 3.0, seen(Prompted(EDIT), 3.0)) == Prompted(EDIT, (BASH, EDIT))
    assert after(asks, 3.0, seen(Prompted(EDIT), 3.0), Closed(EDIT.id)) == Prompted(BASH)


def test_closing_what_is_not_open_does_nothing() -> None:
    asks = revise(WORKING, Opened(BASH), 1.0, grace=60)
    assert after(asks, 2.0, Closed(EDIT.id)) == Prompted(BASH)


def test_a_dialog_on_the_screen_is_believed_at_once() -> None:
    belief = told(WORKING, hooks(Working(), 1.0), seen(Prompted(BASH), 2.0))
    assert (belief.state, belief.tier) == (Prompted(BASH), Tier.SCREEN)


def test_a_newer_word_of_the_agent_gets_half_a_second_to_take_the_dialog_off_the_screen() -> None:
    belief = told(WORKING, seen(Prompted(BASH), 2.0), hooks(Working(), 3.0))
    assert belief.state == Working()
    assert after(belief, 3.0 + DIALOG_GONE_AFTER - 0.01) == Working()
    assert after(belief, 3.0 + DIALOG_GONE_AFTER) == Prompted(BASH)


@pytest.mark.parametrize("word", [status(Waits("permission prompt"), 3.0), log(Working(), 3.0)])
def test_neither_waiting_nor_the_log_contradicts_a_dialog(word: Observation) -> None:
    assert told(WORKING, seen(Prompted(BASH), 2.0), word).state == Prompted(BASH)


def test_a_dialog_must_be_gone_for_half_a_second() -> None:
    asks = told(WORKING, status(Waits(), 1.0), seen(Prompted(BASH), 2.0))
    gone = told(asks, seen(Idle(), 5.0))
    assert gone.state == Prompted(BASH)
    assert after(gone, 5.0 + DIALOG_GONE_AFTER - 0.01) == Prompted(BASH)
    assert after(gone, 5.0 + DIALOG_GONE_AFTER) == Working()


def test_a_dialog_that_flickers_is_the_same_prompt() -> None:
    asks = told(WORKING, status(Waits(), 1.0), seen(Prompted(BASH), 2.0))
    again = told(asks, seen(Idle(), 5.0), seen(Prompted(BASH), 5.2))
    assert (again.state, again.since) == (Prompted(BASH), asks.since)


def test_a_dialog_that_flickers_is_the_same_prompt_though_the_log_told_of_work_before_it() -> None:
    asks = told(WORKING, log(Working(), 1.0), seen(Prompted(BASH), 2.0))
    assert told(asks, seen(Idle(), 5.0)).state == Prompted(BASH)


def test_what_comes_after_a_setup_dialog_is_still_the_start() -> None:
    asks = told(STARTING, seen(Prompted(TRUST), 2.0))
    assert asks.state == Prompted(TRUST)
    assert after(told(asks, seen(Idle(), 5.0)), 5.5) == Starting()


def test_an_unrecognized_dialog_is_named_when_the_agent_has_waited_for_a_second() -> None:
    belief = told(WORKING, hooks(Working(), 1.0), seen(Prompted(UNRECOGNIZED), 2.0, final=False))
    assert after(belief, 100.0) == Working()
    waits = told(belief, status(Waits("input"), 3.0))
    assert waits.state == Working()
    assert after(waits, 3.0 + UNRECOGNIZED_AFTER - 0.01) == Working()
    assert after(waits, 3.0 + UNRECOGNIZED_AFTER) == Prompted(UNRECOGNIZED)


def test_an_unrecognized_dialog_while_it_starts_is_told_though_nobody_says_that_it_waits() -> None:
    asks = told(STARTING, seen(Prompted(UNRECOGNIZED), 2.0, final=False))
    assert after(asks, 2.0 + STRANGE_AFTER - 0.01) == Starting()
    assert after(asks, 2.0 + STRANGE_AFTER) == Prompted(UNRECOGNIZED)
    asked = revise(asks, None, 2.0 + STRANGE_AFTER, grace=60.0)
    assert after(asked, 100.0) == Prompted(UNRECOGNIZED)
    assert after(told(asked, seen(Idle(), 200.0)), 200.0 + DIALOG_GONE_AFTER) == Starting()
    bare = Prompted(replace(UNRECOGNIZED, options=()))
    assert after(told(STARTING, seen(bare, 2.0, final=False)), 100.0) == Starting()


def test_an_unrecognized_dialog_where_the_input_should_be_is_told_of_an_agent_at_rest() -> None:
    rests = told(STARTING, hooks(Idle(), 1.0), seen(Prompted(UNRECOGNIZED), 2.0, final=False))
    assert after(rests, 2.0 + UNRECOGNIZED_AFTER - 0.01) == Starting()
    assert after(rests, 2.0 + UNRECOGNIZED_AFTER) == Prompted(UNRECOGNIZED)


def test_an_agent_that_waits_with_nothing_on_the_screen_is_not_said_to_ask() -> None:
    belief = told(WORKING, hooks(Working(), 1.0), status(Waits("something"), 2.0))
    assert after(belief, 100.0) == Working()


# Telling why


def test_a_belief_says_by_which_rule_and_what_would_change_it() -> None:
    ended = told(WORKING, hooks(Idle(), 5.0), status(Idle(), 5.0))
    assert ended.rule == "the turn has ended, and a second source agrees"
    assert ended.unless
    assert told(STARTING).rule == "nothing has been said yet"


def test_what_is_pending_says_when() -> None:
    belief = told(WORKING, hooks(Idle(), 5.0, final=False))
    assert belief.due == 5.0 + SETTLE_WINDOW
    assert told(belief, status(Idle(), 5.1)).due is None


# Reports to the terminal


def report(state: Claim, at: float) -> Observation:
    return seen(state, at, Tier.TERMINAL_REPORT)


@pytest.mark.parametrize("state", [Idle(), Working(), Failed("no"), Prompted(BASH)])
def test_a_report_never_counts_alone_for_an_agent_with_words_of_its_own(state: Claim) -> None:
    assert after(told(STARTING, report(state, 1.0)), 50.0) == Starting()
    assert after(told(STARTING, hooks(Working(), 1.0), report(state, 2.0)), 50.0) == Working()


def test_a_report_of_work_keeps_a_configured_agent_from_idle() -> None:
    belief = replace(STARTING, by_hints=True)
    busy = told(belief, seen(Idle(), 1.0), report(Working(), 1.5), grace=1.0)
    assert after(busy, 30.0, grace=1.0) == Working()
    assert after(told(busy, report(Idle(), 31.0), grace=1.0), 31.0, grace=1.0) == Idle()


def test_a_report_of_rest_needs_the_screen_of_a_configured_agent() -> None:
    belief = told(replace(STARTING, by_hints=True), seen(Working(), 1.0), report(Idle(), 2.0))
    assert after(belief, 50.0) == Working()


def test_what_asks_something_unnamed_is_told_when_the_screen_does_not_name_it_either() -> None:
    belief = told(replace(STARTING, by_hints=True), seen(Idle(), 1.0), report(Prompted(UNRECOGNIZED), 2.0), grace=0.0)
    assert after(belief, 2.0 + UNRECOGNIZED_AFTER, grace=0.0) == Prompted(UNRECOGNIZED)
