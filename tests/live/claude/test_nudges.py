"""Messages of every shape: what the model received is what was sent, or coop says so."""

import json
import time
import unicodedata

import pytest

from coop.testing import eventually
from coop.testing.anthropic import say, use
from tests.live.claude.conftest import IDLE, Lab, StartLab

SHAPES = {
    "1 character": "k",
    "40 characters": "forty characters of a quite normal line.",
    "63 characters": "x" * 63,
    "64 characters": "y" * 64,
    "300 characters": "word " * 60,
    "5000 characters": "a line of some length to make it long\n" * 130,
    "100000 characters": "0123456789" * 10_000,
    "lines": "first line\n\nthird line\n  indented",
    "unicode": "你好 👨‍👩‍👧 e\u0301 naïve — “quotes”",
    "tabs": "a\tb\tc",
    "a heading": "# not a memory",
    "a shell command": "!touch made-by-shell",
    "a command": "/clear now",
    "a command behind nothing": "\u200b/clear",
    "a question mark": "? what is this",
    "a name at the end": "look at @x",
    "a command at the end": "fix the route /log",
    "another at the end": "mount it on /mem",
    "an emoji at the end": "label it :bug",
    "a port at the end": "listen on :80",
    "a backslash at the end": "ends with \\",
    "the end of the program": "exit",
    "the end of a paste": "before \x1b[201~ after\x03\x1b",
}


def same(sent: str, received: str) -> bool:
    """As the model sees it: what is not seen and how accents are spelled does not matter, nor our guard."""

    def seen(text: str) -> str:
        composed = unicodedata.normalize("NFC", text.replace("\x1b[201~", "[201~"))
        return "".join(c for c in composed if c.isprintable() and not c.isspace())

    return seen(received) in (seen(sent), "\\" + seen(sent))


@pytest.mark.parametrize("shapes", [list(SHAPES)[:10], list(SHAPES)[10:]], ids=["plain", "special"])
def test_what_was_sent_is_what_the_model_received(start_lab: StartLab, shapes: list[str]) -> None:
    lab = start_lab().ready()
    for number, shape in enumerate(shapes, 1):
        lab.until(IDLE)
        reply = lab.tell(SHAPES[shape], say(f"answer {number}"))
        assert reply["receipt"]["progress"] == "confirmed", shape
        eventually(lambda number=number: len(lab.api.main_requests) == number, what=shape)  # type: ignore[misc]
        assert same(SHAPES[shape], lab.prompts_received()[-1].rsplit("</system-reminder>", 1)[-1]), shape
    lab.until(IDLE)
    assert not (lab.workspace / "made-by-shell").exists()
    assert len(lab.api.main_requests) == len(shapes)


def test_as_much_as_is_promised_arrives_and_more_is_refused_before_anything_is_typed(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    longest = "0123456789" * 30_000
    assert lab.refusal(longest + "x") == "MESSAGE_TOO_LONG"
    assert lab.tell(longest, say("All of it."), wait=20)["receipt"]["progress"] == "confirmed"
    lab.until(IDLE)
    assert same(longest, lab.prompts_received()[-1].rsplit("</system-reminder>", 1)[-1])
    assert len(lab.api.main_requests) == 1


IMAGE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63f8cfc0f01f00050001ff89993d1d"
    "0000000049454e44ae426082"
)
"""A PNG of one pixel."""


