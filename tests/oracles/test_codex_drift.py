"""The pretend Codex does what the real one did in the recordings, as far as a driver depends on it."""

import os
import sys
import time
from collections.abc import Generator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from coop.model.screen import XTERM, Size
from coop.terminal.ghostty import GhosttyScreen
from coop.testing.codex import CodexHome, seeded_home
from coop_sim.codex.flags import VERSION

from .cast import Cast, Output, Pressed, casts
from .codex_facts import Facts, facts, queries, reports, working_shapes
from .on_pty import OnPty, on_pty

CASTS = casts("codex")
TYPED = [cast for cast in CASTS if any(isinstance(step, Pressed) for step in cast.steps)]
"""Those that hold what was typed, and can be played; the rest are of live tests."""
SCENARIO = Path(__file__).with_name("codex_scenario.toml")
QUIET = 0.2
APP = 'import sys\n\n\ndef greet(name):\n    return "Hello, " + name\n\n\ndef main():\n    print(greet(sys.argv[1]))\n'
RECORDED = {"/tmp/demo": "CWD", "demo": "CWD"}
ARGUMENTS = {
    "edit-permission-resize": ("-s", "read-only"),
    "question": ("--enable", "default_mode_request_user_input"),
}
MARKED_UP = ("text-turn", "trust-then-text", "interrupt")
"""Where the transcript holds a text of the model's that is longer than a line."""


def test_the_recorded_version_is_the_simulated_one() -> None:
    assert {cast.version for cast in CASTS} == {VERSION}


@pytest.fixture
def folder() -> Generator[Path]:
    """With a short name: a long one would be broken where the recorded one was not."""
    with TemporaryDirectory(prefix="demo-") as name:
        yield Path(name)


@pytest.mark.parametrize("cast", TYPED, ids=str)
def test_the_simulator_does_what_the_real_one_did(cast: Cast, folder: Path) -> None:
    home = seeded_home(folder, "http://127.0.0.1:9", trusted=not cast.scenario.startswith("trust"))
    (home.workspace / "app.py").write_text(APP)
    with on_pty(_command(cast), cwd=home.workspace, env=_environment(home), size=cast.size) as sim:
        shapes = _play(cast, sim, home)
        assert sim.exit_code() == 0
        assert sim.screen.snapshot().title == ""
        sim.shows("To continue this session, run:")
        sim.shows("and select Demo project.")
        assert not sim.screen.snapshot().alt_screen
    assert shapes <= _recorded_shapes()
    assert reports(sim.output) == reports(cast.output())
    assert queries(sim.output) == queries(cast.output())


@cache
def _recorded_shapes() -> frozenset[str]:
    shapes = set[str]()
    for cast in CASTS:
        screen = GhosttyScreen(cast.size, XTERM)
        for step in cast.steps:
            match step:
                case Output(data):
                    screen.feed(data)
                    screen.take_replies()
                    shapes |= working_shapes(screen.snapshot().lines)
                case Size():
                    screen.resize(step)
                case Pressed():
                    pass
    return frozenset(shapes)


def _command(cast: Cast) -> list[str]:
    sim = [sys.executable, "-m", "coop_sim", "codex", "--scenario", str(SCENARIO)]
    return [*sim, "--no-daemon", *ARGUMENTS.get(cast.scenario, ())]


def _environment(home: CodexHome) -> dict[str, str]:
    return {**home.environment(), "PATH": os.environ["PATH"]}


def _play(cast: Cast, sim: OnPty, home: CodexHome) -> set[str]:
    """Presses the recorded keys, each when the simulator shows what the real one showed then."""
    screen, shapes = GhosttyScreen(cast.size, XTERM), set[str]()
    places = {str(home.workspace): "CWD", home.workspace.name: "CWD"}
    reads_transcript = cast.scenario not in MARKED_UP
    for step in cast.steps:
        match step:
            case Output(data):
                screen.feed(data)
                screen.take_replies()
            case Pressed(text):
                expected = facts(screen.snapshot(), screen.modes(), RECORDED, reads_transcript=reads_transcript)
                _agree(sim, expected, places, shapes, before=step)
                sim.press(text)
            case Size():
                expected = facts(screen.snapshot(), screen.modes(), RECORDED, reads_transcript=reads_transcript)
                _agree(sim, expected, places, shapes, before=step)
                sim.resize(step)
                screen.resize(step)
    return shapes


def _agree(sim: OnPty, expected: Facts, places: dict[str, str], shapes: set[str], *, before: Pressed | Size) -> None:
    """Waits until the facts are the same, and nothing more is drawn unless an answer is coming in."""
    drawn, since = len(sim.output), time.monotonic()

    def shown() -> Facts:
        return facts(sim.screen.snapshot(), sim.screen.modes(), places, reads_transcript=bool(expected.above))

    def agrees() -> bool:
        nonlocal drawn, since
        shapes.update(working_shapes(sim.lines()))
        if len(sim.output) != drawn:
            drawn, since = len(sim.output), time.monotonic()
        is_quiet = expected.is_answering or time.monotonic() - since >= QUIET
        return is_quiet and shown() == expected

    try:
        sim.until(agrees, what=f"the screen before {before}")
    except AssertionError:
        # Which of the facts it is, pytest shows best.
        assert shown() == expected, f"before {before}"
        raise
