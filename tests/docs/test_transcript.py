"""The README's transcript is executed, and what it shows is compared."""

import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from coop.testing import running_coop
from tests.support.wire import Wire

README = (Path(__file__).parents[2] / "README.md").read_text()
NUMBER = re.compile(r'"(total_written)":\d+')


def transcript() -> list[tuple[str, list[str]]]:
    """Each command after the first, with the lines it prints."""
    block = README.split("<!-- transcript:", 1)[1].split("```console\n", 1)[1].split("```", 1)[0]
    turns: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            turns.append((line[2:], []))
        else:
            turns[-1][1].append(line)
    return turns


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_the_transcript_is_what_happens() -> None:
    (start, _), *turns = transcript()
    assert start == "coop --port 8080 -- bash --norc &"
    port = free_port()
    if shutil.which("curl") is None:
        pytest.skip("the transcript uses curl")
    with running_coop("--port", str(port), command=("bash", "--norc"), port=False) as coop:
        Wire(coop, "tcp").shows("bash")  # its prompt: a person would not type before it either
        for command, expected in turns:
            assert _prints(command.replace("localhost:8080", f"127.0.0.1:{port}"), expected), command
        assert coop.wait() == 129


def _prints(command: str, expected: list[str]) -> bool:
    """A screen needs a moment to show what was typed, so a look at it may be repeated."""
    for _ in range(100):
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        lines = NUMBER.sub(r'"\1":0', done.stdout).splitlines()
        if lines == [NUMBER.sub(r'"\1":0', line) for line in expected]:
            return True
        if "/input" in command or "/signal" in command:
            break
    return False
