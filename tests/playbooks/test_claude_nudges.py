"""Messages to Claude Code: what is typed, and what becomes of the receipt."""

import pytest

from coop.model.commands import Delivered, Nudge, Progress, Reason, Receipt, Refused, Respond, When
from coop.model.ids import ReceiptId
from coop.model.records import ChildExited, Item, LogLine, Output, OutputEnded, ShuttingDown, Written
from coop.model.state import ExitStatus, Failed, Idle, Prompted, Working
from coop.session.effects import Abandon, Reply, Write
from coop.session.lane import PATIENCE
from coop.testing import Playbook
from tests.playbooks.claude import (
    ONE,
    RESTS,
    SPINNER,
    TWO,
    WORKS,
    asks,
    bash,
    becomes,
    idle_claude,
    logged,
    pasted,
    refused,
    replied,
    shows,
    told,
    typed,
)
from tests.playbooks.conftest import MakePlay
from tests.unit.agents.claude.screens import composer

R1 = ReceiptId("r1")


def submitted(play: Playbook, text: str) -> Playbook:
    """The message is pasted, appears, and Enter is pressed."""
    play = typed(play, pasted(text)) >> shows(composer(text))
    return typed(play.after(0.2), b"\r") >> WORKS


def receipt(play: Playbook) -> Receipt:
    return play.core.tellings.receipts[R1]


def test_a_nudge_is_delivered_when_the_hook_tells_that_it_was_heard(make_play: MakePlay) -> None:
    play = submitted(idle_claude(make_play).asks(Nudge("fix it")), "fix it")
    assert play.done()
    play = play >> told("UserPromptSubmit", 7, prompt="fix it")
    confirmed = Receipt(R1, "fix it", Progress.CONFIRMED, 1002.5, received_as="fix it", evidence="hooks")
    play = play << Reply(ONE, Delivered(Idle(), confirmed)) << replied(7)
    assert (play << becomes(Working())).done()


def test_the_log_is_evidence_as_well(make_play: MakePlay) -> None:
    play = submitted(idle_claude(make_play).asks(Nudge("fix it")), "fix it")
    play = play >> logged(type="user", message={"content": "fix it"})
    (reply,) = [effect for effect in play.effects if isinstance(effect, Reply)]
    assert isinstance(reply.outcome, Delivered)
    assert (receipt(play).progress, receipt(play).evidence) == (Progress.CONFIRMED, "session_log")


def test_that_the_agent_works_does_not_prove_that_it_heard(make_play: MakePlay) -> None:
    play = submitted(idle_claude(make_play).asks(Nudge("fix it")), "fix it")
    play = play >> told("UserPromptSubmit", 7, prompt="something else") << replied(7) << becomes(Working())
    assert (play.after(2.9) << refused(ONE, Reason.UNVERIFIED)).done()
    assert receipt(play).progress is Progress.SUBMITTED


def test_proof_that_comes_late_still_counts_for_the_receipt(make_play: MakePlay) -> None:
    play = submitted(idle_claude(make_play).asks(Nudge("fix it", wait=1.0)), "fix it").after(2.0)
    assert any(refused(ONE, Reason.UNVERIFIED)(effect) for effect in play.effects)
    play = play >> logged(type="user", message={"content": "fix it"})
    assert receipt(play).progress is Progress.CONFIRMED


def test_an_enter_that_was_lost_is_pressed_once_more(make_play: MakePlay) -> None:
    play = typed(idle_claude(make_play).asks(Nudge("fix it")), pasted("fix it")) >> shows(composer("fix it"))
    play = typed(play.after(0.2), b"\r")
    assert play.after(0.9).done()
    play = typed(play.after(0.2), b"\r") >> told("UserPromptSubmit", 7, prompt="fix it")
    assert isinstance(play.effects[0], Reply)
    assert isinstance(play.effects[0].outcome, Delivered)


def test_a_draft_is_cleared_and_told_of(make_play: MakePlay) -> None:
    play = (idle_claude(make_play) >> shows(composer("half a thought"))).after(0.1)
    play = typed(play.asks(Nudge("fix it")), b"\x15") >> RESTS
    submitted(play.after(0.1), "fix it")
    assert receipt(play).cleared_draft == "half a thought"


