"""Conversations with Gemini CLI: what its title, log, screen and hooks tell together, and what each can do without the others."""

import json

import pytest

from coop.agents.gemini import gemini
from coop.agents.gemini.hooks import block_stop
from coop.model.commands import ConfigureStop, Delivered, Nudge, Progress, Reason, Respond, When
from coop.model.ids import HookId, RequestId
from coop.model.prompt import Permission
from coop.model.records import Asked, HookAsked, LogLine, Output
from coop.model.screen import ScreenSnapshot, Size
from coop.model.state import ErrorKind, Failed, Idle, Prompted, Working
from coop.model.stop import StopConfig, StopMode
from coop.session.effects import Reply, ReplyHook, Write
from coop.testing import Playbook
from tests.playbooks.claude import facts, pasted, refused, shows, typed
from tests.playbooks.conftest import MakePlay
from tests.unit.agents.gemini.screens import SPINNER, composer, drawn, shell, tall_shell

WALL = 1_800_000_000.0
RESTS, WORKS = shows(composer()), shows(composer("", "✦ words", "", SPINNER))


def title(words: str) -> Output:
    return Output(f"\x1b]0;{words} (workspace)\x07".encode())


READY, BUSY, ASKS = title("◇  Ready"), title("✦  Working…"), title("✋  Action Required")


def logged(**record: object) -> LogLine:
    return LogLine(json.dumps(record).encode(), WALL)


HEARD = logged(type="user", content=[{"text": "go on"}])
SAID = logged(type="gemini", id="m1", content="Done.")
CANCELLED = logged(type="info", content="Request cancelled.")


def told(event: str, hook: int, **record: object) -> HookAsked:
    return HookAsked(HookId(hook), event, json.dumps(record).encode())


def announced(hook: int, command: str) -> HookAsked:
    return told("Notification", hook, details={"type": "exec", "command": command})


def idle_gemini(make_play: MakePlay) -> Playbook:
    play = (make_play(agent=gemini(), size=Size(120, 40)) >> READY >> RESTS).after(1.2)
    assert play.core.belief.state == Idle()
    play.effects.clear()
    return play


def on_screen(play: Playbook, screen: ScreenSnapshot) -> Playbook:
    return (play >> shows(screen)).after(0.1)


def asked(play: Playbook) -> Permission:
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert isinstance(state.prompt, Permission)
    return state.prompt


ANOTHER = {"session_id": "nested", "transcript_path": "/nested.jsonl"}
OWN = {"session_id": "own", "transcript_path": "/own.jsonl"}


def gated_gemini(make_play: MakePlay) -> Playbook:
    """In a turn, and sent back when it stops."""
    play = idle_gemini(make_play) >> told("SessionStart", 1, **OWN, source="startup")
    play = play >> Asked(RequestId(1), ConfigureStop(StopConfig(StopMode.GATE, "Not yet.")))
    play = play >> told("BeforeAgent", 2, **OWN, prompt="go on") >> BUSY >> WORKS
    play.effects.clear()
    return play


@pytest.mark.parametrize("source", ["startup", "resume"])
def test_another_run_that_a_tool_starts_is_let_go_and_tells_nothing(make_play: MakePlay, source: str) -> None:
    play = gated_gemini(make_play)
    before = play.core.insight.known
    play = play >> told("SessionStart", 3, **ANOTHER, source=source) >> told("BeforeAgent", 4, **ANOTHER, prompt="nested")
    play = play >> told("BeforeTool", 5, **ANOTHER, tool_name="ask_user") >> told("AfterAgent", 6, **ANOTHER)
    assert list(play.effects) == [ReplyHook(HookId(each)) for each in (3, 4, 5, 6)]
    assert play.core.insight.known == before
    assert play.core.belief.state == Working()
    play.effects.clear()
    play = play >> told("AfterAgent", 7, **OWN)
    assert ReplyHook(HookId(7), block_stop("Not yet.")) in play.effects


def test_a_session_that_is_cleared_or_begins_at_rest_is_ours(make_play: MakePlay) -> None:
    play = idle_gemini(make_play) >> told("SessionStart", 1, **OWN, source="startup")
    play = play >> told("SessionStart", 2, session_id="cleared", source="clear")
    assert play.core.insight.known.session_id == "cleared"
    play = play >> told("SessionStart", 3, session_id="again", source="startup")
    assert play.core.insight.known.session_id == "again"
    play = play >> told("BeforeAgent", 4, session_id="again", prompt="go on") >> BUSY >> WORKS
    play = play >> told("SessionStart", 5, session_id="in the turn", source="clear")
    assert play.core.insight.known.session_id == "in the turn"


