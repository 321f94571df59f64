"""What Claude Code asks, and how it is answered: by the hook that asked, else by keys, or by somebody at the keyboard."""

import json
import signal
from dataclasses import replace

import pytest

from coop.agents.claude import claude
from coop.detect.belief import ANSWERED_GONE_AFTER
from coop.model.commands import Answer, Delivered, Reason, Refused, Respond, Type
from coop.model.events import PromptAnswered, SessionEnded, ShutdownStarted, StateChanged
from coop.model.ids import HookId, PromptId
from coop.model.prompt import Permission, Plan, Question, Setup
from coop.model.records import ChildExited, HookAsked, HookGone, HookRecord, OutputEnded, PlanText, ShuttingDown, Written
from coop.model.screen import ScreenSnapshot, Size
from coop.model.state import ExitStatus, Prompted, Working
from coop.session.answering import OUTCOME_WITHIN, said_in
from coop.session.effects import Effect, FollowPlan, Reply, ReplyHook, SendSignal, Write
from coop.session.hidden import DRAWN_WITHIN, HIDDEN_AFTER
from coop.testing import Playbook
from tests.playbooks.claude import (
    ALLOW,
    ONE,
    RESTS,
    SETTLE,
    TWO,
    WORKS,
    asks,
    bash,
    becomes,
    facts,
    idle_claude,
    logged,
    published,
    refused,
    replied,
    shows,
    status,
    told,
    typed,
)
from tests.playbooks.conftest import MakePlay
from tests.unit.agents.claude.screens import RULE, dialog_screens, drawn

P1, P2 = PromptId("p1"), PromptId("p2")
YES, NO = Respond(accept=True), Respond(accept=False)


def working(make_play: MakePlay) -> Playbook:
    play = idle_claude(make_play) >> told("UserPromptSubmit", 1, prompt="go") >> WORKS
    play = play.after(0.5)
    assert play.core.belief.state == Working()
    play.effects.clear()
    return play


def asked(make_play: MakePlay, command: str = "ls") -> Playbook:
    """A permission is asked for, and its dialog is drawn."""
    play = working(make_play) >> asks(7, command)
    play = (play >> shows(bash(command))).after(SETTLE)
    assert isinstance(play.core.belief.state, Prompted)
    play.effects.clear()
    return play


def answered(play: Playbook) -> list[PromptAnswered]:
    return [fact for fact in facts(play) if isinstance(fact, PromptAnswered)]


def hook_replies(play: Playbook) -> list[tuple[int, bytes]]:
    return [(effect.id, effect.body) for effect in play.effects if isinstance(effect, ReplyHook)]


def delivered(effect: Effect) -> Delivered:
    assert isinstance(effect, Reply)
    assert isinstance(effect.outcome, Delivered)
    return effect.outcome


def test_a_permission_is_told_at_once_and_again_when_its_dialog_is_drawn(make_play: MakePlay) -> None:
    play = working(make_play) >> asks(7, "ls")
    told_of = Permission(P1, "Bash", {"command": "ls"})
    play = play << becomes(Prompted(told_of))
    assert play.done()
    (changed,) = facts((play >> shows(bash("ls"))).after(SETTLE))
    assert isinstance(changed, StateChanged)
    assert isinstance(changed.current, Prompted)
    drawn_prompt = changed.current.prompt
    assert (drawn_prompt.id, drawn_prompt.options) == (P1, ("Yes", "Yes, and always allow it", "No"))


# By hook


def test_a_permission_is_answered_by_the_hook_that_asked(make_play: MakePlay) -> None:
    play = asked(make_play)
    before = play.core.belief.state
    assert isinstance(before, Prompted)
    play = play.asks(YES) << replied(7, ALLOW)
    play = play << Reply(ONE, Delivered(before, None, "accepted", "hook", before.prompt)) << becomes(Working())
    assert (play << published(lambda fact: fact == PromptAnswered(before.prompt, "api", "accepted"))).done()


def test_what_is_still_drawn_after_an_answer_is_not_asked_again(make_play: MakePlay) -> None:
    play = asked(make_play).asks(YES)
    play.effects.clear()
    play = play.after(0.2) >> WORKS
    play = play.after(5.0)
    assert play.done()
    assert play.core.belief.state == Working()