def test_a_draft_that_is_to_be_kept_refuses_the_nudge_and_frees_its_key(make_play: MakePlay) -> None:
    play = (idle_claude(make_play) >> shows(composer("half a thought"))).after(0.1)
    nudge = Nudge("fix it", keep_draft=True, key="k")
    play = play.asks(nudge) << refused(ONE, Reason.DRAFT_PRESENT)
    assert (receipt(play).progress, receipt(play).reason) == (Progress.REFUSED, "draft_present")
    play = (play >> RESTS).after(0.1).asks(nudge)
    assert submitted(play, "fix it").done()


def test_the_same_key_is_typed_once(make_play: MakePlay) -> None:
    nudge = Nudge("fix it", key="k")
    play = submitted(idle_claude(make_play).asks(nudge).asks(nudge), "fix it")
    play = play >> told("UserPromptSubmit", 7, prompt="fix it")
    first, second = play.effects.popleft(), play.effects.popleft()
    assert isinstance(first, Reply)
    assert isinstance(second, Reply)
    assert (first.id, second.id, first.outcome) == (ONE, TWO, second.outcome)


def test_the_same_key_for_other_words_is_refused(make_play: MakePlay) -> None:
    play = typed(idle_claude(make_play).asks(Nudge("fix it", key="k")), pasted("fix it"))
    assert (play.asks(Nudge("break it", key="k")) << refused(TWO, Reason.KEY_REUSED)).done()


def test_a_command_is_made_harmless(make_play: MakePlay) -> None:
    play = idle_claude(make_play).asks(Nudge("/clear")) << Write(pasted("\\/clear"))
    assert play.done()


def test_a_command_that_is_meant_is_delivered_when_the_input_is_empty(make_play: MakePlay) -> None:
    play = typed(idle_claude(make_play).asks(Nudge("/clear", raw=True)), pasted("/clear")) >> shows(composer("/clear"))
    play = (typed(play.after(0.2), b"\r") >> RESTS).after(1.5)
    (reply,) = play.effects
    assert isinstance(reply, Reply)
    assert isinstance(reply.outcome, Delivered)
    assert receipt(play).evidence == "screen"


def test_a_command_that_the_agent_never_read_is_not_delivered(make_play: MakePlay) -> None:
    play = idle_claude(make_play).asks(Nudge("/clear", raw=True)) << Write(pasted("/clear"))
    play = play.after(PATIENCE) << Abandon()
    assert not [effect for effect in play.effects if isinstance(effect, Reply) and isinstance(effect.outcome, Delivered)]


def test_a_message_that_the_agent_never_read_is_not_submitted(make_play: MakePlay) -> None:
    play = idle_claude(make_play).asks(Nudge("fix it")) << Write(pasted("fix it"))
    play = (play >> Written(3)).after(PATIENCE) << Abandon(b"\x1b[201~")
    assert receipt(play).progress is not Progress.SUBMITTED


# When


def test_a_working_agent_is_not_nudged_unless_asked_to_queue(make_play: MakePlay) -> None:
    play = idle_claude(make_play) >> told("UserPromptSubmit", 7, prompt="first") >> WORKS
    play = play.after(0.1)
    play.effects.clear()
    play = play.asks(Nudge("and then that")) << refused(ONE, Reason.AGENT_BUSY)
    play = typed(play.asks(Nudge("and then that", when=When.QUEUE)), pasted("and then that"))
    play = play >> shows(composer("and then that", "✻ Pondering… (3s · esc to interrupt)"))
    play = typed(play.after(0.2), b"\r") >> WORKS
    play = play >> logged(type="queue-operation", operation="enqueue", content="and then that")
    reply = play.effects.popleft()
    assert isinstance(reply, Reply)
    assert isinstance(reply.outcome, Delivered)
    assert reply.outcome.receipt is not None
    assert reply.outcome.receipt.queued