def test_one_that_was_started_again_in_the_middle_of_a_turn_is_ours_when_it_hears_something_at_rest(
    make_play: MakePlay,
) -> None:
    play = gated_gemini(make_play) >> told("SessionStart", 3, **ANOTHER, source="startup")
    play = (play >> RESTS >> READY >> logged(type="info", content="Request cancelled.")).after(5.0)
    assert play.core.belief.state == Idle()
    play = play >> told("BeforeAgent", 4, **ANOTHER, prompt="go on")
    assert play.core.insight.known.session_id == "nested"


def test_without_hooks_a_turn_ends_when_the_log_and_the_title_say_so(make_play: MakePlay) -> None:
    play = (idle_gemini(make_play) >> HEARD >> BUSY >> WORKS).after(5.0)
    assert play.core.belief.state == Working()
    play = (play >> SAID).after(5.0)
    assert play.core.belief.state == Working()  # words before a tool are written, too
    play = (play >> RESTS >> READY).after(0.1)
    assert play.core.belief.state == Idle()


def test_a_denial_is_over_by_the_log_and_the_title(make_play: MakePlay) -> None:
    play = on_screen(idle_gemini(make_play) >> HEARD >> BUSY >> ASKS, shell())
    assert asked(play).input == {"command": "touch made"}
    again = logged(type="user", content=[{"text": "<session_context>x"}]), HEARD, logged(**{"$set": {"messages": []}})
    play = play >> CANCELLED >> READY >> RESTS
    for line in again:
        play = play >> line
    assert play.after(0.1).core.belief.state == Idle()


def test_a_failed_turn_is_told_until_the_next_begins(make_play: MakePlay) -> None:
    play = idle_gemini(make_play) >> HEARD >> BUSY >> WORKS
    play = (play >> logged(type="error", content='[API Error: {"error":{"code":401}}]') >> READY >> RESTS).after(2.0)
    state = play.core.belief.state
    assert isinstance(state, Failed)
    assert state.kind is ErrorKind.UNAUTHORIZED
    assert (play >> HEARD).core.belief.state == Working()


def test_a_permission_is_told_when_its_dialog_is_drawn_with_what_the_hook_said(make_play: MakePlay) -> None:
    long = "touch made " + "x" * 300
    play = (idle_gemini(make_play) >> told("BeforeAgent", 1, prompt="go on") >> BUSY >> announced(2, long)).after(0.1)
    assert play.core.belief.state == Working()
    play = on_screen(play >> ASKS, shell(long[:90]))
    assert asked(play).input == {"command": long}


def test_of_two_at_once_both_are_told_and_one_may_be_drawn_over_the_other(make_play: MakePlay) -> None:
    play = idle_gemini(make_play) >> told("BeforeAgent", 1, prompt="go on") >> BUSY >> announced(2, "touch one")
    play = on_screen(play >> announced(3, "touch two") >> ASKS, shell("touch two", "1 of 2"))
    second = asked(play)
    assert second.input == {"command": "touch two"}
    play = on_screen(play, shell("touch one", "1 of 2"))
    first, state = asked(play), play.core.belief.state
    assert first.input == {"command": "touch one"}
    assert isinstance(state, Prompted)
    assert [each.id for each in state.prompts] == [first.id, second.id]
    play = on_screen(play, shell("touch two", "2 of 2"))
    assert asked(play).id == second.id
    assert isinstance(play.core.belief.state, Prompted)
    assert play.core.belief.state.prompts == (asked(play),)


def test_the_same_asked_again_is_told_when_it_is_drawn_and_not_by_what_is_left_of_the_first(make_play: MakePlay) -> None:
    play = idle_gemini(make_play) >> told("BeforeAgent", 1, prompt="go on") >> BUSY >> announced(2, "touch made")
    play = on_screen(play >> ASKS, shell())
    first = asked(play)
    play = play >> told("BeforeTool", 3, tool_name="run_shell_command") >> announced(4, "touch made")
    assert play.after(0.05).core.belief.state == Working()
    play = on_screen(on_screen(play, composer("", "✦ words", "", SPINNER)), shell())
    assert asked(play).id != first.id
    assert [type(fact).__name__ for fact in facts(play.after(1.5))].count("PromptAnswered") == 1


