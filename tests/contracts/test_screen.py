"""One contract for every engine behind `Screen`: libghostty-vt, which coop uses, and avt, which keeps the seam honest."""

from collections.abc import Callable

import pytest

from coop.model.screen import XTERM, Cell, Size, Style
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.screen import Screen
from tests.support.avt import AvtScreen
from tests.support.captured import Recording, recordings

Make = Callable[[int, int], Screen]
RECORDINGS = recordings()


def _ghostty(cols: int, rows: int) -> Screen:
    return GhosttyScreen(Size(cols, rows), XTERM)


def _avt(cols: int, rows: int) -> Screen:
    return AvtScreen(Size(cols, rows))


@pytest.fixture(params=[_ghostty, _avt], ids=["ghostty", "avt"])
def make(request: pytest.FixtureRequest) -> Make:
    made: Make = request.param
    return made


def shown(make: Make, data: bytes, cols: int = 20, rows: int = 4) -> Screen:
    screen = make(cols, rows)
    screen.feed(data)
    return screen


def test_text_is_shown_where_it_is_written(make: Make) -> None:
    snapshot = shown(make, b"one\r\n\x1b[4;10Hfour").snapshot()
    assert snapshot.lines == ("one", "", "", "         four")
    assert (snapshot.cursor.row, snapshot.cursor.col) == (3, 13)


def test_seq_grows_with_what_is_fed_and_with_resizes(make: Make) -> None:
    screen = make(20, 4)
    seqs = [screen.seq]
    screen.feed(b"x")
    seqs.append(screen.seq)
    screen.resize(Size(30, 5))
    seqs.append(screen.seq)
    assert seqs == sorted(set(seqs))


def test_a_character_split_over_two_feeds_is_one(make: Make) -> None:
    screen = make(20, 4)
    for byte in "é漢".encode():
        screen.feed(bytes((byte,)))
    assert screen.snapshot().lines[0] == "é漢"


def test_the_alternate_screen_hides_the_main_one_and_gives_it_back(make: Make) -> None:
    screen = shown(make, b"main\x1b[?1049h\x1b[Halt")
    assert (screen.snapshot().alt_screen, screen.snapshot().lines[0]) == (True, "alt")
    screen.feed(b"\x1b[?1049l")
    assert (screen.snapshot().alt_screen, screen.snapshot().lines[0]) == (False, "main")


def test_a_resize_changes_rows_and_columns(make: Make) -> None:
    screen = shown(make, b"hello")
    screen.resize(Size(40, 8))
    snapshot = screen.snapshot()
    assert (snapshot.size, len(snapshot.lines), snapshot.lines[0]) == (Size(40, 8), 8, "hello")


def test_the_cursor_can_be_hidden(make: Make) -> None:
    assert shown(make, b"x").snapshot().cursor.visible
    assert not shown(make, b"\x1b[?25l").snapshot().cursor.visible


@pytest.mark.parametrize(
    ("row", "is_faint"),
    [
        (b"> \x1b[7mT\x1b[27m\x1b[2mry this\x1b[22m\x1b[3G", True),
        (b"> \x1b[7mI\x1b[27m\x1b[5G\x1b[2mcan\x1b[22m\x1b[3G", True),  # the blank between has no style
        (b"> \x1b[7m\xe6\xbc\xa2\x1b[27m\x1b[2m!\x1b[22m\x1b[3G", True),
        (b"> \x1b[7mT\x1b[27mry this\x1b[3G", False),
        (b"\x1b[2m> T\x1b[22mry this\x1b[3G", False),
        (b"> \x1b[2mT\x1b[22m\x1b[3G", False),
        (b"> T\r\n\x1b[2mry this\x1b[22m\x1b[1;3H", False),
        (b"", False),
    ],
)
def test_a_snapshot_tells_whether_what_follows_the_cursor_is_faint(make: Make, row: bytes, is_faint: bool) -> None:
    assert shown(make, row).snapshot().is_faint_ahead is is_faint


def test_cells_carry_their_style(make: Make) -> None:
    cells = shown(make, b"\x1b[1;31mb\x1b[0;48;2;1;2;3mg\x1b[0mp").cells()[0]
    assert cells[0].style.bold
    assert cells[0].style.fg == 1
    assert cells[1].style.bg == (1, 2, 3)
    assert cells[2] == Cell("p", 1, Style())


def test_rows_changed_since_last_seen_have_a_new_generation(make: Make) -> None:
    screen = shown(make, b"one\r\ntwo")
    before = screen.snapshot().generations
    screen.feed(b"\x1b[2;1HTWO")
    after = screen.snapshot().generations
    assert [row for row, (old, new) in enumerate(zip(before, after, strict=True)) if old != new] == [1]
    assert after[1] == screen.seq


def test_ansi_rows_stand_alone(make: Make) -> None:
    rows = shown(make, b"\x1b[31mred\r\nstill red").ansi_lines()
    again = shown(make, rows[1].encode())
    assert again.cells()[0][0].style.fg == 1


def test_rows_that_scrolled_away_are_kept(make: Make) -> None:
    screen = shown(make, b"".join(b"line %d\r\n" % n for n in range(10)))
    assert screen.scrollback(3) == ("line 4", "line 5", "line 6")
    assert len(screen.scrollback(100)) == 7


# What only the engine in use must do.


def ghostty(data: bytes) -> GhosttyScreen:
    screen = GhosttyScreen(Size(20, 4), XTERM)
    screen.feed(data)
    return screen


