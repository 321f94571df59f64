"""Laws of `coop attach`: the terminal shows the session, however its output is cut into frames."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coop.cli.console.painting import OPEN, Painter
from coop.model.screen import XTERM, Cell, Size
from coop.terminal.ghostty import GhosttyScreen
from tests.support.captured import Recording, recordings

FINALS = "%dA %dB %dC %dD %dL %dM %dP %d@ %dX %dK %dJ %dS %dT %dm 3%dm 4%dm %d;3H 2;%dr 48;5;%dm"
SEQUENCES = st.sampled_from([f"\x1b[{final}" for final in FINALS.split()])
PIECES = st.one_of(
    st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12).map(str.encode),
    st.sampled_from(["你", "👨‍👩‍👧", "e\u0301", "❤️", "🇩🇪", "\u200b", "ﬁ"]).map(str.encode),
    st.tuples(SEQUENCES, st.integers(0, 9)).map(lambda pair: (pair[0] % pair[1]).encode()),
    st.sampled_from(
        [b"\r\n", b"\n", b"\r", b"\t", b"\x08", b"\x1b7", b"\x1b8", b"\x1bM", b"\x1bc", b"\x1b[?1049h", b"\x1b[?1049l"]
    ),
    st.sampled_from(
        [b"\x1b[4h", b"\x1b[4l", b"\x1b(0lqk x\x1b(B", b"\x1b[?7l", b"\x1b[?7h", b"\x1b[?6h", b"\x1b[?6l", b"\x1b[r"]
    ),
)


def look(screen: GhosttyScreen) -> list[Cell]:
    """Nobody can see how wide a blank is."""
    return [cell if cell.text else replace(cell, width=1) for row in screen.cells() for cell in row]


def shows(near: GhosttyScreen, far: GhosttyScreen) -> bool:
    return look(near) == look(far) and near.cursor() == far.cursor()


@settings(max_examples=200)
@given(st.lists(st.lists(PIECES, max_size=12), min_size=1, max_size=6))
def test_what_is_drawn_is_what_is_there(frames: list[list[bytes]]) -> None:
    size = Size(17, 5)
    near, far, painter = GhosttyScreen(size, XTERM), GhosttyScreen(size, XTERM), Painter(size)
    far.feed(OPEN)
    for frame in frames:
        near.feed(b"".join(frame))
        far.feed(painter.paint(near))
        assert shows(near, far)


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.name)
def test_a_recorded_session_is_drawn_as_it_is(recording: Recording) -> None:
    near, far = GhosttyScreen(recording.size, XTERM), GhosttyScreen(recording.size, XTERM)
    painter = Painter(recording.size)
    far.feed(OPEN)
    for step in recording.steps:
        if isinstance(step, Size):
            near.resize(step)
            far.resize(step)
            painter.forget(step)
        else:
            near.feed(step)
        far.feed(painter.paint(near))
        assert near.snapshot().lines == far.snapshot().lines
    assert shows(near, far)
