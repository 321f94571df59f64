"""Where the pinned agents are, and how one is started."""

import functools
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from bench.home import ROOT
from coop.testing.claude import ClaudeHome, seeded_home

VERSIONS = ("2.1.197", "2.1.325")
COLS, ROWS = 120, 40
IDLE, WORKING = "waiting_for_input", "working"


@functools.cache
def installed() -> Path:
    """Installs them when they are not there yet."""
    script = [ROOT / "scripts/install-live-agents", ROOT / "tests/live"]
    return Path(subprocess.run(script, capture_output=True, text=True, check=True).stdout.strip())


def binary(version: str) -> str:
    return str(installed() / f"node_modules/claude-{version}/claude")


@contextmanager
def temporary_place() -> Generator[ClaudeHome]:
    # A short path: the sockets in it must fit into 108 bytes.
    with tempfile.TemporaryDirectory(prefix="claude-", dir="/tmp", ignore_cleanup_errors=True) as name:
        yield seeded_home(Path(name))