def test_it_may_be_drawn_once_more_before_it_goes(make_play: MakePlay) -> None:
    play = asked(make_play).asks(YES)
    play.effects.clear()
    again = bash("ls")
    lines = tuple(line.replace("Esc to cancel", "Esc to cancel · Tab to amend") for line in again.lines)
    play = (play.after(0.2) >> shows(replace(again, lines=lines))).after(2.0) >> WORKS
    play = play.after(5.0)
    assert [fact for fact in facts(play) if isinstance(fact, StateChanged)] == []
    assert play.core.belief.state == Working()


def test_an_answer_that_is_not_taken_is_asked_for_again(make_play: MakePlay) -> None:
    play = asked(make_play).asks(YES)
    play.effects.clear()
    play = play.after(5.0)
    assert isinstance(play.core.belief.state, Prompted)
    assert play.core.belief.state.prompt.id == P1


def test_words_go_with_a_no(make_play: MakePlay) -> None:
    play = asked(make_play).asks(Respond(accept=False, text="use mv"))
    reply = play.effects.popleft()
    assert isinstance(reply, ReplyHook)
    decision = json.loads(reply.body)["hookSpecificOutput"]["decision"]
    assert decision == {"behavior": "deny", "message": "use mv", "interrupt": False}
    assert delivered(play.effects.popleft()).effect == "feedback"


def test_an_option_counts_by_its_label(make_play: MakePlay) -> None:
    play = asked(make_play).asks(Respond(option=3))
    assert isinstance(play.effects[0], ReplyHook)
    assert delivered(play.effects[1]).effect == "denied"


def test_questions_are_answered_by_hook(make_play: MakePlay) -> None:
    questions = [{"question": "Which?", "header": "H", "options": [{"label": "A"}, {"label": "B"}], "multiSelect": False}]
    play = working(make_play) >> told("PermissionRequest", 7, tool_name="AskUserQuestion", tool_input={"questions": questions})
    play.effects.clear()
    play = play.asks(Respond(answers=(Answer(("B",)),)))
    reply = play.effects.popleft()
    assert isinstance(reply, ReplyHook)
    decision = json.loads(reply.body)["hookSpecificOutput"]["decision"]
    assert decision["updatedInput"]["answers"] == {"Which?": "B"}
    assert delivered(play.effects.popleft()).effect == "answered"
    assert [(fact.outcome, fact.answer) for fact in answered(play.after(OUTCOME_WITHIN))] == [("answered", "B")]


def test_what_was_answered_at_the_keyboard_is_told_when_the_log_tells_it(make_play: MakePlay) -> None:
    questions = [{"question": "Which?", "header": "H", "options": [{"label": "A"}, {"label": "B"}], "multiSelect": False}]
    play = working(make_play) >> told("PermissionRequest", 7, tool_name="AskUserQuestion", tool_input={"questions": questions})
    result = {"content": [{"type": "tool_result", "content": "User has answered"}]}
    play = play >> HookGone(HookId(7)) >> logged(type="user", message=result, toolUseResult={"answers": {"Which?": "A"}})
    assert [(fact.by, fact.outcome, fact.answer) for fact in answered(play.after(OUTCOME_WITHIN))] == [
        ("keyboard", "answered", "A")
    ]


@pytest.mark.parametrize(
    ("respond", "said"),
    [
        (Respond(accept=True), None),
        (Respond(accept=False, text="use SQLite"), "use SQLite"),
        (Respond(option=2), "No"),
        (Respond(option=9), "9"),
        (Respond(answers=(Answer((1, "No")), Answer((), "own words"))), "Yes, No; own words"),
    ],
)
def test_an_answer_is_told_in_the_words_of_the_dialog(respond: Respond, said: str | None) -> None:
    assert said_in(respond, Permission(P1, "Bash", options=("Yes", "No"))) == said


@pytest.mark.parametrize("respond", [Respond(), Respond(option=9)])
def test_an_answer_that_does_not_fit_is_refused_and_the_hook_still_waits(make_play: MakePlay, respond: Respond) -> None:
    play = asked(make_play).asks(respond)
    assert (play << refused(ONE, Reason.BAD_COMMAND)).done()
    assert play.core.insight.hooks == {P1: HookId(7)}


