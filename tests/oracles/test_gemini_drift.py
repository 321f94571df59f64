"""The pretend Gemini CLI does what the real one did in the recordings, as far as a driver depends on it."""

import json
import os
import sys
import time
from collections.abc import Generator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from coop.model.screen import XTERM, Size
from coop.terminal.ghostty import GhosttyScreen
from coop.testing.gemini import KEY, SETTINGS, GeminiHome
from coop_sim.gemini.versions import VERSIONS

from .cast import Cast, Output, Pressed, casts
from .gemini_facts import Facts, dialog_in, facts, queries, titles
from .on_pty import OnPty, on_pty

CASTS = casts("gemini")
TYPED = [cast for cast in CASTS if any(isinstance(step, Pressed) for step in cast.steps)]
SEEN = [cast for cast in CASTS if cast not in TYPED]
"""Those in which what was typed is not recorded."""
SCENARIO = Path(__file__).with_name("gemini_scenario.toml")
QUIET = 0.2
APP = 'import sys\n\n\ndef greet(name):\n    return "Hello, " + name\n\n\ndef main():\n    print(greet(sys.argv[1]))\n'
RECORDED = {"/tmp/demo": "CWD"}
KEYS = {
    "plan": [
        ("Type your message", "\x1b[200~plan it\x1b[201~"),
        ("> plan it", "\r"),
        ("Do you want to proceed?", "1"),
        ("plan Shift+Tab", "\x1b[200~write the plan\x1b[201~"),
        ("> write the plan", "\r"),
        ("● 1.  Yes, automatically", "3"),
        ("● 3.  Type your feedback", "\x1b[200~make it shorter\x1b[201~"),
        ("● 3.  make it shorter", "\r"),
        ("● 1.  Yes, automatically", "2"),
        ("Now I begin.", ""),
    ],
    "several-options": [
        ("Type your message", "\x1b[200~ask me\x1b[201~"),
        ("> ask me", "\r"),
        ("● 1. [ ] Auth", "\r"),
        ("● 1. [x] Auth", "\x1b[B"),
        ("● 2. [ ] Search", "\x1b[B"),
        ("● 3. [ ] Billing", "\r"),
        ("● 3. [x] Billing", "\x1b[B"),
        ("● 4. [ ] All of the above", "\x1b[B"),
        ("● 5. [ ] Enter a custom", "\x1b[B"),
        ("●  Done", "\r"),
        ("Thank you.", ""),
    ],
    "two-permissions": [
        ("Type your message", "\x1b[200~make both\x1b[201~"),
        ("> make both", "\r"),
        ("1 of 2", "1"),
        ("2 of 2", "1"),
        ("Both are there.", ""),
    ],
}
"""What the live tests of those names typed: each when the text before it is seen."""


@pytest.fixture
def place() -> Generator[GeminiHome]:
    """With the folder's name of the recordings, and a short one above it: a long one would be broken where theirs was not."""
    with TemporaryDirectory(prefix="d") as folder:
        made = GeminiHome(Path(folder, "home"), Path(folder, "tmp", "demo"))
        (made.home / ".gemini").mkdir(parents=True)
        made.workspace.mkdir(parents=True)
        (made.workspace / "app.py").write_text(APP)
        yield made


def _seed(place: GeminiHome, *, trusted: bool, has_tips: bool) -> None:
    place.settings.write_text(json.dumps({key: value for key, value in SETTINGS.items() if key != "ui" or not has_tips}))
    if trusted:
        (place.home / ".gemini/trustedFolders.json").write_text(json.dumps({str(place.workspace): "TRUST_FOLDER"}))


def _command(*flags: str) -> list[str]:
    return [sys.executable, "-m", "coop_sim", "gemini", "--scenario", str(SCENARIO), *flags]


def _environment(place: GeminiHome, **more: str) -> dict[str, str]:
    return {"HOME": str(place.home), "GEMINI_API_KEY": KEY, "TERM": "xterm-256color", "PATH": os.environ["PATH"], **more}


def test_the_recorded_version_is_the_simulated_one() -> None:
    assert {cast.version for cast in CASTS} == set(VERSIONS)


@pytest.mark.parametrize("cast", TYPED, ids=str)
def test_the_simulator_does_what_the_real_one_did(cast: Cast, place: GeminiHome) -> None:
    _seed(place, trusted=not cast.scenario.startswith("trust"), has_tips=True)
    command, env = _command("-m", "gemini-2.5-pro"), _environment(place, COLORTERM="truecolor")
    with on_pty(command, cwd=place.workspace, env=env, size=cast.size) as sim:
        _play(cast, sim, {str(place.workspace): "CWD"})
        assert sim.exit_code() == 0
        assert sim.screen.snapshot().title == ""
        sim.shows("To resume this session: gemini --resume")
    assert titles(sim.output) == titles(cast.output())
    assert queries(sim.output) == queries(cast.output())


def _play(cast: Cast, sim: OnPty, places: dict[str, str]) -> None:
    """Presses the recorded keys, each when the simulator shows what the real one showed then."""
    screen = GhosttyScreen(cast.size, XTERM)
    for step in cast.steps:
        match step:
            case Output(data):
                screen.feed(data)
                screen.take_replies()
            case Pressed(text):
                _agree(sim, facts(screen.snapshot(), screen.modes(), RECORDED), places, before=step)
                sim.press(text)
            case Size():
                _agree(sim, facts(screen.snapshot(), screen.modes(), RECORDED), places, before=step)
                sim.resize(step)
                screen.resize(step)


def _agree(sim: OnPty, expected: Facts, places: dict[str, str], *, before: Pressed | Size) -> None:
    """Waits until the facts are the same, and nothing more is drawn unless an answer is coming in."""
    drawn, since = len(sim.output), time.monotonic()

    def shown() -> Facts:
        return facts(sim.screen.snapshot(), sim.screen.modes(), places)

    def agrees() -> bool:
        nonlocal drawn, since
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


@pytest.mark.parametrize("cast", SEEN, ids=str)
def test_every_dialog_of_the_simulator_is_one_that_the_real_one_drew(cast: Cast, place: GeminiHome) -> None:
    _seed(place, trusted=True, has_tips=False)
    seen = set[tuple[str, ...]]()
    with on_pty(_command(), cwd=place.workspace, env=_environment(place), size=cast.size) as sim:
        for text, keys in KEYS[cast.scenario]:
            _press(sim, text, keys, seen)
    recorded = _dialogs(cast)
    assert seen <= recorded, "\n".join("\n".join(dialog) for dialog in seen - recorded)
    assert len(seen) >= 2
    assert set(titles(cast.output())) >= {title.replace("demo", "workspace") for title in titles(sim.output)} - {""}


def _press(sim: OnPty, text: str, keys: str, seen: set[tuple[str, ...]]) -> None:
    """Once the text has been there for a moment, as a driver must."""
    shown_at: float | None = None

    def settled() -> bool:
        nonlocal shown_at
        if not any(text in line for line in sim.lines()):
            shown_at = None
        elif shown_at is None:
            shown_at = time.monotonic()
        return shown_at is not None and time.monotonic() - shown_at >= QUIET

    sim.until(settled, what=repr(text))
    seen |= {dialog} if (dialog := dialog_in(sim.lines())) else set()
    sim.press(keys)


def _dialogs(cast: Cast) -> set[tuple[str, ...]]:
    screen, found = GhosttyScreen(cast.size, XTERM), set[tuple[str, ...]]()
    for step in cast.steps:
        if isinstance(step, Output):
            screen.feed(step.data)
            screen.take_replies()
            found.add(dialog_in(screen.snapshot().lines))
    return found
