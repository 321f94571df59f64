"""The laboratory of Claude Code, with a pretend one in it."""

from pathlib import Path

import pytest

from coop_sim.shims import write_shim
from tests.live.claude.conftest import start_lab, version

__all__ = ["start_lab", "version"]


@pytest.fixture
def claude(version: str, shims: Path) -> str:
    return str(write_shim(shims / version, "claude", sim_version=version))