def test_a_prompt_that_is_no_longer_open_is_not_answered(make_play: MakePlay) -> None:
    play = asked(make_play).asks(Respond(accept=True, prompt_id=PromptId("p99")))
    assert (play << refused(ONE, Reason.PROMPT_CHANGED)).done()


def test_an_agent_that_asks_nothing_is_not_answered(make_play: MakePlay) -> None:
    assert (working(make_play).asks(YES) << refused(ONE, Reason.NO_PROMPT)).done()


# A plan, which a person may change before anybody approves it


def plan_asked(make_play: MakePlay) -> Playbook:
    given = {"tool_name": "ExitPlanMode", "tool_input": {"plan": "# one", "planFilePath": "/p.md"}}
    return working(make_play) >> told("PermissionRequest", 7, **given)


def approved_plan(play: Playbook) -> dict[str, str]:
    (body,) = [body for _, body in hook_replies(play)]
    updated: dict[str, str] = json.loads(body)["hookSpecificOutput"]["decision"]["updatedInput"]
    return updated


def test_a_plan_that_was_changed_is_told_and_approved_as_it_is_now(make_play: MakePlay) -> None:
    play = plan_asked(make_play)
    assert FollowPlan("/p.md") in play.effects
    play = play.after(0.5) >> PlanText("/p.md", "# two")
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert state.prompt == Plan(P1, "# two", "/p.md")
    assert isinstance(facts(play)[-1], StateChanged)
    assert approved_plan(play.asks(YES)) == {"plan": "# two", "planFilePath": "/p.md"}


def test_another_plan_than_the_one_asked_about_changes_nothing(make_play: MakePlay) -> None:
    play = plan_asked(make_play) >> PlanText("/other.md", "# two")
    assert approved_plan(play.asks(YES))["plan"] == "# one"


def test_a_plan_whose_hook_was_let_go_is_told_as_it_is_now(make_play: MakePlay) -> None:
    question = " Claude has written up a plan and is ready to execute. Would you like to proceed?"
    dialog = drawn(RULE, " # one", question, " ❯ 1. Yes", "   2. Tell Claude what to change")
    play = (plan_asked(make_play) >> HookGone(HookId(7)) >> shows(dialog)).after(1.0) >> PlanText("/p.md", "# two")
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert isinstance(state.prompt, Plan)
    assert state.prompt.text == "# two"


# Two at once


def both(make_play: MakePlay) -> Playbook:
    play = working(make_play) >> asks(7, "ls")
    play = play.after(0.05) >> asks(8, "rm -rf tmp")
    play = (play.after(0.05) >> shows(bash("ls"))).after(SETTLE)
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert (state.prompt.id, [prompt.id for prompt in state.prompts]) == (P1, [P1, P2])
    play.effects.clear()
    return play


@pytest.mark.parametrize(("prompt", "hook", "other"), [(P1, 7, P2), (P2, 8, P1)])
def test_of_two_prompts_either_can_be_answered_and_the_other_stays_open(
    make_play: MakePlay, prompt: PromptId, hook: int, other: PromptId
) -> None:
    play = both(make_play).after(1.0).asks(Respond(accept=True, prompt_id=prompt))
    assert hook_replies(play) == [(hook, ALLOW)]
    assert set(play.core.insight.hooks) == {other}
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert state.prompt.id == other


def test_the_one_that_is_not_on_the_screen_cannot_be_typed(make_play: MakePlay) -> None:
    play = both(make_play).asks(Respond(accept=True, prompt_id=P2, by_keys=True))
    assert (play << refused(ONE, Reason.PROMPT_CHANGED)).done()
    assert set(play.core.insight.hooks) == {P1, P2}


def test_approved_at_the_keyboard_the_next_dialog_lets_the_first_hook_go(make_play: MakePlay) -> None:
    play = (both(make_play).after(1.0) >> shows(bash("rm -rf tmp"))).after(SETTLE)
    assert hook_replies(play) == [(7, b"")]
    assert set(play.core.insight.hooks) == {P2}


def scrolled(*options: str) -> ScreenSnapshot:
    return drawn("   ls", "", " Do you want to proceed?", *options, "", " Esc to cancel · Tab to amend")


