"""What all laboratories of real agents need: the agents, and a coop to run them."""

import os
import platform
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from bench.agents import session
from coop.testing import running_coop
from coop.testing.replaying import RunCoop, recorded
from tests.support.multiplexers import Multiplexer, own_tmux

__all__ = ["RunCoop"]

ROOT = Path(__file__).parents[2]


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


@pytest.fixture(scope="session")
def run_coop() -> RunCoop:
    """Whatever runs here is recorded, and the recording must give the same events; tests/sim has another."""
    return recorded(running_coop, keep=kept_recordings())


@pytest.fixture(autouse=True)
def recorded_campaigns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the campaigns, which have a way of their own to run it, the samples that are taken here are recorded too."""
    monkeypatch.setattr(session, "running_coop", recorded(running_coop, keep=kept_recordings()))


def kept_recordings() -> Path | None:
    """`COOP_TEST_RECORDINGS=DIR` keeps them there."""
    if (directory := os.environ.get("COOP_TEST_RECORDINGS")) is None:
        return None
    folder = Path(directory).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def terminal() -> Generator[Multiplexer]:
    """Where somebody works by hand; tests/sim has another."""
    with own_tmux() as found:
        yield found