def test_the_path_of_an_image_stays_in_the_text(start_lab: StartLab) -> None:
    """Where there is such a file Claude would put the image in its place, and who sent the text could not know it again."""
    lab = start_lab().ready()
    paths = [lab.workspace / name for name in ("shot.png", "my other.JPG")]
    for path in paths:
        path.write_bytes(IMAGE)
    one, other = paths
    messages = [
        f"{one}",
        f"what is on these?\n{one}\n  {other}  \nand these?\n'{one}'\n\\{one}",
        f"look at {one}",
        f"{one} {other} {one}",
        f"compare {one} with {other}",
        f"{one} is wrong",
    ]
    for number, message in enumerate(messages, 1):
        lab.until(IDLE)
        reply = lab.tell(message, say("I see."))
        assert reply["receipt"]["progress"] == "confirmed", message
        eventually(lambda number=number: len(lab.api.main_requests) == number, what=message)  # type: ignore[misc]
        received = lab.prompts_received()[-1].rsplit("</system-reminder>", 1)[-1]
        assert same(message.replace("`", ""), received.replace("`", "")), message
    assert len(lab.api.main_requests) == len(messages)


def test_a_raw_command_is_run(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("!touch made-by-shell", raw=True)
    eventually((lab.workspace / "made-by-shell").exists)


def test_a_raw_exit_is_delivered(start_lab: StartLab) -> None:
    lab = start_lab(options=("--keep-alive",)).ready()
    receipt = lab.tell("/exit", raw=True)["receipt"]
    eventually(lambda: lab.state()["state"] == "exited", what="the end")
    assert receipt["progress"] == "confirmed"


def test_a_draft_is_cleared_and_given_back(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.wire.post("/api/v1/input", {"text": "half a thought"})
    lab.wire.shows("half a thought")
    eventually(lambda: lab.refusal("in between", keep_draft=True) == "DRAFT_PRESENT")
    reply = lab.tell("in between", say("Yes."))
    assert reply["receipt"]["cleared_draft"] == "half a thought"
    lab.until(IDLE)
    assert lab.prompts_received()[-1].endswith("in between")


def test_a_draft_of_several_lines_is_cleared_whole_before_a_long_message(start_lab: StartLab) -> None:
    """A long paste is folded in the input: what else stands there could not be told from it."""
    lab, message = start_lab().ready(), ("word " * 300).strip()
    lab.wire.post("/api/v1/input", {"text": "one\ntwo\nthree\nfour"})
    lab.wire.shows("four")
    reply = lab.tell(message, say("Yes."), wait=10)
    assert reply["receipt"]["cleared_draft"] == "one\ntwo\nthree\nfour"
    lab.until(IDLE)
    assert lab.prompts_received()[-1].endswith(message)
    assert "four" not in lab.prompts_received()[-1]


@pytest.mark.parametrize("key", ["Home", "Ctrl-A"])
@pytest.mark.parametrize("message", ["in between", ("word " * 300).strip()], ids=["short", "folded"])
def test_a_draft_is_one_with_the_cursor_at_its_start_too(start_lab: StartLab, key: str, message: str) -> None:
    """A suggestion has the cursor there as well, but is faint."""
    lab = start_lab().ready()
    lab.wire.post("/api/v1/input", {"text": "do not deploy yet"})
    lab.wire.shows("do not deploy yet")
    lab.press(key)
    eventually(lambda: lab.wire.get("/api/v1/screen")["cursor"]["col"] == 2, what="the cursor at the start")
    assert lab.refusal(message, keep_draft=True) == "DRAFT_PRESENT"
    lab.wire.shows("do not deploy yet")
    reply = lab.tell(message, say("Yes."), wait=10)
    assert (reply["receipt"]["progress"], reply["receipt"]["cleared_draft"]) == ("confirmed", "do not deploy yet")
    lab.until(IDLE)
    assert len(lab.api.main_requests) == 1
    assert lab.prompts_received()[-1].rsplit("</system-reminder>", 1)[-1].strip() == message


def test_what_a_command_takes_is_no_draft(start_lab: StartLab) -> None:
    """Claude says so behind it."""
    lab = start_lab().ready()
    lab.wire.post("/api/v1/input", {"text": "/compact "})
    lab.wire.shows("optional")
    assert lab.tell("in between", say("Yes."))["receipt"]["cleared_draft"] == "/compact"


def test_a_suggestion_is_no_draft(start_lab: StartLab) -> None:
    """What waits in the queue is said in the input itself, where a draft would stand."""
    lab = start_lab().ready()
    lab.tell("count slowly", say("word " * 400, pace=0.1), say("All of it."))
    lab.wire.shows("word word")
    lab.tell("and then this", when="queue", wait=10)
    lab.wire.shows("Press up to edit queued messages")
    reply = lab.tell("and that", when="queue", keep_draft=True, wait=10)
    assert reply["receipt"].get("cleared_draft") is None


def test_what_a_hook_of_the_users_keeps_from_the_model_is_not_confirmed(start_lab: StartLab) -> None:
    """Our own hook hears it all the same; the log says that it came no further."""
    block = """cat >/dev/null; echo '{"decision":"block","reason":"not today"}'"""
    hooks = {"UserPromptSubmit": [{"matcher": "", "hooks": [{"type": "command", "command": block}]}]}
    lab = start_lab("--settings", json.dumps({"hooks": hooks})).ready()
    reply = lab.wire.request("POST", "/api/v1/agent/nudge", json={"message": "hello there"}).json()
    receipt = reply["receipt"]["id"]
    told = lab.once(
        lambda: (it := lab.wire.get(f"/api/v1/receipts/{receipt}"))["progress"] == "refused" and it, what="the end of it"
    )
    assert told["reason"] == "blocked"
    lab.until(IDLE)
    assert lab.api.main_requests == []


def test_after_an_early_escape_the_old_message_is_not_sent_again(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("think about it\nfor long\nand well", say("never said", delay=30))
    eventually(lambda: lab.api.main_requests)
    lab.press_until("Escape", lambda: lab.state()["state"] == IDLE)
    reply = lab.tell("something else", say("Fine."))
    assert reply["receipt"]["received_as"] == "something else"
    lab.wire.shows("Fine.")
    assert lab.prompts_received()[-1].endswith("something else")


def test_a_busy_agent_takes_it_into_its_queue(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("count slowly", say("one two three four five six seven " * 2, pace=0.5), say("Second answer."))
    lab.until("working")
    assert lab.refusal("and then this") == "AGENT_BUSY"
    reply = lab.tell("and then this", when="queue", wait=10)
    assert reply["receipt"]["progress"] == "confirmed"
    lab.wire.shows("Second answer.")
    lab.until(IDLE)
    assert "and then this" in lab.prompts_received()[-1]
    assert lab.states().count(IDLE) == 2  # ready, and at the very end


def became(lab: Lab, receipt: str, **expected: object) -> None:
    def has_become() -> bool:
        found = {"queued": False, **lab.wire.get(f"/api/v1/receipts/{receipt}")}
        return all(found.get(name) == value for name, value in expected.items())

    lab.once(has_become, what=f"{receipt} with {expected}")


def test_what_a_person_takes_out_of_the_queue_is_told_as_unsent(start_lab: StartLab) -> None:
    """Up puts all of it back into the input. 2.1.325 has told our hook of it before."""
    lab = start_lab().ready()
    lab.tell("count slowly", say("word " * 400, pace=0.1), say("Sent again."))
    lab.wire.shows("word word")
    messages = ("first queued", "second queued\nin two lines")
    receipts = [lab.tell(each, when="queue", wait=10)["receipt"]["id"] for each in messages]
    for each in receipts:
        became(lab, each, progress="confirmed", queued=True)
    lab.press("Up")
    for each in receipts:
        became(lab, each, progress="refused", reason="returned", queued=False)
    lab.press_until("Escape", lambda: lab.state()["state"] == IDLE)
    reply = lab.tell("first queued")["receipt"]
    assert reply["cleared_draft"].split("\n") == ["first queued", "second queued", "in two lines"]
    lab.wire.shows("Sent again.")
    assert len(lab.api.main_requests) == 2
    assert lab.prompts_received()[-1].endswith("first queued")
    assert "second queued" not in lab.prompts_received()[-1]


def test_a_busy_agent_is_interrupted_for_it(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("count slowly", say("word " * 400, pace=0.2), say("Stopped for you."))
    lab.wire.shows("word word")
    lab.tell("stop and do this", when="interrupt", wait=10)
    lab.wire.shows("Stopped for you.")
    assert "stop and do this" in lab.prompts_received()[-1]


def test_what_is_queued_does_not_keep_the_agent_from_being_stopped(start_lab: StartLab) -> None:
    """Esc ends the turn, and Claude goes on at once with what was queued."""
    lab = start_lab().ready()
    lab.api.otherwise = say("second " * 400, pace=0.2)
    lab.tell("count slowly", say("word " * 400, pace=0.2))
    lab.wire.shows("word word")
    lab.tell("queued before", when="queue", wait=10)
    lab.tell("stop and do this", when="interrupt", wait=9)
    eventually(lambda: "stop and do this" in lab.prompts_received()[-1])
    assert len(lab.api.hung_up) >= 1


@pytest.mark.parametrize(("accept", "when"), [(True, "queue"), (False, "interrupt")])
def test_once_a_dialog_is_answered_a_message_is_taken(start_lab: StartLab, when: str, *, accept: bool) -> None:
    """It may still be on the screen then."""
    lab = start_lab().ready()
    lab.tell("make it", use("Bash", command="sleep 1; touch made", description="x"), say("Done."), say("More."))
    lab.asked("permission_prompt", drawn=True)
    lab.respond(accept=accept)
    lab.tell("and then this", when=when, wait=8)
    lab.until(IDLE)
    eventually(lambda: "and then this" in json.dumps([each.body["messages"] for each in lab.api.main_requests]))


def test_what_comes_back_before_the_model_had_it_is_told_as_unsent(start_lab: StartLab) -> None:
    """A hook of the user's holds it, and somebody presses Esc."""
    hook = {"type": "command", "command": "cat >/dev/null; sleep 4; exit 0", "timeout": 30}
    settings = {"hooks": {"UserPromptSubmit": [{"matcher": "", "hooks": [hook]}]}}
    lab = start_lab("--settings", json.dumps(settings)).ready()
    receipt = lab.tell("begin")["receipt"]["id"]
    lab.press_until("Escape", lambda: lab.state()["state"] == IDLE)
    became(lab, receipt, progress="refused", reason="returned")
    assert lab.api.main_requests == []


def test_nothing_is_typed_into_a_dialog(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.tell("make it", use("Bash", command="touch made-by-claude", description="x"), say("Done."))
    lab.asked("permission_prompt", drawn=True)
    for when in ("idle", "queue", "interrupt"):
        assert lab.refusal("1", when=when) == "AGENT_BUSY"
    lab.respond(accept=False)
    lab.until(IDLE)
    assert not (lab.workspace / "made-by-claude").exists()
    assert len(lab.api.main_requests) == 1


def test_the_same_key_types_once(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    first = lab.tell("only once", say("Once."), idempotency_key="k1")
    lab.until(IDLE)
    again = lab.tell("only once", idempotency_key="k1")
    assert again["receipt"] == first["receipt"]
    assert lab.refusal("something else", idempotency_key="k1") == "KEY_REUSED"
    assert lab.wire.get(f"/api/v1/receipts/{first['receipt']['id']}") == first["receipt"]
    assert len(lab.api.main_requests) == 1


def test_nobody_waits_longer_than_asked(start_lab: StartLab) -> None:
    lab = start_lab().ready()
    lab.api.script(say("Later."))
    began = time.monotonic()
    reply = lab.wire.request("POST", "/api/v1/agent/nudge", json={"message": "quickly", "wait": 0}).json()
    assert time.monotonic() - began < 2
    assert (reply["delivered"], reply["reason"]) == (False, "unverified")
    receipt = reply["receipt"]["id"]
    eventually(lambda: lab.wire.get(f"/api/v1/receipts/{receipt}")["progress"] == "confirmed")
