from dataclasses import replace

import pytest

from coop.agents.claude import claude
from coop.agents.generic import configured
from coop.model.commands import Delivered, Nudge, Progress, Reason, Receipt, Refused, Respond
from coop.model.ids import PromptId, ReceiptId, RequestId
from coop.model.readings import Heard
from coop.model.state import Idle, Working
from coop.session.effects import Effect, Reply
from coop.session.telling import HOPE, KEPT, PROOF_WITHIN, TOLD_WITHIN, Telling, Tellings

ONE, TWO, THREE = RequestId(1), RequestId(2), RequestId(3)
R1, R2 = ReceiptId("r1"), ReceiptId("r2")
LATER = 1e6
WHY = Refused(Reason.AGENT_BUSY, "busy")


def tellings() -> Tellings:
    return Tellings(claude())


def begun(told: Tellings, nudge: Nudge, request: RequestId = ONE, now: float = 0.0) -> Telling:
    telling = told.begin(nudge, request, Idle(), now)
    told.on_sent(request)
    return telling


def outcome(effects: list[Effect]) -> Delivered | Refused:
    (reply,) = effects
    assert isinstance(reply, Reply)
    assert isinstance(reply.outcome, Delivered | Refused)
    return reply.outcome


def test_a_nudge_has_a_receipt_from_the_first_stroke() -> None:
    told = tellings()
    begun(told, Nudge("fix it"), now=5.0)
    assert told.receipts == {R1: Receipt(R1, "fix it", Progress.TYPING, created_at=5.0)}
    assert told.is_awaiting_proof()


def test_an_answer_has_no_receipt() -> None:
    told = tellings()
    telling = told.begin(Respond(accept=True), ONE, Working(), 0.0)
    telling.prompt, telling.effect, telling.via = PromptId("p1"), "accepted", "hook"
    assert not told.receipts
    assert list(told.proven(telling)) == [Reply(ONE, Delivered(Working(), None, "accepted", "hook"))]
    assert told.active == []


def test_what_the_agent_says_it_heard_is_the_proof() -> None:
    told = tellings()
    begun(told, Nudge("fix\tit"))
    assert list(told.heard(Heard("something else"), "hooks", LATER)) == []
    delivered = outcome(list(told.heard(Heard("fix    it"), "hooks", LATER)))
    assert isinstance(delivered, Delivered)
    receipt = Receipt(R1, "fix\tit", Progress.CONFIRMED, 0.0, received_as="fix    it", evidence="hooks")
    assert delivered == Delivered(Idle(), receipt)
    assert told.receipts[R1] == receipt
    assert not told.is_awaiting_proof()


def test_a_message_in_the_queue_is_told_as_queued() -> None:
    told = tellings()
    begun(told, Nudge("then that"))
    delivered = outcome(list(told.heard(Heard("then that", queued=True), "session_log", LATER)))
    assert delivered.receipt is not None
    assert (delivered.receipt.queued, delivered.receipt.evidence) == (True, "session_log")


def test_one_word_proves_one_message() -> None:
    told = tellings()
    begun(told, Nudge("again"), ONE)
    begun(told, Nudge("again"), TWO)
    assert [each.id for each in told.heard(Heard("again"), "hooks", LATER) if isinstance(each, Reply)] == [ONE]
    assert [each.id for each in told.heard(Heard("again"), "hooks", LATER) if isinstance(each, Reply)] == [TWO]
    assert list(told.heard(Heard("again"), "hooks", LATER)) == []


def test_an_agent_that_cannot_tell_proves_nothing_by_words() -> None:
    told = Tellings(configured({"screen": {"prompt": "x"}}, source="x"))
    begun(told, Nudge("fix it"))
    assert list(told.heard(Heard("fix it"), "hooks", LATER)) == []


# In time


def test_whoever_waits_is_told_the_truth_in_time_and_proof_may_still_come() -> None:
    told = tellings()
    telling = begun(told, Nudge("fix it", wait=2.0))
    assert told.deadline() == 2.0
    assert list(told.give_up(Working(), 1.9)) == []
    refused = outcome(list(told.give_up(Working(), 2.0)))
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.state, refused.receipt) == (Reason.UNVERIFIED, Working(), told.receipts[R1])
    assert told.deadline() == 2.0 + HOPE
    assert list(told.heard(Heard("fix it"), "session_log", LATER)) == []
    assert told.receipts[R1].progress is Progress.CONFIRMED
    assert telling.is_proven


