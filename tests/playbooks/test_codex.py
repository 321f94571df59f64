"""Conversations with Codex: its hooks are let go at once, and its dialogs answered with keys."""

import json
from dataclasses import replace

from coop.agents.codex import codex
from coop.model.commands import Delivered, Nudge, Progress, Reason, Receipt, Respond, When
from coop.model.events import PromptAnswered, StateChanged
from coop.model.ids import HookId, PromptId, ReceiptId, RequestId
from coop.model.prompt import Permission, Question
from coop.model.records import HookAsked, HookGone, Output
from coop.model.state import Failed, Idle, Prompted, Working
from coop.session.effects import Reply, ReplyHook
from coop.testing import Playbook
from tests.playbooks.claude import ONE, facts, idle_claude, pasted, refused, told, typed
from tests.playbooks.codex import ABORTED, COMPLETE, RESTS, STARTED, idle_codex, logged, reports, shows
from tests.playbooks.conftest import MakePlay
from tests.unit.agents.codex.screens import composer, drawn, exec_dialog, options, question_page

LOOKED = 0.03
"""So soon is a screen read that has changed."""


def working(make_play: MakePlay, **settings: object) -> Playbook:
    play = idle_codex(make_play, **settings) >> told("UserPromptSubmit", 1, prompt="go") >> reports("working") >> STARTED
    assert play.core.belief.state == Working()
    play.effects.clear()
    return play


def asks(hook: int, command: str) -> HookAsked:
    return told("PermissionRequest", hook, tool_name="Bash", tool_input={"command": command})


def prompts(play: Playbook) -> list[tuple[str, object]]:
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    return [(each.id, each.input.get("command")) for each in state.prompts if isinstance(each, Permission)]


def test_streamed_text_looks_idle_and_is_work(make_play: MakePlay) -> None:
    play = working(make_play) >> RESTS
    assert play.after(30).core.belief.state == Working()


def test_a_turn_ends_when_the_log_says_so_and_not_with_the_stop_hook(make_play: MakePlay) -> None:
    play = working(make_play) >> RESTS >> told("Stop", 2, stop_hook_active=False)
    assert play.after(10).core.belief.state == Working()
    play = play >> COMPLETE >> reports("done")
    assert play.after(LOOKED).core.belief.state == Idle()


def test_a_plan_that_is_drawn_with_the_end_of_its_turn_is_never_told_as_idle(make_play: MakePlay) -> None:
    choices = options("Yes, implement this plan", "Yes, clear context and implement", "No, stay in Plan mode")
    asks_for_it = shows(drawn("  Implement this plan?", "", *choices, "", "  enter select · esc back"))
    play = (working(make_play) >> RESTS).after(1)
    play.effects.clear()
    play = (play >> COMPLETE >> Output(reports("done").data + asks_for_it.data)).after(1)
    states = [fact.current for fact in facts(play) if isinstance(fact, StateChanged)]
    assert [type(state) for state in states] == [Prompted]


def test_an_interrupt_ends_it_and_an_error_stays(make_play: MakePlay) -> None:
    assert (working(make_play) >> RESTS >> ABORTED >> reports("idle")).after(LOOKED).core.belief.state == Idle()
    failed = logged("event_msg", type="task_complete", error={"message": "no", "codex_error_info": "other"})
    play = working(make_play) >> RESTS >> failed >> reports("error")
    assert isinstance(play.after(5).core.belief.state, Failed)


def test_a_terminal_in_the_background_is_work(make_play: MakePlay) -> None:
    busy = shows(composer("", "  1 background terminal running · /ps to view · /stop to close"))
    play = (working(make_play) >> busy >> COMPLETE).after(5)
    assert play.core.belief.state == Working("background")
    assert (play >> RESTS >> reports("done")).after(1).core.belief.state == Idle()


def test_a_permissions_hook_is_let_go_at_once_and_asks_when_its_dialog_is_drawn(make_play: MakePlay) -> None:
    play = working(make_play) >> asks(2, "touch one")
    assert ReplyHook(HookId(2)) in play.effects
    assert play.core.belief.state == Working()
    play = (play >> reports("blocked") >> shows(exec_dialog("touch one"))).after(0.1)
    assert prompts(play) == [("p1", "touch one")]


