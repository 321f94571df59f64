"""The README's transcript is executed, and what it shows is compared."""

import shutil
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from coop.testing import running_coop
from tests.support.transcripts import Placeholder, normal, turns
from tests.support.wire import Wire

README = (Path(__file__).parents[2] / "README.md").read_text()
VARY = (Placeholder(r'"total_written":\d+', '"total_written":N'),)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_the_transcript_is_what_happens() -> None:
    first, *rest = turns(README)
    assert first.command == "coop --port 8080 -- bash --norc &"
    port = free_port()
    if shutil.which("curl") is None:
        pytest.skip("the transcript uses curl")
    with running_coop("--port", str(port), command=("bash", "--norc"), port=False) as coop:
        Wire(coop, "tcp").shows("bash")  # its prompt: a person would not type before it either
        for turn in rest:
            assert _prints(turn.command.replace("localhost:8080", f"127.0.0.1:{port}"), turn.lines), turn.command
        assert coop.wait() == 129


def _prints(command: str, expected: Sequence[str]) -> bool:
    """A screen needs a moment to show what was typed, so a look at it may be repeated."""
    for _ in range(100):
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        if normal(done.stdout.splitlines(), VARY) == normal(expected, VARY):
            return True
        if "/input" in command or "/signal" in command:
            break
    return False
