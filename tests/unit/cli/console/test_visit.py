import json
from base64 import b64decode
from typing import Any

import pytest

from coop.cli.console.painting import OPEN
from coop.cli.console.silence import ANSWERS_WITHIN, QUIET
from coop.cli.console.visit import ECHO_RESTS, NEWS, PACE, Visit, Wishes
from coop.errors import Unreachable
from coop.model.screen import XTERM, Size
from coop.terminal.ghostty import GhosttyScreen
from coop.wire import ws

TERMINAL, ROOM = Size(60, 7), Size(60, 6)
CUT = Unreachable("the connection was cut")


class Stage:
    """A session, somebody who visits it, and the terminal in front of them."""

    def __init__(self, *, size: Size = ROOM, types: bool = True, resizes: bool = True, has_status: bool = True) -> None:
        self.visit = Visit("work", Wishes(0x1C, "Ctrl-\\", resizes, types, has_status, patience=5.0), TERMINAL)
        self.session = GhosttyScreen(size, XTERM)
        self.terminal = GhosttyScreen(TERMINAL, XTERM)
        self.terminal.feed(OPEN)
        self.written = 0
        self.now = 100.0
        self.visit.on_connected(self.now)

    def dump(self) -> "Stage":
        self.hear(ws.dump(self.session.dump(), self.written, self.session.size))
        return self

    def output(self, data: bytes) -> None:
        self.session.feed(data)
        offset, self.written = self.written, self.written + len(data)
        self.visit.on_message(ws.output(data, offset), self.now)

    def hear(self, message: ws.ToClient) -> None:
        self.visit.on_message(ws.encode(message), self.now)

    def draw(self) -> bytes:
        self.now += 1.0
        self.visit.on_time(self.now)
        drawn = self.visit.frame(self.now)
        self.terminal.feed(drawn)
        return drawn

    def lines(self) -> list[str]:
        self.draw()
        return list(self.terminal.snapshot().lines)

    @property
    def status(self) -> str:
        return self.lines()[-1]

    def sent(self) -> list[dict[str, Any]]:
        messages, self.visit.outbox = self.visit.outbox, []
        return [json.loads(message) for message in messages]

    def kinds(self) -> list[str]:
        return [message["type"] for message in self.sent()]


def test_the_first_thing_is_to_take_the_size() -> None:
    stage = Stage(size=Size(80, 24))
    assert stage.sent() == [{"type": "resize", "cols": 60, "rows": 6, "request_id": None}]


def test_the_screen_of_the_dump_is_shown_and_output_goes_on_from_there() -> None:
    stage = Stage()
    stage.session.feed(b"before ")
    stage.written = 7
    stage.dump().output(b"and after")
    assert stage.lines()[0] == "before and after"
    assert stage.status.startswith(" work ")


def test_a_gap_is_not_drawn_over() -> None:
    stage = Stage().dump()
    stage.sent()
    stage.written += 5
    stage.output(b"too late")
    assert stage.kinds() == ["dump_request"]
    assert stage.lines()[0] == ""
    stage.output(b"again")
    assert stage.kinds() == []
    stage.dump()
    assert stage.lines()[0] == "too lateagain"


def test_who_fell_behind_is_shown_what_is_there_now() -> None:
    stage = Stage().dump()
    stage.session.feed(b"the end of a flood")
    stage.written = 5000
    data = ws.dump(stage.session.dump(), 0, ROOM).data
    stage.hear(ws.LaggedMessage(offset=0, next_offset=5000, dump=data, cols=ROOM.cols, rows=ROOM.rows))
    stage.output(b"!")
    assert stage.lines()[0] == "the end of a flood!"


def test_the_screen_beneath_one_that_was_found_is_asked_for() -> None:
    stage = Stage()
    stage.session.feed(b"beneath\x1b[?1049h\x1b[Habove")
    stage.dump()
    stage.sent()
    assert stage.lines()[0] == "above"
    stage.output(b"\x1b[?10")
    stage.output(b"49l")
    assert stage.kinds() == ["dump_request"]
    stage.dump()
    assert stage.lines()[0] == "beneath"