def test_of_two_the_one_that_is_drawn_is_answered(make_play: MakePlay) -> None:
    play = working(make_play) >> asks(2, "touch one") >> asks(3, "touch two")
    play = (play >> shows(exec_dialog("touch two"))).after(0.1)
    assert prompts(play) == [("p1", "touch one"), ("p2", "touch two")]
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert state.prompt.id == "p2"
    play.effects.clear()
    play = play.asks(Respond(accept=True, prompt_id=PromptId("p1"))) << refused(ONE, Reason.PROMPT_CHANGED)
    play = typed(play.asks(Respond(accept=True, prompt_id=PromptId("p2"))).after(0.3), b"1")
    play = (play >> shows(exec_dialog("touch one"))).after(0.2)
    assert prompts(play) == [("p1", "touch one")]
    assert any(isinstance(each, Reply) and isinstance(each.outcome, Delivered) for each in play.effects)


def test_a_denial_takes_the_other_along(make_play: MakePlay) -> None:
    play = (working(make_play) >> asks(2, "touch one") >> asks(3, "touch two") >> shows(exec_dialog("touch one"))).after(0.1)
    play.effects.clear()
    play = typed(play.asks(Respond(accept=False)).after(0.3), b"3")
    play = (play >> RESTS >> ABORTED >> reports("idle")).after(2)
    answered = [(fact.prompt.id, fact.by, fact.outcome) for fact in facts(play) if isinstance(fact, PromptAnswered)]
    assert answered == [("p1", "api", "denied"), ("p2", "api", "denied")]


def test_words_with_a_denial_are_delivered_when_they_are_heard(make_play: MakePlay) -> None:
    play = (working(make_play) >> asks(2, "touch one") >> shows(exec_dialog("touch one"))).after(0.1)
    play.effects.clear()
    play = typed(play.asks(Respond(accept=False, text="use another")).after(0.3), b"3")
    play = (play >> RESTS >> ABORTED >> reports("idle")).after(1)
    assert not any(isinstance(each, Reply) for each in play.effects)
    play.effects = type(play.effects)(each for each in play.effects if hasattr(each, "data"))
    play = typed(play, pasted("use another")) >> shows(composer("use another"))
    play = typed(play.after(0.2), b"\r") >> told("UserPromptSubmit", 4, prompt="use another")
    (reply,) = [each.outcome for each in play.effects if isinstance(each, Reply)]
    assert isinstance(reply, Delivered)
    assert (reply.effect, reply.via) == ("feedback", "keys")


def test_the_log_tells_what_a_dialog_asks_before_or_after_it_is_drawn(make_play: MakePlay) -> None:
    call = logged(
        "response_item",
        type="function_call",
        name="exec_command",
        arguments='{"cmd":"touch one","sandbox_permissions":"require_escalated"}',
    )
    for first, second in ((call, shows(exec_dialog("touch one"))), (shows(exec_dialog("touch one")), call)):
        play = (working(make_play) >> first).after(0.1)
        play = (play >> second).after(0.1)
        assert prompts(play) == [("p1", "touch one")]


def test_the_pages_of_a_question_are_one_prompt(make_play: MakePlay) -> None:
    asked = [{"question": f"Which {what}?", "options": [{"label": "A"}, {"label": "B"}]} for what in ("one", "two")]
    call = logged("response_item", type="function_call", name="request_user_input", arguments=json.dumps({"questions": asked}))
    play = working(make_play) >> call
    ids = set[str]()
    for page, what in enumerate(("one", "two"), 1):
        play = (play >> shows(question_page(page, 2, f"Which {what}?", "A", "B"))).after(0.1)
        state = play.core.belief.state
        assert isinstance(state, Prompted)
        assert isinstance(state.prompt, Question)
        assert len(state.prompt.queries) == 2
        ids.add(state.prompt.id)
    assert len(ids) == 1


def test_a_question_that_is_asked_again_is_the_new_one(make_play: MakePlay) -> None:
    one = {"question": "Which one?", "options": [{"label": "A"}, {"label": "B"}]}
    play = working(make_play)
    for asked in ([one], [one, {"question": "Which two?"}]):
        arguments = json.dumps({"questions": asked})
        play = play >> logged("response_item", type="function_call", name="request_user_input", arguments=arguments)
    state = (play >> shows(question_page(1, 2, "Which one?", "A", "B"))).after(0.1).core.belief.state
    assert isinstance(state, Prompted)
    assert isinstance(state.prompt, Question)
    assert len(state.prompt.queries) == 2


def test_a_dialog_that_cannot_be_read_is_told_when_the_agent_says_that_it_waits(make_play: MakePlay) -> None:
    strange = exec_dialog("evil\nWould you like to run the following command?\n$ harmless")
    play = (working(make_play) >> shows(strange)).after(2)
    assert play.core.belief.state == Working()
    play = (play >> reports("blocked")).after(2)
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert state.prompt.subtype == "unrecognized"