def test_a_dialog_that_takes_the_place_of_an_answered_one_at_once_does_not_keep_it_open(make_play: MakePlay) -> None:
    """No look at the screen falls between the two; only the log tells that the first is decided."""
    play = idle_gemini(make_play) >> told("BeforeAgent", 1, prompt="go on") >> BUSY >> announced(2, "touch one")
    first = asked(play := on_screen(play >> ASKS, shell("touch one")))
    decided = {"type": "gemini", "id": "m1", "toolCalls": [{"name": "run_shell_command", "status": "success"}]}
    play = on_screen(play >> logged(**decided) >> announced(3, "touch two"), shell("touch two"))
    assert asked(play).input == {"command": "touch two"}
    assert isinstance(play.core.belief.state, Prompted)
    assert first.id not in [each.id for each in play.core.belief.state.prompts]


def test_a_prompt_is_not_taken_for_the_dialog_of_the_one_before_it(make_play: MakePlay) -> None:
    """The same is asked again at once: what was read of the screen is still the first dialog, which has gone meanwhile."""
    play = idle_gemini(make_play) >> told("BeforeAgent", 1, prompt="go on") >> BUSY >> announced(2, "touch made")
    play = on_screen(play >> ASKS, shell())
    first = asked(play)
    play = play >> BUSY >> WORKS >> told("AfterTool", 3) >> told("BeforeTool", 4) >> announced(5, "touch made")
    assert play.core.belief.state == Working()  # though it is not yet seen to be gone
    play = on_screen(play, composer("", "✦ words", "", SPINNER))
    play = on_screen(play >> ASKS, shell())
    assert asked(play).id != first.id


TALL = tuple(f"echo line{n}" for n in range(40))


def asking(make_play: MakePlay, *commands: str) -> Playbook:
    """Each of them announced by a hook; without one, nobody has told of what is asked."""
    play = idle_gemini(make_play)
    play = play >> (told("BeforeAgent", 1, prompt="go on") if commands else HEARD) >> BUSY
    for hook, command in enumerate(commands, 2):
        play = play >> announced(hook, command)
    return play >> ASKS


@pytest.mark.parametrize("commands", [(), ("\n".join(TALL),)], ids=["bare", "hooked"])
def test_a_tall_dialog_is_one_prompt_while_it_is_drawn(make_play: MakePlay, commands: tuple[str, ...]) -> None:
    play = asking(make_play, *commands)
    ids = list[str]()
    for first, last in ((22, 39), (13, 39), (14, 40)):
        play = on_screen(play, tall_shell(TALL, first, last))
        ids.append(asked(play).id)
    assert len(set(ids)) == 1
    assert asked(play).tool == "run_shell_command"
    assert asked(play).input == {"command": commands[0] if commands else "\n".join(("…", *TALL[14:]))}
    assert isinstance(play.core.belief.state, Prompted)
    assert play.core.belief.state.prompts == (asked(play),)
    assert "PromptAnswered" not in [type(fact).__name__ for fact in facts(play.after(2.0))]


@pytest.mark.parametrize("commands", [(), ("\n".join(TALL),)], ids=["bare", "hooked"])
def test_an_answer_to_a_dialog_that_is_still_drawn_is_typed(make_play: MakePlay, commands: tuple[str, ...]) -> None:
    play = on_screen(asking(make_play, *commands), tall_shell(TALL, 22, 39))
    play.effects.clear()
    play = play.asks(Respond(accept=True, prompt_id=asked(play).id)).after(0.05)
    for first, last in ((13, 39), (14, 40)):
        play = on_screen(play, tall_shell(TALL, first, last))
    play.effects.clear()
    play = typed(play.after(0.4), b"1")
    play = (play >> BUSY >> WORKS).after(1.0)
    (reply,) = (effect for effect in play.effects if isinstance(effect, Reply))
    assert isinstance(reply.outcome, Delivered)