@pytest.mark.parametrize("is_held", [True, False])
def test_scrolling_makes_no_other_prompt_and_takes_no_option_away(make_play: MakePlay, *, is_held: bool) -> None:
    agent = replace(claude(), holds_hooks=is_held)
    play = make_play(agent=agent, size=Size(120, 40)) >> told("UserPromptSubmit", 1, prompt="go") >> asks(7, "ls")
    play = (play >> status("waiting") >> shows(scrolled(" ❯ 1. Yes", " ↓ 2. Yes, and always allow it"))).after(3.0)
    play = (play >> shows(scrolled(" ↑ 2. Yes, and always allow it", " ❯ 3. No"))).after(3.0)
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert (state.prompt.id, state.prompt.options, state.prompts) == (P1, ("Yes", "Yes, and always allow it"), (state.prompt,))
    play.effects.clear()
    assert keys(play.asks(Respond(option=1, by_keys=True)).after(0.5)) == [b"\x1b[B"]  # the way to it


# By keys


def test_an_answer_is_typed_where_that_is_asked_for(make_play: MakePlay) -> None:
    play = asked(make_play).asks(Respond(accept=True, by_keys=True))
    assert play.after(0.25).done()
    play = (typed(play.after(0.2), b"1") >> HookGone(HookId(7)) >> WORKS).after(1.0)
    (outcome,) = [delivered(effect) for effect in play.effects if isinstance(effect, Reply)]
    assert (outcome.effect, outcome.via) == ("accepted", "keys")


def test_what_no_hook_can_carry_is_typed(make_play: MakePlay) -> None:
    play = asked(make_play).asks(Respond(option=2))
    play = typed(play.after(0.5), b"2")
    assert play.done()


def test_an_answer_that_shows_nothing_is_not_called_delivered(make_play: MakePlay) -> None:
    play = typed(asked(make_play).asks(Respond(option=2)).after(0.5), b"2")
    assert (play.after(10.0) << refused(ONE, Reason.UNVERIFIED)).done()


def test_a_second_answer_waits_for_the_first(make_play: MakePlay) -> None:
    play = asked(make_play).asks(Respond(option=2)).asks(YES)
    assert (play << refused(TWO, Reason.NO_PROMPT)).done()


def test_a_dialog_no_hook_told_of_is_answered_by_keys(make_play: MakePlay) -> None:
    play = (working(make_play) >> status("waiting") >> shows(bash("ls"))).after(0.6)
    assert isinstance(play.core.belief.state, Prompted)
    play.effects.clear()
    play = typed(play.asks(YES).after(0.5), b"1") >> status("busy") >> WORKS
    assert delivered(play.effects.popleft()).via == "keys"


def test_a_dialog_that_is_gone_before_it_is_answered_is_typed_at_by_nobody(make_play: MakePlay) -> None:
    play = (asked(make_play).asks(Respond(option=2)) >> WORKS).after(10.0)
    assert not [effect for effect in play.effects if isinstance(effect, Write)]


def test_an_answer_that_somebody_else_gave_is_refused_once(make_play: MakePlay) -> None:
    play = (asked(make_play).asks(Respond(option=2)) >> WORKS).after(10.0)
    (reply,) = [effect for effect in play.effects if isinstance(effect, Reply)]
    assert isinstance(reply.outcome, Refused)
    assert [fact.by for fact in answered(play)] == ["keyboard"]


# At the keyboard


def test_an_answer_at_the_keyboard_is_told_with_what_came_of_it(make_play: MakePlay) -> None:
    play = (asked(make_play) >> HookGone(HookId(7)) >> WORKS >> status("busy")).after(0.1)
    assert play.core.belief.state == Working()
    assert answered(play) == []
    play = play >> logged(type="user", message={"content": [{"type": "tool_result", "content": "a"}]})
    (fact,) = answered(play.after(OUTCOME_WITHIN))
    assert (fact.prompt.id, fact.by, fact.outcome) == (P1, "keyboard", "accepted")


def test_a_no_at_the_keyboard_is_told_as_such(make_play: MakePlay) -> None:
    words = "The user doesn't want to proceed with this tool use. The tool use was rejected"
    play = (asked(make_play) >> HookGone(HookId(7)) >> RESTS).after(0.1)
    play = play >> logged(type="user", message={"content": [{"type": "tool_result", "is_error": True, "content": words}]})
    (fact,) = answered(play.after(OUTCOME_WITHIN))
    assert (fact.by, fact.outcome) == ("keyboard", "denied")