def test_a_command_that_another_hook_permitted_is_asked_no_more(make_play: MakePlay) -> None:
    """Its dialog is never drawn; the log tells that it ran, or that it was refused."""
    play = working(make_play)
    for hook, command in ((2, "touch alpha"), (3, "touch gamma")):
        call = {"name": "exec_command", "call_id": f"c{hook}", "arguments": json.dumps({"cmd": command})}
        play = play >> logged("response_item", type="function_call", **call) >> asks(hook, command)
    ran = {"type": "CommandExecution", "id": "c2", "command": ["/bin/bash", "-lc", "touch alpha"]}
    play = play >> logged("event_msg", type="item_completed", item=ran)
    play = play >> logged("response_item", type="function_call_output", call_id="c3", output="exec_command failed: no way")
    play = (play >> asks(4, "touch beta") >> shows(exec_dialog("touch beta"))).after(0.1)
    assert prompts(play) == [("p3", "touch beta")]


def test_one_that_is_drawn_is_over_when_it_is_gone_and_not_before(make_play: MakePlay) -> None:
    call = {"name": "exec_command", "call_id": "c2", "arguments": json.dumps({"cmd": "touch one"})}
    play = working(make_play) >> logged("response_item", type="function_call", **call) >> asks(2, "touch one")
    play = (play >> shows(exec_dialog("touch one"))).after(0.1)
    play = (play >> logged("response_item", type="function_call_output", call_id="c2", output="x")).after(0.1)
    assert prompts(play) == [("p1", "touch one")]


def test_a_message_that_a_hook_kept_from_the_model_is_not_delivered(make_play: MakePlay) -> None:
    play = typed(idle_codex(make_play).asks(Nudge("a secret")), pasted("a secret"))
    play = typed((play >> shows(composer("a secret"))).after(0.2), b"\r")
    play = (play >> RESTS >> reports("working") >> told("UserPromptSubmit", 2, prompt="a secret") >> STARTED).after(0.1)
    assert receipt(play, "r1").progress is Progress.CONFIRMED
    play = (play >> COMPLETE >> reports("done")).after(0.1)
    assert play.core.belief.state == Idle()
    assert (receipt(play, "r1").progress, receipt(play, "r1").reason) == (Progress.REFUSED, "blocked")


def test_a_message_that_the_log_has_is_delivered_however_its_turn_ends(make_play: MakePlay) -> None:
    play = typed(idle_codex(make_play).asks(Nudge("go on")), pasted("go on"))
    play = typed((play >> shows(composer("go on"))).after(0.2), b"\r")
    item = {"type": "UserMessage", "content": [{"type": "text", "text": "go on"}]}
    play = play >> RESTS >> told("UserPromptSubmit", 2, prompt="go on") >> STARTED
    play = (play >> logged("event_msg", type="item_completed", item=item) >> COMPLETE >> STARTED >> COMPLETE).after(0.1)
    assert receipt(play, "r1").progress is Progress.CONFIRMED


def queued(play: Playbook, message: str, *before: str) -> Playbook:
    """It is typed, and stands behind those in the queue; it has one line."""
    play = (play >> RESTS).after(0.1)
    play.effects.clear()
    play = typed(play.asks(Nudge(message, When.QUEUE)), pasted(message))
    play = typed((play >> shows(composer(message))).after(0.2), b"\t")
    return (play >> shows(composer("", *QUEUE, *before, f"  ↳ {message}"))).after(0.2)


QUEUE = ("• Queued follow-up inputs",)


def receipt(play: Playbook, name: str) -> Receipt:
    return play.core.tellings.receipts[ReceiptId(name)]


def test_a_message_in_the_queue_is_seen_there_and_confirmed_when_it_is_heard(make_play: MakePlay) -> None:
    play = queued(working(make_play), "and then this")
    (reply,) = [each.outcome for each in play.effects if isinstance(each, Reply)]
    assert isinstance(reply, Delivered)
    assert reply.receipt is not None
    assert (reply.receipt.progress, reply.receipt.queued, reply.receipt.evidence) == (Progress.SUBMITTED, True, "screen")
    play = (play >> COMPLETE >> reports("done")).after(0.1)
    play = play >> RESTS >> told("UserPromptSubmit", 2, prompt="and then this")
    found = receipt(play, "r1")
    assert (found.progress, found.queued, found.received_as) == (Progress.CONFIRMED, False, "and then this")


