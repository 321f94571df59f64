"""Messages of every shape, into every state: what was typed is compared with what the model was sent."""

import random
import string

import pytest

from coop.testing import eventually
from coop.testing.google import say, use
from tests.live.gemini.conftest import BARE, IDLE, Lab


def text_of(length: int) -> str:
    dice = random.Random(length)
    return "".join(dice.choice(string.ascii_letters + "    ") for _ in range(length - 1)).strip().ljust(length, "x")


@BARE
@pytest.mark.parametrize("length", [1, 40, 64, 300, 5_000, 20_000])
def test_a_message_arrives_whole(ready: Lab, length: int) -> None:
    message = text_of(length)
    ready.tell(message, say("Read."), wait=20)
    ready.until(IDLE)
    assert ready.last_prompt() == message


@BARE
def test_more_than_it_can_take_is_refused_before_anything_is_typed(ready: Lab) -> None:
    assert ready.refusal(text_of(100_000)) == "MESSAGE_TOO_LONG"
    assert "Pasted Text" not in ready.wire.text()


SHAPES = {
    "lines": "first line\nsecond line\n\n    indented",
    "unicode": "naïve café — 日本語 👩‍👩‍👧 Ω",
    "bang": "!touch made-by-a-bang",
    "slash": "/clear",
    "slash with words": "/quit now",
    "hash": "# a heading",
    "at": "@nobody knows",
    "at the end": "look at @wor",
    "agent at the end": "ask @",
    "quoted": 'it\'s "quoted" `so` $HOME \\n',
    "question mark": "?",
    "numbers": "1",
}


@BARE
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_a_message_of_any_shape_is_only_a_message(ready: Lab, shape: str) -> None:
    session, message = ready.state()["session_id"], SHAPES[shape]
    ready.tell(message, say("Read."))
    ready.until(IDLE)
    assert ready.last_prompt().strip().removeprefix("\\") == message
    assert ready.state()["session_id"] == session
    assert not ready.made("made-by-a-bang").exists()


@pytest.mark.parametrize("message", ["look at @notes.txt please", "look at @notes.txt", "@notes.txt"])
def test_a_message_at_an_existing_file_is_delivered_and_its_content_with_it(ready: Lab, message: str) -> None:
    ready.made("notes.txt").write_text("some notes\nof two lines\n")
    receipt = ready.tell(message, say("Read."))["receipt"]
    assert receipt["received_as"].strip() == message
    ready.until(IDLE)
    said, _, files = ready.last_prompt().partition("\n--- Content from referenced files ---")
    assert said.strip() == message
    assert "some notes\nof two lines" in files


def test_a_draft_is_cleared_and_given_back_or_kept(ready: Lab) -> None:
    ready.wire.post("/api/v1/input", {"text": "half a thought"})
    ready.wire.shows("half a thought")
    assert ready.refusal("hello", keep_draft=True) == "DRAFT_PRESENT"
    reply = ready.tell("a whole one", say("Read."))
    assert reply["receipt"]["cleared_draft"] == "half a thought"
    ready.until(IDLE)
    assert ready.last_prompt() == "a whole one"


@BARE
def test_a_draft_of_several_lines_is_cleared(ready: Lab) -> None:
    ready.wire.post("/api/v1/input", {"text": "\x1b[200~one\ntwo\nthree\x1b[201~"})
    ready.wire.shows("three")
    ready.tell("and another", say("Read."))
    ready.until(IDLE)
    assert ready.last_prompt() == "and another"


@BARE
def test_a_shell_that_waits_for_a_command_is_left_alone(ready: Lab) -> None:
    ready.wire.post("/api/v1/input", {"text": "!"})
    ready.wire.shows("shell command")
    assert ready.refusal("touch made-by-a-shell") == "DRAFT_PRESENT"
    ready.press("Escape")
    ready.once(lambda: "Type your message" in ready.wire.text(), what="the input")
    assert not ready.made("made-by-a-shell").exists()