def test_without_a_word_of_the_log_the_outcome_is_presumed(make_play: MakePlay) -> None:
    goes_on = (asked(make_play) >> HookGone(HookId(7)) >> WORKS >> status("busy")).after(OUTCOME_WITHIN + 0.1)
    assert [fact.outcome for fact in answered(goes_on)] == ["accepted"]
    stopped = asked(make_play) >> HookGone(HookId(7)) >> RESTS >> status("idle")
    stopped = stopped >> logged(type="user", message={"content": "[Request interrupted by user for tool use]"})
    assert [fact.outcome for fact in answered(stopped.after(OUTCOME_WITHIN + 0.6))] == ["denied"]


def test_a_hook_that_waits_for_a_dialog_that_is_gone_is_let_go(make_play: MakePlay) -> None:
    play = (asked(make_play) >> WORKS).after(0.4)
    assert hook_replies(play) == []
    assert hook_replies(play.after(0.2)) == [(7, b"")]
    assert play.core.belief.state == Working()


def test_a_prompt_whose_hook_has_gone_is_told_no_less_of_while_it_is_drawn(make_play: MakePlay) -> None:
    play = asked(make_play) >> HookGone(HookId(7))
    for fact in facts(play):
        if isinstance(fact, StateChanged) and isinstance(fact.current, Prompted):
            assert isinstance(fact.current.prompt, Permission)
            assert fact.current.prompt.input == {"command": "ls"}


def test_a_dialog_that_is_drawn_before_its_hook_comes_is_one_prompt(make_play: MakePlay) -> None:
    play = (working(make_play) >> status("waiting") >> shows(bash("ls"))).after(0.6)
    first = play.core.belief.state
    assert isinstance(first, Prompted)
    play = (play >> asks(7, "ls")).after(OUTCOME_WITHIN + 0.1)
    second = play.core.belief.state
    assert isinstance(second, Prompted)
    assert answered(play) == []
    assert second.prompt.id == first.prompt.id


# Setup


def starts(make_play: MakePlay, *, accepts_setup: bool) -> Playbook:
    return make_play(agent=claude(), size=Size(120, 40), accepts_setup=accepts_setup)


def keys(play: Playbook) -> list[bytes]:
    """What is typed meanwhile; it is taken at once."""
    written = [effect.data for effect in play.effects if isinstance(effect, Write)]
    play.effects.clear()
    for data in written:
        play = play >> Written(len(data))
    return written


def accepting_trust(make_play: MakePlay) -> Playbook:
    """The highlight is brought to Yes."""
    no, yes = dialog_screens("2.1.325", "trust-then-text")
    play = (starts(make_play, accepts_setup=True) >> shows(no)).after(0.6)
    assert keys(play) == [b"\x1b[B"]
    return (play >> shows(yes)).after(0.2)


def test_setup_is_accepted_for_whoever_asked_for_that(make_play: MakePlay) -> None:
    play = accepting_trust(make_play)
    assert keys(play) == [b"\r"]
    play = (play >> RESTS).after(10.0)
    assert keys(play) == []


def test_setup_is_accepted_once_though_it_stays_on_the_screen_for_a_while(make_play: MakePlay) -> None:
    play = accepting_trust(make_play)
    assert keys(play) == [b"\r"]
    assert keys(play.after(1.0)) == []


def test_setup_that_gave_way_to_an_empty_screen_is_not_asked_again(make_play: MakePlay) -> None:
    """While it starts, Claude shows nothing for a while between what it asked and its input."""
    play = accepting_trust(make_play)
    assert keys(play) == [b"\r"]
    play = (play >> shows(drawn(""))).after(0.3) >> HookRecord(b'{"event":"SessionStart","data":{"source":"startup"}}')
    play = (play.after(2.0) >> RESTS).after(3.0)
    assert [fact.by for fact in answered(play)] == ["api"]
    assert not [fact for fact in facts(play) if isinstance(fact, StateChanged) and isinstance(fact.current, Prompted)]


def test_setup_waits_for_a_person_otherwise(make_play: MakePlay) -> None:
    no, _ = dialog_screens("2.1.325", "trust-then-text")
    play = (starts(make_play, accepts_setup=False) >> shows(no)).after(5.0)
    assert not [effect for effect in play.effects if isinstance(effect, Write)]
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert isinstance(state.prompt, Setup)