def test_a_frame_that_is_half_drawn_makes_no_other_prompt(make_play: MakePlay) -> None:
    play = on_screen(asking(make_play), tall_shell(TALL, 13, 39))
    first = asked(play)
    play = on_screen(play >> Output(b"\x1b[2J\x1b[H"), drawn("│ ? Shell  echo line0", "│          echo line1"))
    play = on_screen(play, tall_shell(TALL, 14, 40))
    assert asked(play).id == first.id


def test_a_dialog_that_is_drawn_anew_after_a_while_stays_the_prompt(make_play: MakePlay) -> None:
    play = on_screen(asking(make_play), tall_shell(TALL, 14, 40)).after(3.0)
    play.effects.clear()
    play = on_screen(play, drawn("│ ? Shell  echo line0", "│          echo line1"))
    play = on_screen(play, tall_shell(TALL, 14, 40)).after(2.0)
    assert facts(play) == []


def test_of_two_tall_ones_the_second_is_another_though_nothing_is_seen_between_them(make_play: MakePlay) -> None:
    play = on_screen(asking(make_play), tall_shell(TALL, 14, 40))
    first = asked(play)
    play.effects.clear()
    play = play.asks(Respond(accept=True, prompt_id=first.id)).after(0.1)
    others = tuple(f"echo other{n}" for n in range(40))
    play = on_screen(play, tall_shell(others, 14, 40)).after(1.0)
    assert asked(play).id != first.id
    assert not [effect for effect in play.effects if isinstance(effect, Write)], "an answer was typed into the next dialog"


def test_what_goes_on_with_a_dialog_that_has_long_been_drawn_is_another(make_play: MakePlay) -> None:
    play = on_screen(asking(make_play), tall_shell(TALL, 13, 39)).after(3.0)
    first = asked(play)
    assert asked(on_screen(play, tall_shell(TALL, 14, 40))).id != first.id


def test_of_two_tall_commands_that_were_announced_each_is_known_by_what_is_seen_of_it(make_play: MakePlay) -> None:
    other = tuple(f"echo other{n}" for n in range(40))
    play = asking(make_play, "\n".join(TALL), "\n".join(other))
    for lines, of in ((TALL, "line39"), (other, "other39")):
        play = on_screen(play, tall_shell(lines, 14, 40))
        assert str(asked(play).input["command"]).endswith(of)
        assert isinstance(play.core.belief.state, Prompted)
        assert len(play.core.belief.state.prompts) == 2


def test_an_answer_is_a_digit_typed_once_the_dialog_has_settled(make_play: MakePlay) -> None:
    play = on_screen(idle_gemini(make_play) >> HEARD >> BUSY >> ASKS, shell())
    play.effects.clear()
    play = play.asks(Respond(accept=True)).after(0.1)
    assert not [effect for effect in play.effects if isinstance(effect, Write)]
    play = typed(play.after(0.3), b"1")
    play = (play >> BUSY >> WORKS).after(1.0)
    replies = [effect for effect in play.effects if isinstance(effect, Reply)]
    assert [reply.id for reply in replies] == [RequestId(1)]
    assert isinstance(replies[0].outcome, Delivered)
    assert replies[0].outcome.effect == "accepted"


def test_between_a_turn_and_the_one_that_was_queued_it_does_not_rest(make_play: MakePlay) -> None:
    queued = shows(composer("", " Queued (press ↑ to edit):", "   and then", "", SPINNER))
    play = (idle_gemini(make_play) >> told("BeforeAgent", 1, prompt="go on") >> BUSY >> queued).after(1.0)
    play.effects.clear()
    play = (play >> told("AfterAgent", 2, prompt_response="x") >> RESTS >> READY).after(0.5)
    assert play.core.belief.state == Working("queued")
    play = (play >> told("BeforeAgent", 3, prompt="and then") >> BUSY >> WORKS).after(1.0)
    assert play.core.belief.state == Working()
    assert Idle() not in [getattr(fact, "current", None) for fact in facts(play)]


def test_a_message_that_left_the_queue_for_good_does_not_keep_it_at_work(make_play: MakePlay) -> None:
    queued = shows(composer("", " Queued (press ↑ to edit):", "   and then", "", SPINNER))
    play = (idle_gemini(make_play) >> told("BeforeAgent", 1, prompt="go on") >> BUSY >> queued).after(1.0)
    play = (play >> told("AfterAgent", 2, prompt_response="x") >> RESTS >> READY).after(3.0)
    assert play.core.belief.state == Idle()


