"""Messages of every shape: what the model received is what was sent, or coop says so."""

import base64
import time

import pytest

from coop.testing import eventually
from coop.testing.openai import say
from tests.live.codex.conftest import IDLE, Lab, StartLab, shell

SHAPES = {
    "1 character": "k",
    "40 characters": "forty characters of a quite normal line.",
    "63 characters": "x" * 63,
    "64 characters": "y" * 64,
    "300 characters": "word " * 60,
    "1001 characters": "z" * 1001,
    "5000 characters": "a line of some length to make it long\n" * 130,
    "100000 characters": "0123456789" * 10_000,
    "300000 characters": "0123456789" * 30_000,
    "lines": "first line\n\nthird line\n  indented",
    "unicode": "你好 👨‍👩‍👧 e\u0301 naïve — “quotes”",
    "tabs": "a\tb\tc",
    "a heading": "# not a memory",
    "a shell command": "!touch made-by-shell",
    "a shell command behind blanks": " \u00a0\n!touch made-by-shell",
    "a command": "/clear now",
    "a command nobody knows": "/nosuch thing",
    "a path": "/etc/hosts is a file",
    "a command behind nothing": "\u200b/clear",
    "a question mark": "? what is this",
    "a name at the end": "look at @x",
    "a skill at the end": "use $x",
    "a backslash at the end": "ends with \\",
    "the end of the program": "exit",
    "the end of a paste": "before \x1b[201~ after\x03\x1b",
}


DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
"""A picture of one dot."""


def same(sent: str, received: str) -> bool:
    """As the model sees it: trimmed, without what would be keys, and with our guard before a `!`."""
    text = sent.replace("\x1b", "").replace("\x03", "").strip()
    return received in (text, "\\" + text)


@pytest.mark.parametrize("shapes", [list(SHAPES)[:13], list(SHAPES)[13:]], ids=["plain", "special"])
def test_what_was_sent_is_what_the_model_received(start_lab: StartLab, shapes: list[str]) -> None:
    lab = start_lab().ready()
    for number, shape in enumerate(shapes, 1):
        lab.until(IDLE)
        reply = lab.tell(SHAPES[shape], say(f"answer {number}"))
        assert reply["receipt"]["progress"] == "confirmed", shape
        eventually(lambda number=number: len(lab.api.main_requests) == number, what=shape)  # type: ignore[misc]
        assert same(SHAPES[shape], lab.prompts_received()[-1]), (shape, lab.prompts_received()[-1][:100])
    lab.until(IDLE)
    assert not (lab.workspace / "made-by-shell").exists()
    assert len(lab.api.main_requests) == len(shapes)
    assert lab.refusal("x" * 300_001) == "MESSAGE_TOO_LONG"


def test_the_path_of_a_picture_is_words(start_lab: StartLab) -> None:
    """Pasted whole it would be the picture, and the model would be sent something else."""
    lab = start_lab().ready()
    picture = lab.workspace / "picture.png"
    picture.write_bytes(base64.b64decode(DOT))
    assert lab.tell(str(picture), say("Seen."))["receipt"]["received_as"] == str(picture)
    lab.until(IDLE)
    assert lab.prompts_received() == [str(picture)]


