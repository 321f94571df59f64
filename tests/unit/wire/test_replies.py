import json
from typing import Any

import msgspec

from coop.model.commands import Progress, Receipt
from coop.model.ids import PromptId, ReceiptId
from coop.model.screen import Cursor, Size
from coop.model.state import ExitStatus
from coop.model.stop import StopMode, StopSignal
from coop.model.view import Answered, RecordingStatus
from coop.wire import http, replies


def sent(reply: object) -> dict[str, Any]:
    """As a client gets it, with a field that a newer coop may add."""
    body: dict[str, Any] = {**json.loads(msgspec.json.encode(reply)), "newer": 1}
    return body


def test_a_receipt_is_the_one_that_was_given() -> None:
    receipt = Receipt(ReceiptId("r1"), "hello", Progress.CONFIRMED, received_as="hello", evidence="hooks", queued=True)
    assert replies.receipt(sent(http.receipt_body(receipt))) == receipt


def test_health_and_status() -> None:
    told = replies.health(sent(http.Health("running", 7, 60, "claude", http.Terminal(80, 24), 0, "me", {"a": "b"}, "1")))
    assert (told.status, told.pid, told.size, told.labels) == ("running", 7, Size(80, 24), {"a": "b"})
    ran, ended = http.Status("running", 7, None, 1, 2, 3, 0, None, 9), http.Status("exited", 7, None, 1, 2, 3, 0, 15, 9)
    assert replies.status(sent(ran)).exit is None
    assert replies.status(sent(ended)).exit == ExitStatus(signal=15)


def test_the_screen_and_what_scrolled_away() -> None:
    body = sent(http.Screen(("a", ""), 2, 5, http.CursorPosition(0, 1), False, 4, "title", ("gone",)))
    shown = replies.screen(body)
    assert (shown.lines, shown.size, shown.cursor, shown.title, shown.seq) == (("a", ""), Size(5, 2), Cursor(0, 1), "title", 4)
    assert replies.scrollback(body) == ("gone",)
    assert not replies.screen({**body, "cursor": None}).cursor.visible


def test_output_is_bytes_again() -> None:
    chunk = replies.output(sent(http.Output("G1s=", 4, 6, 9)))
    assert (chunk.data, chunk.offset, chunk.next_offset, chunk.total) == (b"\x1b[", 4, 6, 9)


def test_small_replies() -> None:
    assert replies.bytes_written(sent(http.BytesWritten(6))) == 6
    assert replies.size(sent(http.Terminal(9, 8))) == Size(9, 8)


def test_what_an_answer_did_whatever_was_asked() -> None:
    reply = sent(http.Responded(True, "plan", "p3", "feedback", "keys"))
    assert replies.answered(reply) == Answered("plan", PromptId("p3"), "feedback", "keys")
    assert replies.answered({"delivered": True, "prompt_type": "riddle"}) == Answered("riddle", None, "", "")


def test_whether_it_is_written_down() -> None:
    told = sent(http.RecordingReply(True, "/r.coop.jsonl", 7, "middle"))
    assert replies.recording(told) == RecordingStatus(True, "/r.coop.jsonl", 7, "middle")
    assert replies.recording(sent(http.RecordingReply(on=False))) == RecordingStatus(False)


def test_the_gate() -> None:
    gate = replies.stop_gate(sent(http.StopStatus("gate", "go on", 5, 2, http.SignalBody("escalate", "why"))))
    assert (gate.config.mode, gate.config.reason, gate.config.most_blocks) == (StopMode.GATE, "go on", 5)
    assert (gate.blocks, gate.signal) == (2, StopSignal("escalate", "why"))