def test_a_message_that_a_hook_kept_from_the_model_is_not_delivered(make_play: MakePlay) -> None:
    play = typed(idle_gemini(make_play).asks(Nudge("a secret")), pasted("a secret")) >> shows(composer("a secret"))
    play = typed(play.after(0.5), b"\r") >> RESTS >> BUSY >> told("BeforeAgent", 1, prompt="a secret")
    (receipt,) = play.core.tellings.receipts.values()
    assert receipt.progress is Progress.CONFIRMED
    play = (play >> logged(type="warning", content="Agent execution blocked: not so") >> READY >> RESTS).after(0.5)
    assert play.core.belief.state == Idle()
    (receipt,) = play.core.tellings.receipts.values()
    assert (receipt.progress, receipt.reason) == (Progress.REFUSED, "blocked")


def test_a_hook_that_keeps_it_from_stopping_ends_no_turn(make_play: MakePlay) -> None:
    play = (idle_gemini(make_play) >> HEARD >> BUSY >> WORKS).after(1.0)
    play = (play >> SAID >> logged(type="warning", content="Agent execution blocked: go on") >> HEARD).after(2.0)
    assert play.core.belief.state == Working()


def test_a_question_that_another_hook_refused_is_asked_no_more(make_play: MakePlay) -> None:
    given = {"questions": [{"question": "Which?", "options": [{"label": "A"}, {"label": "B"}]}]}
    play = idle_gemini(make_play) >> told("BeforeAgent", 1, prompt="go on") >> BUSY
    play = (play >> told("BeforeTool", 2, tool_name="ask_user", tool_input=given)).after(0.1)
    calls = [{"name": "ask_user", "status": "error", "args": given}]
    play = play >> logged(type="gemini", id="m1", content="", toolCalls=calls) >> announced(3, "touch made")
    play = on_screen(play >> ASKS, shell())
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert [type(each) for each in state.prompts] == [Permission]


def progress(play: Playbook) -> list[Progress]:
    return [each.progress for each in play.core.tellings.receipts.values()]


def test_messages_that_are_heard_as_one_are_each_proven(make_play: MakePlay) -> None:
    """What it has queued it sends as one prompt, whoever it is from."""
    play = (idle_gemini(make_play) >> told("BeforeAgent", 1, prompt="go on") >> BUSY >> WORKS).after(1.0)
    waits = ["", " Queued (press ↑ to edit):"]
    for number, message in enumerate(("/first", "second\n\nof two"), 1):
        play.effects.clear()
        typing = "\\/first" if number == 1 else message
        play = typed(play.asks(Nudge(message, When.QUEUE)), pasted(typing)) >> shows(composer(typing, SPINNER))
        play = typed(play.after(0.5), b"\r")
        waits.append(f"   {message}")
        play = (play >> shows(composer("", *waits, "", SPINNER))).after(4.0)
    play = play.after(100)
    assert progress(play) == [Progress.SUBMITTED, Progress.SUBMITTED]
    play = play >> told("BeforeAgent", 3, prompt="\\/first\n\nanother's\n\nsecond\n\nof two")
    assert progress(play) == [Progress.SUBMITTED, Progress.SUBMITTED], "nobody has sent all of that"
    play = play >> told("BeforeAgent", 4, prompt="\\/first\n\nsecond\n\nof two")
    assert progress(play) == [Progress.CONFIRMED, Progress.CONFIRMED]


def test_a_dialog_nobody_can_read_is_told_when_the_title_says_that_it_waits(make_play: MakePlay) -> None:
    strange = Output(b"\x1b[2J\x1b[HSomething strange\r\nis asked here")
    play = (idle_gemini(make_play) >> HEARD >> BUSY >> ASKS >> strange).after(2.0)
    state = play.core.belief.state
    assert isinstance(state, Prompted)
    assert state.prompt.screen_lines == ("Something strange", "is asked here")


def test_it_is_not_steered_in_the_middle_of_a_turn(make_play: MakePlay) -> None:
    play = (idle_gemini(make_play) >> BUSY >> HEARD >> WORKS).after(0.5)
    assert play.core.belief.state == Working()
    play.effects.clear()
    play = play.asks(Nudge("now", When.STEER)) << refused(RequestId(1), Reason.BAD_COMMAND)
    assert play.done()
