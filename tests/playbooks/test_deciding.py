"""What is typed on the way to an answer or a message decides nothing: only the key that sends it does."""

import pytest

from coop.model.commands import Answer, Nudge, Progress, Reason, Resize, Respond, When
from coop.model.events import PromptAnswered
from coop.model.ids import HookId, PromptId, ReceiptId
from coop.model.readings import Learned
from coop.model.records import HookGone, HookRecord, LogLine, Written
from coop.model.screen import ScreenSnapshot, Size
from coop.model.state import Idle, Prompted
from coop.session.effects import Reply, ReplyHook, Write
from coop.testing import Playbook
from tests.playbooks.claude import (
    ONE,
    RESTS,
    TWO,
    WORKS,
    asks,
    bash,
    facts,
    idle_claude,
    logged,
    pasted,
    refused,
    shows,
    status,
    told,
)
from tests.playbooks.codex import shows as codex_shows
from tests.playbooks.conftest import MakePlay
from tests.playbooks.test_codex import working as working_codex
from tests.playbooks.test_gemini import idle_gemini, on_screen, title
from tests.unit.agents.claude.screens import RULE, composer, drawn
from tests.unit.agents.codex.screens import composer as codex_composer
from tests.unit.agents.codex.screens import exec_dialog
from tests.unit.agents.gemini.screens import REVIEW, question

DOWN = b"\x1b[B"
LATEST = Learned(version="2.1.325")


def digitless(marked: int, hint: str) -> ScreenSnapshot:
    rows = [f" {'❯' if n == marked else ' '} {label}" for n, label in enumerate(("No", "Yes"))]
    return drawn(RULE, " Bash command", "   npm test", " Do you want to proceed?", *rows, "", hint)


def numbered(width: int) -> ScreenSnapshot:
    rows = (" ❯ 1. Yes", "   2. Yes, and always allow it", "   3. No", "", " Esc to cancel")
    return drawn(RULE[:width], " Bash command", "   ls", " Do you want to proceed?", *rows)


def drawn_without_hook(make_play: MakePlay, screen: ScreenSnapshot) -> Playbook:
    play = idle_claude(make_play) >> told("UserPromptSubmit", 1, prompt="go") >> WORKS
    play.core.insight.learn(LATEST)
    play = (play.after(0.5) >> status("busy") >> shows(screen)).after(1.5)
    assert isinstance(play.core.belief.state, Prompted)
    play.effects.clear()
    return play


def writes(play: Playbook) -> list[bytes]:
    return [effect.data for effect in play.effects if isinstance(effect, Write)]


def typing(play: Playbook, seconds: float) -> list[bytes]:
    """What is typed meanwhile, and taken by the terminal at once."""
    keys: list[bytes] = []
    for _ in range(round(seconds / 0.05)):
        new = writes(play)
        play.effects = type(play.effects)(each for each in play.effects if not isinstance(each, Write))
        for key in new:
            keys.append(key)
            play >> Written(len(key))
        play.after(0.05)
    return keys


def outcomes(play: Playbook) -> list[PromptAnswered]:
    return [fact for fact in facts(play) if isinstance(fact, PromptAnswered)]


def test_a_dialog_whose_hint_changes_with_the_highlight_is_still_the_same(make_play: MakePlay) -> None:
    play = drawn_without_hook(make_play, digitless(0, " Esc to cancel")).asks(Respond(accept=True)).after(0.5)
    assert writes(play) == [DOWN]
    play.effects.clear()
    play = play >> Written(3) >> shows(digitless(1, " Esc to cancel · Tab to amend"))
    assert typing(play, 0.5) == [b"\r"]
    assert not outcomes(play)


def test_a_dialog_on_a_terminal_of_another_size_is_still_the_same(make_play: MakePlay) -> None:
    play = drawn_without_hook(make_play, numbered(120))
    play = (play.asks(Resize(Size(100, 40))) >> shows(numbered(100))).after(3)
    assert isinstance(play.core.belief.state, Prompted)
    assert play.core.belief.state.prompt.id == PromptId("p1")
    assert not outcomes(play)


