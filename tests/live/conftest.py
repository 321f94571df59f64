"""What all laboratories of real agents need: the agents, and a coop to run them."""

import platform
import subprocess
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from coop.testing import CoopProcess, running_coop
from tests.support.multiplexers import Multiplexer, own_tmux

ROOT = Path(__file__).parents[2]
RunCoop = Callable[..., AbstractContextManager[CoopProcess]]


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
    """tests/sim has another."""
    return running_coop


@pytest.fixture
def terminal() -> Generator[Multiplexer]:
    """Where somebody works by hand; tests/sim has another."""
    with own_tmux() as found:
        yield found
