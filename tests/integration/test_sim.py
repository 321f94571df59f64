"""The pretend agent under coop: its states are what its configuration says."""

import os
import signal
import subprocess
import sys
from collections.abc import Generator
from importlib.resources import files
from pathlib import Path

import pytest

from coop.testing import eventually, running_coop
from tests.support.wire import Wire

CONFIG = str(files("coop_sim") / "agent.toml")


@pytest.fixture
def agent() -> Generator[Wire]:
    with running_coop("--agent-config", CONFIG, command=(sys.executable, "-m", "coop_sim")) as coop:
        wire = Wire(coop, "tcp")
        becomes(wire, "waiting_for_input")
        yield wire


def becomes(wire: Wire, state: str) -> dict[str, object]:
    def is_it() -> dict[str, object] | None:
        reply: dict[str, object] = wire.get("/api/v1/agent/state")
        return reply if reply["state"] == state else None

    found = eventually(is_it, what=f"state {state}")
    assert found is not None
    return found


def test_it_works_and_waits_again(agent: Wire) -> None:
    agent.post("/api/v1/input", {"text": "hello", "enter": True})
    becomes(agent, "working")
    becomes(agent, "waiting_for_input")
    assert "You said “hello”" in agent.text()


def test_it_asks_and_goes_on_with_the_answer(agent: Wire) -> None:
    agent.post("/api/v1/input", {"text": "ask", "enter": True})
    prompt = becomes(agent, "ask_user")["prompt"]
    assert isinstance(prompt, dict)
    assert (prompt["question"], prompt["options"]) == ("Which database should we use?", ["PostgreSQL", "SQLite", "A text file"])
    agent.post("/api/v1/input", {"text": "2"})
    becomes(agent, "waiting_for_input")
    assert "SQLite it is." in agent.text()


def test_it_fails_with_its_reason(agent: Wire) -> None:
    agent.post("/api/v1/input", {"text": "fail", "enter": True})
    assert becomes(agent, "error")["detail"] == "✘ The model is overloaded; try again later."


def test_it_can_be_interrupted(agent: Wire) -> None:
    agent.post("/api/v1/input", {"text": "something long", "enter": True})
    becomes(agent, "working")
    agent.post("/api/v1/input/keys", {"keys": ["Escape"]})
    agent.shows("Interrupted.")
    becomes(agent, "waiting_for_input")


def test_it_ends_when_told_to(agent: Wire) -> None:
    agent.post("/api/v1/input", {"text": "exit", "enter": True})
    assert agent.coop.wait() == 0


def test_it_needs_a_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "coop_sim"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "needs a terminal" in done.stderr) == (2, True)


def ran(*arguments: str) -> "subprocess.CompletedProcess[str]":
    words = [sys.executable, "-m", "coop_sim", *arguments]
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def test_who_asks_for_help_or_for_what_there_is_not_is_told_what_there_is() -> None:
    for word in ("-h", "--help"):
        told = ran(word)
        assert (told.returncode, told.stderr, told.stdout.splitlines()[0][:27]) == (0, "", "usage: python -m coop_sim  ")
    wrong = ran("nope")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("coop_sim: expected claude, codex, gemini, shims or nothing, got 'nope'\nusage: ")


@pytest.mark.parametrize("arguments", [("--help",), ("shims", "bin")], ids=lambda arguments: arguments[0])
def test_who_has_read_enough_is_no_reason_to_complain(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    words = [sys.executable, "-m", "coop_sim", *arguments]
    done = subprocess.run(words, cwd=tmp_path, stdout=theirs, stderr=subprocess.PIPE, text=True, check=False)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, "")