@BARE
def test_a_busy_agent_is_not_told_unless_it_is_asked_for(ready: Lab) -> None:
    ready.tell("count slowly", say(text_of(3000), pace=0.1))
    ready.until("working")
    assert ready.refusal("and now?") == "AGENT_BUSY"
    assert ready.refusal("and now?", when="steer") == "BAD_REQUEST"
    ready.press("Escape")
    ready.until(IDLE)
    assert "and now?" not in str(ready.api.main_requests[-1].body)


def test_a_message_is_queued_for_the_end_of_the_turn(ready: Lab) -> None:
    ready.tell("count slowly", say(text_of(1200), pace=0.1), say("The second."))
    ready.until("working")
    reply = ready.wire.request("POST", "/api/v1/agent/nudge", json={"message": "and then this", "when": "queue"}).json()
    receipt = reply["receipt"]["id"]
    assert reply["receipt"]["progress"] in ("submitted", "confirmed")
    confirmed = lambda: ready.wire.get(f"/api/v1/receipts/{receipt}")["progress"] == "confirmed"  # noqa: E731
    ready.once(confirmed, what="the proof")
    ready.until(IDLE)
    assert ready.last_prompt() == "and then this"
    assert ready.states().count(IDLE) == 1  # at the very end


def test_messages_that_were_queued_together_are_proven_together(ready: Lab) -> None:
    """Gemini sends them as one prompt."""
    ready.tell("count slowly", say(text_of(1200), pace=0.1), say("To both."))
    ready.until("working")
    replies = [
        ready.wire.request("POST", "/api/v1/agent/nudge", json={"message": each, "when": "queue", "wait": 1}).json()
        for each in ("first queued", "second\n\nqueued")
    ]
    for reply in replies:
        receipt = f"/api/v1/receipts/{reply['receipt']['id']}"
        ready.once(lambda receipt=receipt: ready.wire.get(receipt)["progress"] == "confirmed", what="the proof")  # type: ignore[misc]
    ready.until(IDLE)
    assert ready.last_prompt() == "first queued\n\nsecond\n\nqueued"


def test_a_message_can_interrupt(ready: Lab) -> None:
    ready.tell("count slowly", say(text_of(6000), pace=0.1))
    ready.until("working")
    ready.wire.shows(text_of(6000)[:20])
    ready.tell("stop, and do this", say("Yes."), when="interrupt", wait=10)
    ready.until(IDLE)
    assert ready.last_prompt() == "stop, and do this"


@BARE
def test_nothing_is_typed_into_a_dialog(ready: Lab) -> None:
    ready.tell("make it", use("run_shell_command", command="touch unasked", description="x"), say("never said"))
    ready.asked("permission_prompt", drawn=True)
    for when in ("idle", "queue", "interrupt"):
        assert ready.refusal("1", when=when) == "AGENT_BUSY"
    ready.respond(accept=False)
    ready.until(IDLE)
    assert not ready.made("unasked").exists()


def test_the_same_key_is_one_message(ready: Lab) -> None:
    before = len(ready.api.main_requests)
    for _ in range(2):
        reply = ready.wire.request(
            "POST", "/api/v1/agent/nudge", json={"message": "only once"}, headers={"Idempotency-Key": f"k{before}"}
        )
        assert reply.json()["delivered"], reply.text
    ready.until(IDLE)
    assert len(ready.api.main_requests) == before + 1


def test_a_command_runs_when_it_is_asked_for(ready: Lab) -> None:
    """The last of the module: it begins a new conversation."""
    before = ready.state()["session_id"]
    ready.deliver("/clear", raw=True)
    if ready.is_hooked:
        eventually(lambda: ready.state()["session_id"] not in (None, before), within=5)
        ready.until(IDLE)
        ready.tell("second", say("Two."))
        ready.until(IDLE)
        eventually(lambda: ready.state()["last_message"] == "Two.")