def test_an_answer_that_was_only_on_its_way_is_not_the_one_that_ended_the_prompt(make_play: MakePlay) -> None:
    play = drawn_without_hook(make_play, digitless(0, " Esc to cancel")).asks(Respond(accept=True)).after(0.5)
    assert writes(play) == [DOWN]
    play = (play >> Written(3) >> status("idle") >> RESTS).after(3)
    assert any(refused(ONE, Reason.PROMPT_CHANGED)(each) for each in play.effects)
    assert [each.by for each in outcomes(play)] == ["keyboard"]
    assert b"\r" not in writes(play)


def test_a_prompt_that_another_covers_is_open_while_its_answer_is_only_on_its_way(make_play: MakePlay) -> None:
    play = idle_claude(make_play) >> told("UserPromptSubmit", 1, prompt="go") >> WORKS
    play.core.insight.learn(LATEST)
    play = ((play.after(0.5) >> asks(7, "ls")) >> shows(bash("ls"))).after(0.5)
    play.effects.clear()
    play = play.asks(Respond(accept=False, text="use find", by_keys=True)).after(0.5)
    assert writes(play) == [DOWN]
    play = ((play >> Written(3) >> asks(8, "touch x")) >> shows(bash("touch x"))).after(0.3)
    assert not [each for each in play.effects if isinstance(each, ReplyHook)]
    assert not outcomes(play)


def test_a_second_answer_is_told_of_the_first_and_not_that_the_prompt_is_gone(make_play: MakePlay) -> None:
    play = drawn_without_hook(make_play, digitless(0, " Esc to cancel")).asks(Respond(accept=True))
    play.effects.clear()
    (play.asks(Respond(accept=True, prompt_id=PromptId("p1"))) << refused(TWO, Reason.NO_PROMPT)).done()


def test_a_no_at_the_keyboard_is_not_taken_for_the_yes_that_another_tool_had(make_play: MakePlay) -> None:
    play = idle_claude(make_play) >> told("UserPromptSubmit", 1, prompt="go") >> WORKS
    play = (play.after(0.5) >> asks(7, "rm -rf build") >> shows(bash("rm -rf build"))).after(0.5)
    play = (play >> result("x", "ok")).after(0.6)
    play.effects.clear()
    play = (play >> HookGone(HookId(7)) >> shows(composer("", "  Interrupted · What should Claude do instead?"))).after(0.1)
    play = (play >> result("y", "The user doesn't want to proceed with this tool use. x", is_error=True)).after(3)
    assert [(each.by, each.outcome) for each in outcomes(play)] == [("keyboard", "denied")]


def result(use: str, content: str, *, is_error: bool = False) -> LogLine:
    block = {"type": "tool_result", "tool_use_id": use, "content": content, "is_error": is_error}
    return logged(type="user", message={"content": [block]})


# Messages


def test_the_word_of_one_in_the_queue_is_no_proof_of_the_same_words_typed_now(make_play: MakePlay) -> None:
    play = idle_claude(make_play) >> told("UserPromptSubmit", 1, prompt="go") >> WORKS
    play = play.after(0.5).asks(Nudge("continue", When.QUEUE))
    typing(play, 0.3)
    play = play >> logged(type="queue-operation", operation="enqueue", content="continue")
    typing(play, 6.0)
    play.effects.clear()
    play = play.asks(Nudge("continue", When.QUEUE, wait=10.0))
    play = play >> told("UserPromptSubmit", 5, prompt="continue")  # the first leaves the queue
    assert not [each for each in play.effects if isinstance(each, Reply)]
    assert typing(play, 4.0)[:2] == [pasted("continue"), b"\r"]
    assert not [each for each in play.effects if isinstance(each, Reply)]
    play = play >> told("UserPromptSubmit", 6, prompt="continue")
    assert play.core.tellings.receipts[ReceiptId("r2")].progress is Progress.CONFIRMED


