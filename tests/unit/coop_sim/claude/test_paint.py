"""Frames become bytes."""

from coop_sim.claude.paint import Frame, FullScreen, Inline


def frame(past: list[str], live: list[str], pinned: list[str] | None = None) -> Frame:
    return Frame(past, live, pinned or [], 20, 5)


def test_the_past_is_printed_once() -> None:
    painter = Inline()
    assert painter.draw(frame(["old"], ["live"])) == b"\r\x1b[Jold\r\nlive"
    assert painter.draw(frame(["old"], ["live"])) == b""
    assert painter.draw(frame(["old", "new"], ["a", "b"])) == b"\r\x1b[Jnew\r\na\r\nb"
    assert painter.draw(frame(["old", "new"], ["c"])) == b"\r\x1b[1A\x1b[Jc"


def test_words_are_placed_not_spaced() -> None:
    assert Inline().draw(frame([], ["two words"])) == b"\r\x1b[Jtwo\x1b[5Gwords"


def test_after_forgetting_all_is_printed_again() -> None:
    painter = Inline()
    painter.draw(frame(["old"], ["live"]))
    painter.forget()
    assert painter.draw(frame(["old"], ["live"])).endswith(b"old\r\nlive")


def test_the_full_screen_has_the_pinned_at_the_bottom_and_draws_what_changed() -> None:
    painter = FullScreen()
    assert painter.draw(frame(["a"], ["b"], ["box"])) == b"\x1b[2J\x1b[H\x1b[1Ha\x1b[K\x1b[2Hb\x1b[K\x1b[5Hbox\x1b[K"
    assert painter.draw(frame(["a"], ["c"], ["box"])) == b"\x1b[2Hc\x1b[K"


def test_a_full_screen_of_another_height_is_drawn_from_nothing() -> None:
    """The size is asked for at every frame; the signal that tells of it comes later."""
    painter = FullScreen()
    painter.draw(frame(["a"], ["b"], ["box"]))
    for rows in (6, 4):
        drawn = painter.draw(Frame(["a"], ["b"], ["box"], 20, rows))
        assert drawn.startswith(b"\x1b[2J\x1b[H\x1b[1Ha")
        assert drawn.endswith(b"\x1b[%dHbox\x1b[K" % rows)


def test_the_cursor_is_put_where_the_reverse_cell_is() -> None:
    box = "> hi\x1b[7m \x1b[27m"
    painter = Inline()
    assert painter.draw(frame([], ["-", box, "-"])).endswith(b"\r\n-\x1b[1A\x1b[5G")
    assert painter.draw(frame([], ["c"])) == b"\r\x1b[1A\x1b[Jc"
    assert FullScreen().draw(frame([], [], [box, "-"])).endswith(b"\x1b[4;5H")