def test_one_that_was_seen_to_be_left_is_known() -> None:
    stage = Stage().dump()
    stage.sent()
    stage.output(b"beneath")
    stage.output(b"\x1b[?1049h\x1b[Habove")
    stage.output(b"\x1b[?1049l")
    assert stage.kinds() == []
    assert stage.lines()[0] == "beneath"


def test_keys_are_sent_as_they_are() -> None:
    stage = Stage().dump()
    stage.sent()
    stage.visit.on_typed(b"\x1a\x03\xff", stage.now)
    (message,) = stage.sent()
    assert message["type"] == "input_raw"
    assert b64decode(message["data"]) == b"\x1a\x03\xff"


def test_whoever_types_has_the_size() -> None:
    stage = Stage().dump()
    stage.sent()
    stage.session.resize(Size(100, 40))
    stage.dump()
    assert stage.kinds() == []
    assert "60×6 of 100×40" in stage.status
    stage.visit.on_typed(b"a", stage.now)
    stage.visit.on_typed(b"b", stage.now)
    assert stage.kinds() == ["resize", "input_raw", "input_raw"]


def test_a_new_size_of_the_terminal_is_the_sessions() -> None:
    stage = Stage().dump()
    stage.sent()
    stage.visit.on_resized(Size(50, 11))
    assert stage.sent() == [{"type": "resize", "cols": 50, "rows": 10, "request_id": None}]


@pytest.mark.parametrize("wish", ["resizes", "types"])
def test_a_session_that_is_to_keep_its_size_keeps_it(wish: str) -> None:
    stage = Stage(size=Size(80, 24), **{wish: False}).dump()
    stage.visit.on_resized(Size(50, 11))
    stage.visit.on_typed(b"a", stage.now)
    assert "resize" not in stage.kinds()


def test_a_terminal_of_others_is_left_alone_after_the_first_refusal() -> None:
    stage = Stage(size=Size(80, 24)).dump()
    stage.hear(ws.ErrorMessage("tmux:work: its size is for those it belongs to", "NOT_OURS"))
    stage.sent()
    stage.visit.on_resized(Size(50, 11))
    stage.visit.on_typed(b"a", stage.now)
    assert stage.kinds() == ["input_raw"]


def test_who_only_looks_types_nothing_and_is_told_so() -> None:
    stage = Stage(types=False).dump()
    stage.visit.on_typed(b"a", stage.now)
    assert stage.kinds() == []
    assert "read-only" in stage.status
    stage.visit.on_typed(b"\x1cd", stage.now)
    assert stage.visit.ended == (0, "detached from work")


def test_a_lock_of_somebody_else_is_told() -> None:
    stage = Stage().dump()
    stage.hear(ws.ErrorMessage("another connection holds the write lock for 20 s more", "WRITER_BUSY"))
    assert "another connection holds" in stage.status


def test_news_are_news_for_a_while() -> None:
    stage = Stage().dump()
    stage.visit.on_typed(b"\x1c", stage.now)
    assert "d detaches" in stage.status
    stage.now += NEWS
    assert stage.status.split() == ["work", "Ctrl-\\", "d", "detaches"]


def test_the_state_is_told() -> None:
    stage = Stage().dump()
    stage.hear(ws.StateChangeMessage("working", "error", 1, None, "overloaded", 2, "e"))
    assert stage.status.startswith(" work  ● error  overloaded")


@pytest.mark.parametrize(
    ("message", "code", "words"),
    [
        (ws.ExitMessage(0, None), 0, "work has exited with 0"),
        (ws.ExitMessage(3, None), 3, "work has exited with 3"),
        (ws.ExitMessage(None, 9), 137, "work was ended by signal 9"),
        (ws.ExitMessage(None, None), 0, "work has ended"),
    ],
)
def test_the_end_of_the_program_is_ours_and_so_is_its_code(message: ws.ExitMessage, code: int, words: str) -> None:
    stage = Stage().dump()
    stage.hear(message)
    assert stage.visit.ended == (code, words)