def test_hope_ends() -> None:
    told = tellings()
    begun(told, Nudge("fix it"))
    list(told.give_up(Idle(), 3.0))
    assert list(told.give_up(Idle(), 3.0 + HOPE)) == []
    assert told.receipts[R1].progress is Progress.UNVERIFIABLE
    assert (told.active, told.deadline()) == ([], None)


def test_an_answer_that_shows_nothing_is_given_up_for_good() -> None:
    told = tellings()
    told.begin(Respond(accept=True), ONE, Working(), 0.0)
    refused = outcome(list(told.give_up(Working(), PROOF_WITHIN)))
    assert isinstance(refused, Refused)
    assert refused.reason is Reason.UNVERIFIED
    assert told.active == []


def test_what_is_proven_is_remembered_as_such_when_its_time_is_up() -> None:
    told = tellings()
    begun(told, Nudge("fix it"))
    list(told.heard(Heard("fix it"), "hooks", LATER))
    assert list(told.give_up(Idle(), LATER + HOPE)) == []
    assert told.receipts[R1].progress is Progress.CONFIRMED
    assert told.active == []


@pytest.mark.parametrize(("log", "progress"), [(True, Progress.CONFIRMED), (False, Progress.REFUSED)])
def test_what_is_back_in_the_input_was_not_sent_unless_the_log_says_so(log: bool, progress: Progress) -> None:
    told = tellings()
    telling = begun(told, Nudge("fix it"))
    list(told.heard(Heard("fix it"), "hooks", 1.0))
    told.on_back(telling, 2.0)
    if log:
        list(told.heard(Heard("fix it"), "session_log", 2.1))
    list(told.give_up(Idle(), 2.0 + TOLD_WITHIN))
    assert told.receipts[R1].progress is progress


def test_when_the_child_is_gone_everybody_is_told_once() -> None:
    told = tellings()
    begun(told, Nudge("a"), ONE)
    begun(told, Nudge("b"), TWO)
    list(told.heard(Heard("a"), "hooks", LATER))
    assert list(told.clear(WHY, has_left=True)) == [Reply(TWO, replace(WHY, receipt=told.receipts[R2]))]
    assert [each.progress for each in told.receipts.values()] == [Progress.CONFIRMED, Progress.UNVERIFIABLE]
    assert told.active == []


def test_when_the_child_is_gone_what_was_never_sent_is_told_from_what_was() -> None:
    told = tellings()
    told.begin(Nudge("a"), ONE, Idle(), 0.0)
    refused = outcome(list(told.clear(WHY, has_left=True)))
    assert refused == replace(WHY, receipt=told.receipts[R1])
    assert (told.receipts[R1].progress, told.receipts[R1].reason) == (Progress.REFUSED, WHY.reason.value)


@pytest.mark.parametrize(
    ("nudge", "has_left", "progress"),
    [
        (Nudge("/exit", raw=True), True, Progress.CONFIRMED),
        (Nudge("/exit", raw=True), False, Progress.UNVERIFIABLE),
        (Nudge("/exit"), True, Progress.UNVERIFIABLE),
        (Nudge("leave", raw=True), True, Progress.UNVERIFIABLE),
    ],
)
def test_a_command_of_the_agents_own_is_proven_when_the_agent_then_leaves(
    nudge: Nudge, progress: Progress, *, has_left: bool
) -> None:
    told = tellings()
    begun(told, nudge)
    assert isinstance(outcome(list(told.clear(WHY, has_left=has_left))), Delivered) is (progress is Progress.CONFIRMED)
    assert told.receipts[R1].progress is progress
    assert told.receipts[R1].evidence == ("process" if progress is Progress.CONFIRMED else None)


# The same key


KEYED = Nudge("fix it", key="k1")


def again(told: Tellings, nudge: Nudge, request: RequestId = TWO) -> list[Effect]:
    effects = told.repeated(nudge, request)
    assert effects is not None
    return list(effects)