def test_a_raw_command_is_run(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("!touch made-by-shell", raw=True)
    eventually((lab.workspace / "made-by-shell").exists)
    lab.until(IDLE)
    assert not lab.api.main_requests


def test_a_draft_is_cleared_and_given_back(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.wire.post("/api/v1/input", {"text": "\x1b[200~half a thought\n\nand more\x1b[201~"})
    lab.wire.shows("and more")
    lab.press("Up")
    eventually(lambda: lab.refusal("in between", keep_draft=True) == "DRAFT_PRESENT")
    reply = lab.tell("in between", say("Yes."))
    assert reply["receipt"]["cleared_draft"].split() == "half a thought and more".split()
    lab.until(IDLE)
    lab.wire.post("/api/v1/input", {"text": "\x1b[200~one\n\n\nfour\x1b[201~"})
    lab.wire.shows("four")
    lab.tell("and then", say("Yes."))
    lab.until(IDLE)
    assert lab.prompts_received() == ["in between", "and then"]


def test_after_an_early_escape_the_old_message_is_not_sent_again(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("think about it", say("never said", delay=30))
    eventually(lambda: lab.api.main_requests)
    lab.press_until("Escape", lambda: lab.state()["state"] == IDLE)
    reply = lab.tell("something else", say("Fine."))
    assert reply["receipt"]["received_as"] == "something else"
    lab.wire.shows("Fine.")
    assert lab.prompts_received()[-1] == "something else"


def test_a_busy_agent_takes_it_into_its_queue(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("count slowly", say("one two three four five six seven " * 3, pace=0.5), say("Second answer."))
    lab.until("working")
    assert lab.refusal("and then this") == "AGENT_BUSY"
    receipt = lab.tell("and then this", when="queue", wait=10)["receipt"]
    assert (receipt["progress"], receipt["queued"], receipt["evidence"]) == ("submitted", True, "screen")
    assert len(lab.api.main_requests) == 1
    lab.wire.shows("Second answer.")
    lab.until(IDLE)
    heard = lab.wire.get(f"/api/v1/receipts/{receipt['id']}")
    assert (heard["progress"], heard["received_as"]) == ("confirmed", "and then this")
    assert lab.prompts_received() == ["count slowly", "and then this"]
    assert lab.states().count(IDLE) == 2  # ready, and at the very end


def became(lab: Lab, receipt: str, progress: str) -> None:
    eventually(lambda: lab.wire.get(f"/api/v1/receipts/{receipt}")["progress"] == progress, what=progress)


def test_what_is_queued_is_not_lost_to_an_interrupt(start_lab: StartLab) -> None:
    """Esc puts the queue back into the input, where a message that interrupts would have to clear it."""
    lab = start_lab().ready()
    lab.tell("count slowly", say("word " * 60, pace=0.1), say("Two answers."))
    lab.wire.shows("word word")
    receipt = lab.tell("first queued\nin two lines", when="queue", wait=10)["receipt"]
    assert lab.refusal("stop and do this", when="interrupt") == "AGENT_BUSY"
    lab.wire.shows("Two answers.")
    lab.until(IDLE)
    assert lab.wire.get(f"/api/v1/receipts/{receipt['id']}")["progress"] == "confirmed"
    assert lab.prompts_received() == ["count slowly", "first queued\nin two lines"]


def test_what_comes_back_from_the_queue_is_told_as_unsent(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("count slowly", say("word " * 400, pace=0.2), say("Sent again."))
    lab.wire.shows("word word")
    receipts = [lab.tell(each, when="queue", wait=10)["receipt"]["id"] for each in ("first queued", "second queued")]
    lab.press_until("Escape", lambda: lab.state()["state"] == IDLE)
    for each in receipts:
        became(lab, each, "refused")
        found = lab.wire.get(f"/api/v1/receipts/{each}")
        assert (found["reason"], found.get("queued", False)) == ("returned", False)
    reply = lab.tell("first queued")["receipt"]
    assert reply["cleared_draft"].split() == ["first", "queued", "second", "queued"]
    lab.wire.shows("Sent again.")
    assert lab.prompts_received() == ["count slowly", "first queued"]


def test_a_busy_agent_is_steered_only_when_that_is_said(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("count slowly", say("word " * 400, pace=0.2), say("Turned."))
    lab.wire.shows("word word")
    assert lab.tell("do this instead", when="steer", wait=10)["receipt"]["progress"] == "confirmed"
    lab.wire.shows("Turned.")
    lab.until(IDLE)
    assert lab.prompts_received()[-1] == "do this instead"
    assert lab.states() == [IDLE, "working", IDLE]  # one turn


def test_a_busy_agent_is_interrupted_for_it(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("count slowly", say("word " * 400, pace=0.2), say("Stopped for you."))
    lab.wire.shows("word word")
    lab.tell("stop and do this", when="interrupt", wait=10)
    lab.wire.shows("Stopped for you.")
    assert lab.prompts_received()[-1] == "stop and do this"


def test_nothing_is_typed_into_a_dialog(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("make it", shell("touch made-by-codex"), say("Done."))
    lab.asked("permission_prompt", drawn=True)
    for when in ("idle", "queue", "interrupt", "steer"):
        assert lab.refusal("y", when=when) == "AGENT_BUSY"
    lab.respond(accept=False)
    lab.until(IDLE)
    assert not (lab.workspace / "made-by-codex").exists()
    assert len(lab.api.main_requests) == 1


def test_the_same_key_types_once_and_nobody_waits_longer_than_asked(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    first = lab.tell("only once", say("Once."), idempotency_key="k1")
    lab.until(IDLE)
    again = lab.tell("only once", idempotency_key="k1")
    assert again["receipt"] == first["receipt"]
    assert lab.refusal("something else", idempotency_key="k1") == "KEY_REUSED"
    assert len(lab.api.main_requests) == 1
    began = time.monotonic()
    reply = lab.wire.request("POST", "/api/v1/agent/nudge", json={"message": "quickly", "wait": 0}).json()
    assert time.monotonic() - began < 2
    assert (reply["delivered"], reply["reason"]) == (False, "unverified")
    receipt = reply["receipt"]["id"]
    eventually(lambda: lab.wire.get(f"/api/v1/receipts/{receipt}")["progress"] == "confirmed")