def test_a_login_is_never_accepted_unasked(make_play: MakePlay) -> None:
    login = drawn(RULE, " Select login method:", " ❯ 1. Claude account with subscription", "   2. Anthropic Console account")
    play = (starts(make_play, accepts_setup=True) >> shows(login)).after(10.0)
    assert not [effect for effect in play.effects if isinstance(effect, Write)]


# The end


def test_an_exit_lets_every_hook_go(make_play: MakePlay) -> None:
    play = both(make_play) >> ChildExited(ExitStatus(0)) >> OutputEnded()
    assert hook_replies(play) == [(7, b""), (8, b"")]
    assert isinstance(facts(play)[-1], SessionEnded)
    assert (play >> asks(9, "late")).effects[-1] == ReplyHook(HookId(9))


def test_a_shutdown_lets_every_hook_go_first(make_play: MakePlay) -> None:
    play = asked(make_play) >> ShuttingDown(10.0)
    play = play << published(lambda fact: fact == ShutdownStarted(10.0)) << replied(7)
    assert (play << SendSignal(signal.SIGHUP) << SendSignal(signal.SIGCONT)).done()


def test_a_prompt_that_ends_with_the_child_was_answered_by_nobody(make_play: MakePlay) -> None:
    play = asked(make_play).asks(Respond(option=2)) >> ChildExited(ExitStatus(0)) >> OutputEnded()
    assert answered(play) == []
    (reply,) = [effect for effect in play.effects if isinstance(effect, Reply)]
    assert isinstance(reply.outcome, Refused)
    assert reply.outcome.reason is Reason.EXITED


def test_an_unrecognized_dialog_is_told_when_the_agent_waits(make_play: MakePlay) -> None:
    play = working(make_play) >> shows(drawn(RULE, " Shall the moon be moved?", " ❯ 1. Aye", "   2. Nay"))
    play = play.after(0.5) >> status("waiting")
    assert play.core.belief.state == Working()
    state = play.after(1.0).core.belief.state
    assert isinstance(state, Prompted)
    assert isinstance(state.prompt, Question)
    assert state.prompt.subtype == "unrecognized"


def test_an_unrecognized_dialog_is_told_while_claude_starts_and_nothing_is_typed_into_it(make_play: MakePlay) -> None:
    """Releases bring new ones, which come before any hook and before its status file."""
    play = make_play(agent=claude(), size=Size(120, 40), accepts_setup=True)
    play = (play >> shows(drawn(RULE, " Shall the moon be moved?", " ❯ Nay", "   Aye", " Enter to confirm"))).after(5.0)
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert state.prompt.options == ("Nay", "Aye")
    play = play.asks(YES).after(5.0)
    (reply,) = [effect for effect in play.effects if isinstance(effect, Reply)]
    assert isinstance(reply.outcome, Refused)
    assert (reply.outcome.reason, keys(play)) == (Reason.DIALOG_UNRECOGNIZED, [])


@pytest.mark.parametrize("respond", [Respond(accept=True, option=3), Respond(accept=False, option=1)])
def test_two_answers_at_once_are_refused(make_play: MakePlay, respond: Respond) -> None:
    """What was told would be the label's, and what was done the other."""
    play = asked(make_play).asks(respond)
    (reply,) = [effect for effect in play.effects if isinstance(effect, Reply)]
    assert isinstance(reply.outcome, Refused)
    assert (reply.outcome.reason, hook_replies(play)) == (Reason.BAD_COMMAND, [])


def test_what_is_answered_with_keys_is_over_when_the_next_dialog_comes_at_once(make_play: MakePlay) -> None:
    """The hook of the first is still held, and no look at the screen fell between the two."""
    play = asked(make_play, "touch one").asks(replace(YES, by_keys=True)).after(1.0)
    while play.effects and play.effects[0] != Write(b"1"):
        play.effects.popleft()
    play = typed(play, b"1") >> asks(8, "touch two") >> shows(bash("touch two"))
    play = play.after(0.2)
    (reply,) = [effect for effect in play.effects if isinstance(effect, Reply)]
    assert delivered(reply).effect == "accepted"
    assert (7, b"") in hook_replies(play)
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert [getattr(each, "input", None) for each in state.prompts] == [{"command": "touch two"}]