def test_of_the_end_of_a_program_that_was_attached_to_what_is_known_is_told() -> None:
    stage = Stage().dump()
    stage.hear(ws.StateChangeMessage("working", "exited", 1, None, "the tmux server is gone", 2, "e"))
    stage.hear(ws.ExitMessage(None, None))
    assert stage.visit.ended == (0, "work: the tmux server is gone")
    busy = Stage().dump()
    busy.hear(ws.StateChangeMessage("unknown", "working", 1, None, "thinking", 2, "e"))
    busy.hear(ws.ExitMessage(None, None))
    assert busy.visit.ended == (0, "work has ended")


def test_what_was_typed_while_the_connection_was_cut_is_not_sent_and_told() -> None:
    stage = Stage().dump()
    stage.visit.on_typed(b"ab", stage.now)
    stage.visit.on_lost(CUT, stage.now)
    assert "trying again" in stage.status
    stage.visit.on_typed(b"cde", stage.now)
    assert "3 bytes were not sent" in stage.status
    assert stage.sent() == []
    stage.visit.on_resized(Size(100, 7))
    stage.terminal.resize(Size(100, 7))
    stage.visit.on_connected(stage.now)
    assert "3 bytes were not sent; the last 2 bytes may not have arrived" in stage.status


def test_what_was_confirmed_has_arrived() -> None:
    stage = Stage().dump()
    stage.visit.on_typed(b"ab", stage.now)
    stage.sent()
    stage.draw()
    (ping,) = stage.sent()
    stage.hear(ws.PongMessage(ping["request_id"]))
    stage.visit.on_lost(CUT, stage.now)
    stage.visit.on_connected(stage.now)
    assert stage.status.startswith(" work  connected again  ")


def test_a_connection_that_says_nothing_after_a_key_is_given_up() -> None:
    stage = Stage().dump()
    stage.sent()
    stage.visit.on_typed(b"ab", stage.now)
    stage.draw()
    assert stage.kinds() == ["input_raw", "ping"]
    assert stage.visit.deadline() == pytest.approx(stage.now + ANSWERS_WITHIN)
    assert not stage.visit.is_cut_off(stage.now + ANSWERS_WITHIN - 0.1)
    assert stage.visit.is_cut_off(stage.now + ANSWERS_WITHIN)
    stage.visit.on_lost(CUT, stage.now + ANSWERS_WITHIN)
    assert not stage.visit.is_cut_off(stage.now + 100)


def test_an_idle_connection_is_asked_whether_it_lives() -> None:
    stage = Stage().dump()
    stage.sent()
    stage.draw()
    assert stage.visit.deadline() == pytest.approx(100.0 + QUIET)
    stage.now = 100.0 + QUIET
    stage.draw()
    assert stage.kinds() == ["ping"]
    stage.visit.on_heard(stage.now + 1)
    assert not stage.visit.is_cut_off(stage.now + ANSWERS_WITHIN)
    assert stage.visit.deadline() == pytest.approx(stage.now + 1 + QUIET)


def test_silence_on_one_machine_is_no_loss() -> None:
    visit = Visit("work", Wishes(None, "none", minds_silence=False), TERMINAL)
    visit.on_connected(100.0)
    visit.on_typed(b"a", 100.0)
    visit.on_time(101.0)
    assert not visit.is_cut_off(1000.0)


def test_a_new_connection_asks_for_the_size_that_the_old_one_had() -> None:
    stage = Stage().dump()
    stage.visit.on_lost(CUT, stage.now)
    stage.visit.on_connected(stage.now)
    assert stage.kinds() == ["resize"]


def test_nobody_is_asked_without_a_connection() -> None:
    stage = Stage().dump()
    stage.visit.on_typed(b"a", stage.now)
    stage.visit.on_lost(CUT, stage.now)
    stage.draw()
    assert stage.sent() == []
    assert stage.visit.deadline() is None


def test_a_connection_is_not_waited_for_for_ever() -> None:
    stage = Stage().dump()
    stage.visit.on_lost(CUT, stage.now)
    assert stage.visit.ended is None
    stage.visit.on_lost(CUT, stage.now + 5.1)
    assert stage.visit.ended == (255, "lost work: the connection was cut")