def queued_in(play: Playbook, text: str) -> Playbook:
    """It is typed while the agent works, and Enter is pressed."""
    play = typed(play.asks(Nudge(text, when=When.QUEUE)), pasted(text))
    play = play >> shows(composer(text, SPINNER))
    return typed(play.after(0.2), b"\r") >> WORKS


def busy_claude(make_play: MakePlay) -> Playbook:
    play = (idle_claude(make_play) >> told("UserPromptSubmit", 7, prompt="first") >> WORKS).after(0.1)
    play.effects.clear()
    return play


def enqueued(text: str, operation: str = "enqueue") -> LogLine:
    return logged(type="queue-operation", operation=operation, content=text)


HEARD_AT_ONCE = told("UserPromptSubmit", 8, prompt="and then that")


@pytest.mark.parametrize(
    "tells",
    [(enqueued("and then that"),), (HEARD_AT_ONCE, enqueued("and then that")), (enqueued("and then that"), HEARD_AT_ONCE)],
    ids=["2.1.197", "2.1.325", "2.1.325, late"],
)
def test_what_a_person_takes_out_of_the_queue_was_not_sent(make_play: MakePlay, tells: tuple[Item, ...]) -> None:
    play = queued_in(busy_claude(make_play), "and then that")
    for each in tells:
        play = play >> each
    assert (receipt(play).progress, receipt(play).queued) == (Progress.CONFIRMED, True)
    play = play.after(30.0) >> enqueued("and then that", "popAll")
    assert (receipt(play).progress, receipt(play).reason, receipt(play).queued) == (Progress.REFUSED, "returned", False)


def test_what_came_out_of_the_queue_to_be_sent_is_not_taken_back_any_more(make_play: MakePlay) -> None:
    """Somebody may queue the same words again, and think better of it."""
    play = queued_in(busy_claude(make_play), "and then that")
    play = play >> enqueued("and then that") >> logged(type="queue-operation", operation="dequeue")
    play = play >> logged(type="user", message={"content": "and then that"})
    assert (receipt(play).progress, receipt(play).queued) == (Progress.CONFIRMED, False)
    play = play >> enqueued("and then that") >> enqueued("and then that", "popAll")
    assert receipt(play).progress is Progress.CONFIRMED


def test_a_working_agent_is_interrupted_for_whoever_asks(make_play: MakePlay) -> None:
    play = idle_claude(make_play) >> told("UserPromptSubmit", 7, prompt="first") >> WORKS
    play = play.after(0.1)
    play.effects.clear()
    play = typed(play.asks(Nudge("stop that", when=When.INTERRUPT)), b"\x1b") >> RESTS
    play = play >> logged(type="user", message={"content": "[Request interrupted by user]"})
    play = play.after(0.7) << becomes(Idle())
    assert submitted(play, "stop that").done()


def test_an_agent_that_asks_is_not_nudged(make_play: MakePlay) -> None:
    play = idle_claude(make_play) >> asks(7, "ls")
    assert isinstance(play.core.belief.state, Prompted)
    play.effects.clear()
    assert (play.asks(Nudge("fix it", when=When.QUEUE)) << refused(ONE, Reason.AGENT_BUSY)).done()


def test_an_agent_that_failed_can_be_nudged(make_play: MakePlay) -> None:
    play = idle_claude(make_play) >> told("StopFailure", 7, error="rate_limit", last_assistant_message="429")
    assert isinstance(play.core.belief.state, Failed)
    play.effects.clear()
    assert submitted(play.asks(Nudge("again")), "again").done()


def test_a_dialog_that_comes_up_meanwhile_is_not_answered_by_the_nudge(make_play: MakePlay) -> None:
    play = typed(idle_claude(make_play).asks(Nudge("fix it")), pasted("fix it")) >> shows(bash("ls"))
    play = play.after(0.2)
    assert not [effect for effect in play.effects if isinstance(effect, Write)]
    assert any(refused(ONE, Reason.AGENT_BUSY)(effect) for effect in play.effects)