def test_a_dialog_that_is_drawn_only_after_its_answer_asks_nothing_new(make_play: MakePlay) -> None:
    """On a slow machine Claude draws what a hook has answered already, and takes it away again."""
    play = working(make_play) >> status("busy") >> asks(7, "touch one") >> status("waiting")
    play = play.after(0.05).asks(YES)
    assert hook_replies(play) == [(7, ALLOW)]
    play = (play >> shows(bash("touch one"))).after(0.3) >> status("busy")
    play = (play >> WORKS).after(4.0)
    assert [(fact.by, fact.prompt.id) for fact in answered(play)] == [("api", P1)]
    told_of = [fact.current for fact in facts(play) if isinstance(fact, StateChanged)]
    assert {state.prompt.id for state in told_of if isinstance(state, Prompted)} == {P1}


def test_an_answer_that_did_not_help_leaves_its_dialog_asked(make_play: MakePlay) -> None:
    play = working(make_play) >> asks(7, "touch one")
    play = (play.after(0.05).asks(YES) >> shows(bash("touch one"))).after(ANSWERED_GONE_AFTER + 1)
    assert isinstance(play.core.belief.state, Prompted)


def test_the_word_that_it_waited_for_one_says_nothing_of_the_next(make_play: MakePlay) -> None:
    play = working(make_play) >> asks(7, "touch one") >> status("waiting")
    play = (play >> shows(bash("touch one"))).after(SETTLE).asks(YES).after(0.06)
    play = (play >> asks(8, "touch two")).after(0.01) >> status("busy")  # of the first one's answer
    assert (8, b"") not in hook_replies(play)
    play = (play >> status("waiting") >> shows(bash("touch two"))).after(SETTLE)
    assert isinstance(play.core.belief.state, Prompted)
    assert [fact.by for fact in answered(play)] == ["api"]


def test_a_plan_that_is_approved_takes_no_words_along(make_play: MakePlay) -> None:
    plan = {"tool_name": "ExitPlanMode", "tool_input": {"plan": "# p", "planFilePath": "/p.md"}}
    play = working(make_play) >> told("PermissionRequest", 7, **plan)
    play = play.after(0.5)
    play.effects.clear()
    play = play.asks(Respond(accept=True, text="but be quick"))
    play << refused(ONE, Reason.BAD_COMMAND)
    assert isinstance(play.core.belief.state, Prompted)


# What a subagent asks, which is drawn only when its hook has answered


def subagent_asks(hook: int, command: str) -> HookAsked:
    given = {"command": command}
    return told("PermissionRequest", hook, tool_name="Bash", tool_input=given, agent_type="general-purpose")


def shown_prompt(play: Playbook) -> Permission:
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert isinstance(state.prompt, Permission)
    return state.prompt


def test_what_a_subagent_asks_is_drawn_because_its_hook_is_let_go(make_play: MakePlay) -> None:
    play = working(make_play) >> subagent_asks(7, "ls")
    assert hook_replies(play.after(HIDDEN_AFTER - 0.1)) == []
    assert hook_replies(play.after(0.2)) == [(7, b"")]
    play = (play >> status("waiting") >> shows(bash("ls"))).after(SETTLE)
    assert (shown_prompt(play).id, len(shown_prompt(play).options)) == (P1, 3)
    play.effects.clear()
    play = typed(play.asks(Respond(option=1)).after(0.5), b"1") >> status("busy") >> WORKS
    assert delivered(play.effects.popleft()).via == "keys"
    assert play.core.belief.state == Working()


def test_a_no_to_a_subagent_is_no_end_of_the_turn(make_play: MakePlay) -> None:
    play = (working(make_play) >> subagent_asks(7, "ls")).after(0.1).asks(NO)
    assert [delivered(each).effect for each in play.effects if isinstance(each, Reply)] == ["denied_subagent"]
    assert [(fact.by, fact.outcome) for fact in answered(play)] == [("api", "denied")]


