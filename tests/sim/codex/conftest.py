"""The laboratory of Codex, with a pretend one in it."""

from pathlib import Path

import pytest

from coop_sim.shims import write_shim
from tests.live.codex.conftest import api, start_lab

__all__ = ["api", "start_lab"]


@pytest.fixture
def codex(shims: Path) -> str:
    return str(write_shim(shims, "codex"))