@pytest.mark.parametrize(
    ("query", "reply"),
    [
        (b"\x1b[c", b"\x1b[?64;1;2;6;9;15;16;17;18;21;22;28;29c"),
        (b"\x1b[>c", b"\x1b[>41;390;0c"),
        (b"\x1b[=c", b"\x1bP!|00000000\x1b\\"),
        (b"\x1b[5n", b"\x1b[0n"),
        (b"ab\x1b[6n", b"\x1b[1;3R"),
        (b"ab\x1b[?6n", b"\x1b[?1;3;1R"),
        (b"\x1b[>q", b"\x1bP>|XTerm(390)\x1b\\"),
        (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
        (b"\x1b[?2004h\x1b[?2004$p", b"\x1b[?2004;1$y"),
        (b"\x1b[4$p", b"\x1b[4;2$y"),
        (b"\x1b]10;?\x07", b"\x1b]10;rgb:e5e5/e5e5/e5e5\x07"),
        (b"\x1b]11;?\x1b\\", b"\x1b]11;rgb:0000/0000/0000\x1b\\"),
        (b"\x1b[14t", b"\x1b[4;64;160t"),
        (b"\x1b[16t", b"\x1b[6;16;8t"),
        (b"\x1b[18t", b"\x1b[8;4;20t"),
        (b"\x1b[19t", b"\x1b[9;4;20t"),
        (b"\x1b[x", b"\x1b[2;1;1;128;128;1;0x"),
        (b"\x1bP$qm\x1b\\", b"\x1bP1$r0m\x1b\\"),
        (b"\x1bP+q544e\x1b\\", b"\x1bP1+r544E=787465726D2D323536636F6C6F72\x1b\\"),
        (b"\x1b[?u", b""),
        (b"\x1b]52;c;?\x07", b""),
        (b"\x1b[21t", b""),
        (b"\x1b]5522;type=read\x07", b""),
    ],
)
def test_queries_are_answered_as_an_xterm_would(query: bytes, reply: bytes) -> None:
    assert ghostty(query).take_replies() == reply


def test_replies_are_taken_once() -> None:
    screen = ghostty(b"\x1b[5n")
    assert screen.take_replies()
    assert screen.take_replies() == b""


def test_a_query_split_over_two_feeds_is_answered() -> None:
    screen = ghostty(b"\x1b[?")
    screen.feed(b"6n")
    assert screen.take_replies() == b"\x1b[?1;1;1R"


def test_a_frame_that_is_being_drawn_is_known() -> None:
    screen = ghostty(b"\x1b[?2026h")
    assert screen.in_synchronized_update
    screen.feed(b"\x1b[?2026l")
    assert not screen.in_synchronized_update


def test_emoji_are_as_wide_as_their_cluster() -> None:
    assert ghostty("👨‍👩‍👧x".encode()).snapshot().cursor.col == 3


def same(one: GhosttyScreen, other: GhosttyScreen) -> None:
    assert one.cells() == other.cells()
    assert one.modes() == other.modes()
    a, b = one.snapshot(), other.snapshot()
    assert (a.cursor, a.alt_screen, a.title) == (b.cursor, b.alt_screen, b.title)


def redrawn(screen: GhosttyScreen) -> GhosttyScreen:
    again = GhosttyScreen(screen.size, XTERM)
    again.feed(screen.dump())
    return again


@pytest.mark.parametrize(
    "data",
    [
        b"abc\x1b[2;4r\x1b(0\x1b[31;1m\x1b[?6h\x1b[2;3Hxy",
        b"\x1b[?69h\x1b[3;10s\x1b[?6h\x1b[2;3Hxy",
        b"\x1b[41m" + b"z" * 20,
        b"\x1b[41m" + b"z" * 18 + "中".encode(),
        "👨‍👩‍👧x é e\u0301 \x1b[44m\x1b[K".encode(),
        b"\x1b[?1049h\x1b[?2004h\x1b[?1006h\x1b[?1h\x1b[?25l\x1b]0;a title\x07\x1b[?7l",
        ("a" + "\N{COMBINING ACUTE ACCENT}" * 70 + "|b").encode(),
        b"\x1b[4:3;58:2::9:8:7mcurly\x1b[0;9;53mstruck\x1b[0m\x1b[3g\x1b[5G\x1bH",
    ],
)
def test_a_dump_makes_the_same_screen(data: bytes) -> None:
    screen = ghostty(data)
    same(screen, redrawn(screen))


def test_a_dump_goes_on_in_the_middle_of_a_sequence() -> None:
    screen = ghostty(b"one\x1b[3")
    again = redrawn(screen)
    for each in (screen, again):
        each.feed(b"1mred")
    same(screen, again)


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_a_dump_makes_the_same_screen_at_every_tenth_of_a_real_session(recording: Recording) -> None:
    screen = GhosttyScreen(recording.size, XTERM)
    every = max(1, len(recording.steps) // 10)
    for number, step in enumerate(recording.steps, 1):
        if isinstance(step, Size):
            screen.resize(step)
        else:
            screen.feed(step)
        if number % every == 0 or number == len(recording.steps):
            same(screen, redrawn(screen))


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_chunking_a_real_session_never_changes_its_screen(recording: Recording) -> None:
    whole, cut = GhosttyScreen(recording.size, XTERM), GhosttyScreen(recording.size, XTERM)
    data = recording.output()
    whole.feed(data)
    position, size = 0, 1
    while position < len(data):
        cut.feed(data[position : position + size])
        position, size = position + size, size % 61 + 1
    same(whole, cut)


def test_there_are_recordings_of_every_agent() -> None:
    assert {recording.name.split("/")[0] for recording in RECORDINGS} == {"claude", "codex", "gemini"}
