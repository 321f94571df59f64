"""The pretend Claude Code does what the real one did in the recordings, as far as a driver depends on it."""

import os
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from coop.model.screen import XTERM, Size
from coop.terminal.ghostty import GhosttyScreen
from coop.testing.claude import KEY, ClaudeHome, seeded_home
from coop_sim.claude.versions import VERSIONS

from .cast import Cast, Output, Pressed, casts
from .driver_facts import Facts, facts, queries, reports, spinner_shapes
from .on_pty import OnPty, on_pty

CASTS = casts("claude")
SCENARIO = Path(__file__).with_name("sim_scenario.toml")
QUIET = 0.2
"""As for the recordings: a key is pressed once nothing more is drawn. A guarded dialog hears none before."""
APP = 'import sys\n\n\ndef greet(name):\n    return "Hello, " + name\n\n\ndef main():\n    print(greet(sys.argv[1]))\n'
RECORDED = {"/tmp/demo": "CWD"}


class Recorded:
    """The screen of a recording, moment by moment."""

    def __init__(self, cast: Cast) -> None:
        self.screen = GhosttyScreen(cast.size, XTERM)
        self.shapes: set[str] = set()

    def feed(self, data: bytes) -> None:
        self.screen.feed(data)
        self.screen.take_replies()
        self.shapes |= spinner_shapes(self.screen.snapshot().lines)

    def facts(self) -> Facts:
        return facts(self.screen.snapshot(), self.screen.modes(), RECORDED)


def test_every_recorded_version_is_simulated_and_every_simulated_one_recorded() -> None:
    assert {cast.version for cast in CASTS} == set(VERSIONS)


@pytest.mark.parametrize("cast", CASTS, ids=str)
def test_the_simulator_does_what_the_real_one_did(cast: Cast, tmp_path: Path) -> None:
    home = seeded_home(tmp_path, trusted=not cast.scenario.startswith("trust"))
    (home.workspace / "app.py").write_text(APP)
    places = {str(home.workspace): "CWD"}
    with on_pty(_command(cast), cwd=home.workspace, env=_environment(home), size=cast.size) as sim:
        recorded, shapes = _play(cast, sim, places)
        assert sim.exit_code() == 0
        assert sim.screen.snapshot().title == recorded.screen.snapshot().title == ""
        sim.shows("Resume this session with:")
    assert any("VERB…" in shape for shape in shapes), "no spinner was seen"
    assert shapes <= _recorded_shapes(cast.version)
    assert reports(sim.output, places) == reports(cast.output(), RECORDED)
    assert queries(sim.output) == queries(cast.output())


@cache
def _recorded_shapes(version: str) -> frozenset[str]:
    """The spinner's lines in all recordings of a version: one alone need not show them all."""
    shapes = set[str]()
    for cast in (one for one in CASTS if one.version == version):
        recorded = Recorded(cast)
        for step in cast.steps:
            match step:
                case Output(data):
                    recorded.feed(data)
                case Size():
                    recorded.screen.resize(step)
                case Pressed():
                    pass
        shapes |= recorded.shapes
    return frozenset(shapes)


def _command(cast: Cast) -> list[str]:
    mode = "plan" if cast.scenario == "plan" else "default"
    sim = [sys.executable, "-m", "coop_sim", "claude", "--sim-version", cast.version, "--scenario", str(SCENARIO)]
    return [*sim, "--permission-mode", mode]


def _environment(home: ClaudeHome) -> dict[str, str]:
    return {"HOME": str(home.home), "ANTHROPIC_API_KEY": KEY, "TERM": "xterm-256color", "PATH": os.environ["PATH"]}


def _play(cast: Cast, sim: OnPty, places: dict[str, str]) -> tuple[Recorded, set[str]]:
    """Presses the recorded keys, each when the simulator shows what the real one showed then."""
    recorded, shapes = Recorded(cast), set[str]()
    for step in cast.steps:
        if isinstance(step, Output):
            recorded.feed(step.data)
            continue
        _agree(sim, recorded.facts(), places, shapes, before=step)
        _do(step, sim, recorded)
    return recorded, shapes


def _agree(sim: OnPty, expected: Facts, places: dict[str, str], shapes: set[str], *, before: Pressed | Size) -> None:
    """Waits until the facts are the same, and nothing more is drawn unless an answer is coming in."""
    drawn, since = len(sim.output), time.monotonic()

    def shown() -> Facts:
        return facts(sim.screen.snapshot(), sim.screen.modes(), places)

    def agrees() -> bool:
        nonlocal drawn, since
        shapes.update(spinner_shapes(sim.lines()))
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


def _do(step: Pressed | Size, sim: OnPty, recorded: Recorded) -> None:
    match step:
        case Pressed(text):
            sim.press(text)
        case Size():
            sim.resize(step)
            recorded.screen.resize(step)