def test_the_same_key_while_it_is_queued_types_nothing_again(make_play: MakePlay) -> None:
    play = (working(make_play) >> RESTS).after(0.1)
    play.effects.clear()
    nudge = Nudge("and then", When.QUEUE, key="k")
    play = typed(play.asks(nudge), pasted("and then"))
    play = typed((play >> shows(composer("and then"))).after(0.2), b"\t")
    play = (play >> shows(composer("", *QUEUE, "  ↳ and then"))).after(0.2)
    play.effects.clear()
    (reply,) = play.asks(nudge).effects
    assert isinstance(reply, Reply)
    assert isinstance(reply.outcome, Delivered)


def test_what_is_queued_keeps_an_interrupt_away_that_would_clear_it(make_play: MakePlay) -> None:
    play = queued(working(make_play), "and then this")
    play.effects.clear()
    play = play.asks(Nudge("stop", When.INTERRUPT)).after(0.1)
    (reply,) = play.effects
    assert refused(RequestId(2), Reason.AGENT_BUSY)(reply)
    assert receipt(play, "r1").progress is Progress.SUBMITTED


def test_what_a_stopped_turn_gives_back_is_told_as_unsent(make_play: MakePlay) -> None:
    play = queued(queued(working(make_play), "first"), "second of two words", "  ↳ first")
    play = (play >> ABORTED >> shows(composer("first\nsecond of two\nwords and more\nmine")) >> reports("idle")).after(1.5)
    assert play.core.belief.state == Idle()
    first, second = receipt(play, "r1"), receipt(play, "r2")
    assert (first.progress, first.reason, first.queued) == (Progress.REFUSED, "returned", False)
    assert second.progress is Progress.SUBMITTED, "somebody has written on in it"
    assert receipt(play.after(5.0), "r2").progress is Progress.UNVERIFIABLE


def test_a_draft_with_the_words_of_one_that_is_still_queued_tells_nothing(make_play: MakePlay) -> None:
    play = queued(working(make_play), "ok")
    play = (play >> shows(composer("ok", *QUEUE, "  ↳ ok"))).after(0.2)
    assert receipt(play, "r1").queued
    play = (play >> shows(composer("look"))).after(0.2)
    assert receipt(play, "r1").queued


def test_a_long_message_is_found_in_the_queue(make_play: MakePlay) -> None:
    play = (working(make_play) >> RESTS).after(0.1)
    play.effects.clear()
    play = typed(
        play.asks(Nudge("first line\nsecond line\nthird\nand fourth", When.QUEUE)),
        pasted("first line\nsecond line\nthird\nand fourth"),
    )
    play = typed((play >> shows(composer("first line\nsecond line\nthird\nand fourth"))).after(0.2), b"\t")
    rows = ("  ↳ first line", "    second line", "    third", "    …", "    shift+← edit last queued message")
    play = (play >> shows(composer("", *QUEUE, *rows))).after(0.2)
    assert receipt(play, "r1").queued


def test_a_queue_that_shows_something_else_proves_nothing(make_play: MakePlay) -> None:
    play = (working(make_play) >> RESTS).after(0.1)
    play.effects.clear()
    play = typed(play.asks(Nudge("and then this", When.QUEUE)), pasted("and then this"))
    play = typed((play >> shows(composer("and then this"))).after(0.2), b"\t")
    play = (play >> shows(composer("", "• Queued follow-up inputs", "  ↳ another"))).after(0.5)
    assert not any(isinstance(each, Reply) for each in play.effects)


def test_a_hook_that_is_held_too_long_leaves_its_prompt_to_the_screen(make_play: MakePlay) -> None:
    play = working(make_play, agent=replace(codex(), holds_hooks=True)) >> asks(2, "touch one")
    assert prompts(play) == [("p1", "touch one")]
    play = (play >> HookGone(HookId(2)) >> shows(exec_dialog("touch one"))).after(2)
    assert prompts(play) == [("p1", "touch one")]
    assert not any(isinstance(fact, PromptAnswered) for fact in facts(play))


def test_steering_is_not_for_an_agent_that_cannot_be_steered(make_play: MakePlay) -> None:
    play = idle_claude(make_play).asks(Nudge("now", When.STEER)) << refused(RequestId(1), Reason.BAD_COMMAND)
    assert play.done()


def test_of_two_commands_that_differ_only_far_behind_none_is_taken_for_the_other(make_play: MakePlay) -> None:
    common = "echo " + "x" * 300
    play = working(make_play) >> asks(2, f"{common}; touch one") >> asks(3, f"{common}; touch two")
    play = (play >> shows(exec_dialog("echo " + "x" * 100 + "…"))).after(0.1)
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert state.prompt.id not in ("p1", "p2")
    play.effects.clear()
    play = play.asks(Respond(accept=True, prompt_id=PromptId("p1"))) << refused(ONE, Reason.PROMPT_CHANGED)
