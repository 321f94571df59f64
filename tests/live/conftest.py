"""The laboratory: the real Claude Code, both pinned versions, under coop, against a model that is ours."""

import platform
import subprocess
from collections.abc import Callable, Generator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from coop.testing import eventually, running_coop
from coop.testing.anthropic import FakeAnthropic
from coop.testing.claude import ClaudeHome, seeded_home
from tests.support.wire import Wire

ROOT = Path(__file__).parents[2]
VERSIONS = ("2.1.197", "2.1.325")


@pytest.fixture(scope="session")
def agents() -> Path:
    """Where `make live` has put them."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        pytest.skip("the pinned agents are for Linux on x86-64")
    done = subprocess.run(
        [ROOT / "scripts/install-live-agents", ROOT / "tests/live"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"the real agents are not installed and cannot be: {done.stderr.strip()[-300:]}")
    return Path(done.stdout.strip())


@dataclass
class Lab:
    """One Claude Code, its model, and coop between them."""

    version: str
    api: FakeAnthropic
    place: ClaudeHome
    wire: Wire

    def prompt(self, text: str) -> None:
        """Types a message as a person would, once the agent is ready for it."""
        self.wire.post("/api/v1/input", {"text": text})
        self.wire.shows(text)
        self.wire.post("/api/v1/input/keys", {"keys": ["Enter"]})

    def press_until(self, key: str, condition: Callable[[], bool]) -> None:
        """A dialog swallows keys for a moment after it is drawn, so the key is pressed again when nothing came of it."""
        for _ in range(5):
            self.wire.post("/api/v1/input", {"text": key})
            with suppress(AssertionError):
                eventually(condition, within=2)
                return
        raise AssertionError(f"{key!r} had no effect:\n{self.wire.text()}")


StartLab = Callable[..., Lab]


@pytest.fixture(params=VERSIONS)
def start_lab(request: pytest.FixtureRequest, agents: Path, tmp_path: Path) -> Generator[StartLab]:
    version: str = request.param
    with ExitStack() as stack:

        def start(*arguments: str) -> Lab:
            api = stack.enter_context(FakeAnthropic().serving())
            place = seeded_home(tmp_path)
            claude = str(agents / f"node_modules/claude-{version}/claude")
            command = (claude, "--permission-mode", "default", *arguments)
            env = place.environment(api.url)
            coop = stack.enter_context(running_coop(command=command, env=env, cwd=place.workspace))
            return Lab(version, api, place, Wire(coop, "tcp"))

        yield start