def test_what_a_subagent_asks_is_told_all_the_while(make_play: MakePlay) -> None:
    """Its id is the same before and after, and nobody is said to have answered it."""
    play = (working(make_play) >> status("busy") >> subagent_asks(7, "ls")).after(HIDDEN_AFTER + 0.1)
    play = (play >> status("waiting") >> shows(bash("ls"))).after(5.0)
    told_of = [fact.current for fact in facts(play) if isinstance(fact, StateChanged)]
    assert {state.prompt.id for state in told_of if isinstance(state, Prompted)} == {P1}
    assert all(isinstance(state, Prompted) for state in told_of)
    assert answered(play) == []


def test_what_a_subagent_asks_is_answered_at_the_keyboard(make_play: MakePlay) -> None:
    play = (working(make_play) >> subagent_asks(7, "ls")).after(HIDDEN_AFTER + 0.1)
    play = (play >> status("waiting") >> shows(bash("ls"))).after(1.0) >> status("busy") >> WORKS
    (fact,) = answered(play.after(OUTCOME_WITHIN + 0.1))
    assert (fact.prompt.id, fact.by, fact.outcome) == (P1, "keyboard", "accepted")


def test_an_answer_in_keys_waits_for_a_dialog_that_is_drawn_only_now(make_play: MakePlay) -> None:
    play = (working(make_play) >> subagent_asks(7, "ls")).after(0.1)
    play = play.asks(Respond(accept=True, by_keys=True)).after(HIDDEN_AFTER) >> shows(bash("ls"))
    assert keys(play.after(0.5)) == [b"1"]


def test_of_two_subagents_the_second_can_be_answered_by_its_hook_for_as_long_as_it_is_not_drawn(make_play: MakePlay) -> None:
    play = working(make_play) >> subagent_asks(7, "ls") >> subagent_asks(8, "rm -rf tmp")
    play = play.after(HIDDEN_AFTER + 0.1)
    assert hook_replies(play) == [(7, b"")]
    play = (play >> status("waiting") >> shows(bash("ls"))).after(5.0)
    assert hook_replies(play) == [(7, b"")]
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert (state.prompt.id, [prompt.id for prompt in state.prompts]) == (P1, [P1, P2])
    play = play.asks(Respond(accept=True, prompt_id=P2))
    assert hook_replies(play) == [(7, b""), (8, ALLOW)]
    assert shown_prompt(play).id == P1


def test_of_two_subagents_the_second_is_drawn_when_the_first_is_answered(make_play: MakePlay) -> None:
    play = working(make_play) >> status("busy") >> subagent_asks(7, "ls") >> subagent_asks(8, "rm -rf tmp")
    play = (play.after(HIDDEN_AFTER + 0.1) >> status("waiting") >> shows(bash("ls"))).after(1.0)
    play = (play >> status("busy") >> WORKS).after(0.6)
    assert shown_prompt(play).id == P2
    assert hook_replies(play.after(HIDDEN_AFTER)) == [(7, b""), (8, b"")]
    play = (play >> status("waiting") >> shows(bash("rm -rf tmp"))).after(SETTLE)
    assert (shown_prompt(play).id, len(shown_prompt(play).options)) == (P2, 3)


def test_what_waits_behind_another_dialog_keeps_its_hook(make_play: MakePlay) -> None:
    play = (asked(make_play) >> subagent_asks(8, "rm -rf tmp")).after(10.0)
    assert hook_replies(play) == []


def test_what_the_agent_itself_asks_keeps_its_hook_though_it_is_drawn_late(make_play: MakePlay) -> None:
    """Nothing keeps it off the screen for good: 2.1.325 draws it when nobody types any more."""
    play = (working(make_play) >> asks(7, "ls")).after(10.0)
    assert hook_replies(play) == []


def test_what_is_never_drawn_though_its_hook_was_let_go_is_over(make_play: MakePlay) -> None:
    """Somebody else's hook has decided it."""
    play = (working(make_play) >> subagent_asks(7, "ls")).after(HIDDEN_AFTER + DRAWN_WITHIN - 0.1)
    assert isinstance(play.core.belief.state, Prompted)
    assert play.after(0.2).core.belief.state == Working()


def test_whoever_types_holds_back_the_dialog_and_its_prompt_stays_open(make_play: MakePlay) -> None:
    play = (working(make_play) >> subagent_asks(7, "ls")).after(HIDDEN_AFTER + 0.1)
    for _ in range(4):
        play = play.asks(Type("x")).after(DRAWN_WITHIN / 2)
        assert isinstance(play.core.belief.state, Prompted)