def test_half_a_frame_is_not_drawn_but_not_waited_for_for_ever() -> None:
    stage = Stage().dump()
    stage.draw()
    stage.output(b"\x1b[?2026hhalf")
    assert stage.visit.frame(stage.now + 0.01) == b""
    stage.output(b" whole\x1b[?2026l")
    assert b"half whole" in stage.visit.frame(stage.now + 0.02)
    stage.output(b"\x1b[?2026hstuck")
    assert b"stuck" in stage.visit.frame(stage.now + 0.2)


def test_a_flood_is_drawn_at_a_pace() -> None:
    stage = Stage().dump()
    stage.draw()
    stage.output(b"x\r\n" * 3000)
    assert stage.visit.frame(stage.now + PACE / 2) == b""
    assert stage.visit.deadline() == pytest.approx(stage.now + PACE)
    assert stage.visit.frame(stage.now + PACE)


def test_the_bell_rings_once() -> None:
    stage = Stage().dump()
    stage.draw()
    stage.output(b"\x07")
    assert b"\x07" in stage.draw()
    stage.output(b"x")
    assert b"\x07" not in stage.draw()


def test_without_a_status_line_the_session_has_the_whole_terminal() -> None:
    stage = Stage(has_status=False)
    assert stage.sent()[0]["rows"] == 7
    stage.session.resize(TERMINAL)
    stage.dump().output(b"\x1b[7;1Hlast")
    assert stage.lines()[-1] == "last"


def test_a_terminal_that_was_drawn_over_is_drawn_anew() -> None:
    stage = Stage().dump()
    stage.output(b"hello \x1b[?2004h")
    stage.draw()
    stage.terminal.feed(b"\x1bcgarbage\x1b[5;5Hmore")
    stage.visit.on_typed(b"\x1cr", stage.now)
    lines = stage.lines()
    assert (lines[0], lines[4]) == ("hello", "")
    assert lines[-1].startswith(" work ")
    assert "?2004" in stage.terminal.modes()


def test_words_of_a_newer_coop_are_passed_over() -> None:
    stage = Stage().dump()
    stage.visit.on_message(b'{"type":"weather","sun":true}', stage.now)
    stage.visit.on_message(b"not JSON", stage.now)
    assert stage.visit.ended is None


def settled() -> Stage:
    """Two frames after the last escape sequence, as a person finds it who begins to type."""
    stage = Stage().dump()
    stage.output(b"$ ")
    stage.draw()
    stage.visit.redraw()
    stage.draw()
    return stage


def test_a_letter_that_comes_back_is_written_at_once_and_painted_a_little_later() -> None:
    stage = settled()
    stage.output(b"a")
    assert stage.visit.frame(stage.now) == b"a"
    stage.terminal.feed(b"a")
    stage.output(b"b")
    assert stage.visit.frame(stage.now) == b"b"
    stage.terminal.feed(b"b")
    assert stage.visit.frame(stage.now) == b""
    assert stage.visit.deadline() == pytest.approx(stage.now + ECHO_RESTS)
    assert stage.lines()[0] == "$ ab"
    assert stage.terminal.cursor() == stage.session.cursor()


@pytest.mark.parametrize(
    "before",
    [b"\x1b[31m", b"\x1b[4h", b"\x1b[?25l", b"\x1b[1;60H", b"\x1b(0", b"\x1b[2;59H", b"\x1b[?1049h", b"\x1b[7m\x1b[2K\r"],
)
@pytest.mark.parametrize("text", [b"q", b"ab", "é".encode(), b"a\r", b"\x1b[Kx", b"x" * 70])
def test_whatever_is_written_where_the_terminal_shows_the_session(before: bytes, text: bytes) -> None:
    stage = settled()
    stage.output(before)
    stage.draw()
    stage.draw()
    stage.output(text)
    for _ in range(3):
        stage.draw()
    assert stage.terminal.cells()[:-1] == stage.session.cells()
    assert stage.terminal.cursor() == stage.session.cursor()


def test_an_echo_is_no_echo_any_more_when_the_terminal_is_drawn_anew() -> None:
    stage = settled()
    stage.output(b"a")
    stage.visit.redraw()
    assert stage.visit.frame(stage.now).startswith(b"\x1b[")