def test_a_message_that_begins_like_one_in_the_queue_is_not_in_it(make_play: MakePlay) -> None:
    queue = ("• Queued follow-up inputs", "  ↳ fix", "")
    screen = codex_composer("", "• Working (3s • esc to interrupt)", "", *queue)
    play = (working_codex(make_play) >> codex_shows(screen)).after(0.2).asks(Nudge("fix the tests", When.QUEUE))
    typing(play, 5.0)
    (receipt,) = play.core.tellings.receipts.values()
    assert receipt.progress is not Progress.CONFIRMED


def test_the_word_of_one_that_the_screen_showed_in_the_queue_is_no_proof_of_the_next(make_play: MakePlay) -> None:
    queued = codex_composer("", "• Working (3s • esc to interrupt)", "", "• Queued follow-up inputs", "  ↳ go on", "")
    play = working_codex(make_play).asks(Nudge("go on", When.QUEUE))
    typing(play, 3.2)
    play = play >> codex_shows(queued)
    typing(play, 70.0)
    assert play.core.tellings.receipts[ReceiptId("r1")].queued
    play = play.asks(Nudge("go on", When.QUEUE))
    typing(play, 5.0)
    play = play >> told("UserPromptSubmit", 9, prompt="go on")  # the first leaves the queue
    assert play.core.tellings.receipts[ReceiptId("r2")].progress is not Progress.CONFIRMED


# What does not fit


@pytest.mark.parametrize(
    ("text", "reason"), [("   ", Reason.BAD_COMMAND), ("x" * 300_001, Reason.TOO_LONG)], ids=["blank", "long"]
)
def test_words_for_codex_that_are_no_message_are_refused_before_anything_is_typed(
    make_play: MakePlay, text: str, reason: Reason
) -> None:
    play = working_codex(make_play) >> told("PermissionRequest", 2, tool_name="Bash", tool_input={"command": "touch one"})
    play = (play >> codex_shows(exec_dialog("touch one"))).after(1.5)
    play.effects.clear()
    play = play.asks(Respond(accept=False, text=text)) << refused(ONE, reason)
    assert not writes(play)


def test_gemini_is_not_told_to_submit_what_somebody_else_has_chosen(make_play: MakePlay) -> None:
    questions = [
        {
            "question": "Which database should we use?",
            "header": "Database",
            "options": [{"label": "PostgreSQL"}, {"label": "SQLite"}],
        },
        {"question": "Which language?", "header": "Language", "options": [{"label": "Go"}, {"label": "Rust"}]},
    ]
    play = idle_gemini(make_play) >> told("BeforeAgent", 1, prompt="go")
    play = (
        play >> told("BeforeTool", 2, tool_name="ask_user", tool_input={"questions": questions}) >> title("✋  Action Required")
    )
    play = on_screen(on_screen(play, question()).after(0.5), REVIEW).after(0.5)
    play.effects.clear()
    play = play.asks(Respond(answers=(Answer((1,)), Answer((2,)))))
    assert typing(play, 2.0) == []
    assert any(refused(ONE, Reason.DIALOG_UNRECOGNIZED)(each) for each in play.effects)


@pytest.mark.parametrize("line", [b'{"event":{}}', b'{"event":[]}', b'{"hook_event_name":["x"]}'])
def test_a_line_in_the_hook_pipe_that_names_no_event_says_nothing(make_play: MakePlay, line: bytes) -> None:
    assert (make_play() >> HookRecord(line)).done()
    play = idle_claude(make_play)
    assert (play >> HookRecord(line)).core.belief.state == Idle()


def test_who_quotes_where_to_sign_in_asks_nobody_to(make_play: MakePlay) -> None:
    quoted = ("● It prints:", "", "  Browser didn't open? Use the url below to sign in", "", "https://x", "● and goes on")
    play = (idle_claude(make_play) >> shows(drawn(*quoted))).after(0.3)
    assert play.core.belief.state == Idle()