def test_a_new_key_is_nothing_to_repeat() -> None:
    told = tellings()
    assert told.repeated(KEYED, ONE) is None
    begun(told, KEYED)
    assert told.repeated(Nudge("fix it", key="k2"), TWO) is None
    assert told.repeated(Nudge("fix it"), TWO) is None


def test_the_same_key_waits_with_the_first_and_gets_the_same_receipt() -> None:
    told = tellings()
    begun(told, KEYED)
    assert again(told, KEYED) == []
    replies = list(told.heard(Heard("fix it"), "hooks", LATER))
    assert [reply.id for reply in replies if isinstance(reply, Reply)] == [ONE, TWO]
    assert len({reply.outcome for reply in replies if isinstance(reply, Reply)}) == 1
    assert len(told.receipts) == 1


def test_the_same_key_afterwards_gets_the_first_receipt() -> None:
    told = tellings()
    begun(told, KEYED)
    list(told.heard(Heard("fix it"), "hooks", LATER))
    for _ in range(2):
        delivered = outcome(again(told, KEYED))
        assert isinstance(delivered, Delivered)
        assert delivered.receipt == told.receipts[R1]
        list(told.give_up(Idle(), 1000.0))


def test_how_long_to_wait_is_no_part_of_the_message() -> None:
    told = tellings()
    begun(told, KEYED)
    assert again(told, Nudge("fix it", key="k1", wait=9.0)) == []


def test_the_same_key_for_another_message_is_refused() -> None:
    told = tellings()
    begun(told, KEYED)
    refused = outcome(again(told, Nudge("break it", key="k1")))
    assert isinstance(refused, Refused)
    assert refused.reason is Reason.KEY_REUSED


def test_a_key_of_something_unproven_is_told_so() -> None:
    told = tellings()
    begun(told, KEYED)
    list(told.give_up(Idle(), 3.0))
    refused = outcome(again(told, KEYED))
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.receipt) == (Reason.UNVERIFIED, told.receipts[R1])


def test_what_was_refused_leaves_its_key_free() -> None:
    told = tellings()
    refused = outcome(list(told.refused(begun(told, KEYED), WHY)))
    assert isinstance(refused, Refused)
    assert refused.receipt is not None
    assert (refused.receipt.progress, refused.receipt.reason) == (Progress.REFUSED, "agent_busy")
    assert told.repeated(KEYED, TWO) is None
    assert not told.is_awaiting_proof()


def test_so_many_receipts_are_kept() -> None:
    told = tellings()
    for number in range(KEPT + 5):
        list(told.refused(begun(told, Nudge("x")), WHY))
        assert len(told.receipts) <= KEPT, number
    assert R1 not in told.receipts


def test_a_key_whose_receipt_is_forgotten_is_a_new_one() -> None:
    told = tellings()
    list(told.proven(begun(told, KEYED)))
    list(told.give_up(Idle(), 1000.0))
    for _ in range(KEPT):
        list(told.refused(begun(told, Nudge("x")), WHY))
    assert told.repeated(KEYED, TWO) is None


def test_what_was_heard_before_is_no_proof_of_the_same_words_now() -> None:
    told = tellings()
    begun(told, Nudge("again"), now=100.0)
    assert list(told.heard(Heard("again"), "session_log", 90.0)) == []
    assert list(told.heard(Heard("again"), "session_log", 100.1)) != []


def test_every_message_is_counted_once_by_its_end_and_every_answer_by_its_way() -> None:
    told = tellings()
    list(told.refused(begun(told, Nudge("one")), WHY))
    begun(told, Nudge("two"))
    list(told.give_up(Idle(), LATER))
    assert told.outcomes == {Progress.REFUSED: 1}  # proof may still come
    list(told.give_up(Idle(), LATER + HOPE))
    begun(told, Nudge("three"), now=LATER)
    list(told.heard(Heard("three"), "hooks", LATER))
    list(told.heard(Heard("three"), "session_log", LATER))
    assert told.outcomes == {Progress.REFUSED: 1, Progress.UNVERIFIABLE: 1, Progress.CONFIRMED: 1}
    telling = told.begin(Respond(accept=True), ONE, Working(), LATER)
    telling.effect, telling.via = "accepted", "hook"
    list(told.proven(telling))
    assert told.answers == {("hook", "accepted"): 1}