@pytest.mark.parametrize(("message", "reason"), [("", Reason.BAD_COMMAND), ("x" * 1_000_000, Reason.TOO_LONG)])
def test_a_message_that_cannot_be_typed_is_refused_before_anything_is(
    make_play: MakePlay, message: str, reason: Reason
) -> None:
    play = idle_claude(make_play).asks(Nudge(message, key="k"))
    assert (play << refused(ONE, reason)).done()
    assert not play.core.tellings.receipts


def test_a_child_that_dies_meanwhile_is_told_of(make_play: MakePlay) -> None:
    play = submitted(idle_claude(make_play).asks(Nudge("fix it")), "fix it")
    play = play >> ChildExited(ExitStatus(0)) >> OutputEnded()
    (reply,) = [effect for effect in play.effects if isinstance(effect, Reply)]
    assert isinstance(reply.outcome, Refused)
    assert reply.outcome.reason is Reason.EXITED
    assert reply.outcome.receipt == receipt(play)
    assert receipt(play).progress is Progress.UNVERIFIABLE


def test_what_was_pasted_and_not_sent_before_the_child_died_was_refused(make_play: MakePlay) -> None:
    play = typed(idle_claude(make_play).asks(Nudge("fix it")), pasted("fix it"))
    play = play >> ChildExited(ExitStatus(0)) >> OutputEnded()
    (reply,) = [effect for effect in play.effects if isinstance(effect, Reply)]
    assert isinstance(reply.outcome, Refused)
    assert reply.outcome.receipt == receipt(play)
    assert (receipt(play).progress, receipt(play).reason) == (Progress.REFUSED, "exited")


@pytest.mark.parametrize(("status", "is_ended"), [(ExitStatus(0), False), (ExitStatus(1), False), (ExitStatus(0), True)])
def test_a_raw_exit_is_proven_by_the_end_that_it_asks_for(make_play: MakePlay, status: ExitStatus, *, is_ended: bool) -> None:
    play = typed(idle_claude(make_play).asks(Nudge("/exit", raw=True)), pasted("/exit")) >> shows(composer("/exit"))
    play = typed(play.after(0.2), b"\r")
    play = play >> ShuttingDown(10.0) if is_ended else play
    play = play >> ChildExited(status) >> OutputEnded()
    (reply,) = [effect for effect in play.effects if isinstance(effect, Reply)]
    is_proven = status.code == 0 and not is_ended
    assert isinstance(reply.outcome, Delivered) is is_proven
    assert receipt(play).progress is (Progress.CONFIRMED if is_proven else Progress.UNVERIFIABLE)


def test_the_status_query_of_the_agent_is_answered(make_play: MakePlay) -> None:
    play = idle_claude(make_play) >> Output(b"\x1b]7501;?\x07")
    assert len(play.effects) == 1


def test_a_message_that_waits_for_its_proof_holds_no_other_up(make_play: MakePlay) -> None:
    """Only whoever wants an idle agent is told to wait: it is about to work."""
    play = typed(idle_claude(make_play).asks(Nudge("fix it", wait=60.0)), pasted("fix it")) >> shows(composer("fix it"))
    play = (typed(play.after(0.2), b"\r") >> RESTS).after(5.0)
    assert play.core.belief.state == Idle()
    assert (play.asks(Nudge("at once")) << refused(TWO, Reason.AGENT_BUSY)).done()
    assert (play.asks(Nudge("then test it", when=When.QUEUE)) << Write(pasted("then test it"))).done()


def test_a_dialog_is_answered_with_keys_while_a_message_waits_for_its_proof(make_play: MakePlay) -> None:
    play = submitted(idle_claude(make_play).asks(Nudge("fix it", wait=60.0)), "fix it").after(1.0)
    play = (play >> shows(bash("touch a"))).after(1.0)
    assert isinstance(play.core.belief.state, Prompted)
    play.effects.clear()
    play = play.asks(Respond(accept=True)).after(1.0)
    assert not any(refused(TWO, Reason.WRITER_BUSY)(effect) for effect in play.effects)
    assert (play << Write(b"1")).done()
