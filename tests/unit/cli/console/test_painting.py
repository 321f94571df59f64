import pytest

from coop.cli.console.painting import CLOSE, OPEN, Painter
from coop.model.screen import XTERM, Size
from coop.terminal.ghostty import GhosttyScreen

SIZE = Size(20, 6)


class Stage:
    """A session's screen, and the terminal of somebody who looks at it."""

    def __init__(self, session: Size = SIZE, terminal: Size = SIZE) -> None:
        self.near = GhosttyScreen(session, XTERM)
        self.far = GhosttyScreen(terminal, XTERM)
        self.far.feed(OPEN)
        self.painter = Painter(terminal)

    def play(self, *chunks: bytes) -> bytes:
        drawn = b""
        for chunk in chunks:
            self.near.feed(chunk)
            painted = self.painter.paint(self.near)
            self.far.feed(painted)
            drawn += painted
        return drawn

    def agrees(self) -> bool:
        near, far = self.near.snapshot(), self.far.snapshot()
        return (self.near.cells(), near.cursor, near.title) == (self.far.cells(), far.cursor, far.title)

    def lines(self) -> list[str]:
        return list(self.far.snapshot().lines)


@pytest.mark.parametrize(
    "chunks",
    [
        (b"hello", b" world", b"\r\n\x1b[31mred\x1b[44m on blue\x1b[K"),
        (b"x" * 20, b"y"),
        (b"a\r\nb\r\nc\r\nd\r\ne\r\nf", b"\r\ng\r\nh"),
        ("你好 é 👨‍👩‍👧 ok".encode(), b"\rabc"),
        (("x" * 19 + "你").encode(), b"\x1b[1;20Hz"),
        (b"main", b"\x1b[?1049h\x1b[2;3Hother", b"\x1b[?1049l"),
        (b"\x1b[2;4r\x1b[2;1Ha\nb\nc\nd", b"\x1b[r\x1b[H\x1b[L"),
        (b"\x1b[?25lhidden", b"\x1b[?25h"),
        (b"\x1b]2;a title\x07x", b"\x1b]2;another\x07"),
        (b"\x1b[5;41m\x1b[2J\x1b[3;3Hx",),
        (b"\x1b[4:3;58;5;9mwavy\x1b[0m \x1b[53mover\x1b[0m \x1b[9mgone",),
        (b"abc", b"\x1bc", b"d"),
    ],
)
def test_the_terminal_shows_the_session(chunks: tuple[bytes, ...]) -> None:
    stage = Stage()
    for chunk in chunks:
        stage.play(chunk)
        assert stage.agrees()


@pytest.mark.parametrize("mode", ["?1", "?5", "?1000", "?1002", "?1003", "?1004", "?2004", "?66"])
def test_a_mode_of_the_program_is_one_of_the_terminal_for_as_long(mode: str) -> None:
    stage = Stage()
    stage.play(b"\x1b=" if mode == "?66" else f"\x1b[{mode}h".encode())
    assert mode in stage.far.modes()
    stage.play(b"\x1b>" if mode == "?66" else f"\x1b[{mode}l".encode())
    assert mode not in stage.far.modes()


def test_the_keyboard_protocol_and_the_cursors_shape_follow_the_program() -> None:
    stage = Stage()
    stage.play(b"\x1b[>5u\x1b[5 q")
    assert (stage.far.kitty_flags(), stage.far.cursor_shape()) == (5, 5)
    stage.play(b"\x1b[<u\x1b[2 q")
    assert (stage.far.kitty_flags(), stage.far.cursor_shape()) == (0, 2)


def test_nobody_asks_the_terminal_anything() -> None:
    stage = Stage()
    stage.play(b"\x1b[c\x1b[6n\x1b[>c\x1b[?u\x1b]10;?\x07\x1b[>q\x1b[?2026$p\x1b]7501;?\x07\x1bP+q544e\x1b\\\x1b[18t")
    assert stage.near.take_replies()
    assert not stage.far.take_replies()


def test_a_key_costs_few_bytes() -> None:
    stage = Stage()
    stage.play(b"\x1b[31m$\x1b[0m some command")
    assert len(stage.play(b"x")) < 40


def test_a_smaller_terminal_shows_where_the_cursor_is() -> None:
    stage = Stage(session=Size(40, 12), terminal=Size(10, 4))
    stage.play(b"".join(b"\x1b[%d;1Hrow %d" % (n, n) for n in range(1, 13)) + b"\x1b[12;6H")
    assert stage.lines() == ["row 9", "row 10", "row 11", "row 12"]
    stage.play(b"\x1b[1;30Hfar right")
    assert stage.lines()[0] == "far right"
    stage.play(b"\x1b[1;1H")
    assert stage.lines() == ["row 1", "row 2", "row 3", "row 4"]


def test_a_larger_terminal_shows_where_the_session_ends() -> None:
    stage = Stage(session=Size(4, 2), terminal=Size(6, 3))
    stage.play(b"ab")
    assert stage.lines() == ["ab  ··", "    ··", "······"]


def test_after_it_has_forgotten_everything_is_drawn_anew() -> None:
    stage = Stage()
    stage.play(b"hello")
    stage.far.feed(b"\x1b[2Jsomebody else")
    stage.painter.forget(SIZE)
    stage.play(b"")
    assert stage.agrees()


def test_the_terminal_is_given_back_as_it_was() -> None:
    stage = Stage()
    mine = GhosttyScreen(SIZE, XTERM)
    mine.feed(b"$ coop attach\r\n")
    before = (mine.cells(), mine.modes(), mine.snapshot().cursor, mine.cursor_shape())
    mine.feed(OPEN)
    wild = b"\x1b[?1h\x1b=\x1b[?5h\x1b[?1003h\x1b[?1006h\x1b[?1004h\x1b[?2004h\x1b[?25l\x1b[5 q\x1b[>31u\x1b[31mx\x1b[?2026h"
    mine.feed(stage.play(wild))
    mine.feed(CLOSE)
    assert (mine.cells(), mine.modes(), mine.snapshot().cursor, mine.cursor_shape()) == before
    assert mine.kitty_flags() == 0
