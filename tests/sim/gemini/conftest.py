"""The laboratory of Gemini CLI, with a pretend one in it."""

from pathlib import Path

import pytest

from coop_sim.shims import write_shim
from tests.live.gemini.conftest import ready, shared, start_lab

__all__ = ["ready", "shared", "start_lab"]


@pytest.fixture(scope="session")
def gemini(shims: Path) -> tuple[str, ...]:
    return (str(write_shim(shims, "gemini")),)
