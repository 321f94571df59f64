"""What is drawn of a frame."""

from coop_sim.codex.paint import Frame, Painter


def test_only_what_has_changed_is_drawn() -> None:
    painter = Painter()
    assert "\x1b[J" in painter.draw(Frame(("one", "two"), None), 80)
    drawn = painter.draw(Frame(("one", "three"), None), 80)
    assert "three" in drawn
    assert "one" not in drawn
    assert painter.draw(Frame(("one", "three"), None), 80) == ""


def test_a_screen_that_has_become_taller_is_drawn_from_nothing() -> None:
    painter = Painter()
    painter.draw(Frame(("one", "two"), None), 80)
    drawn = painter.draw(Frame(("one", "two", "three"), None), 80)
    assert "\x1b[J" in drawn
    assert "one" in drawn
