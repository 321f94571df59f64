"""The pretend agent under coop: its states are what its configuration says."""

import sys
from collections.abc import Generator
from importlib.resources import files

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
    import subprocess

    done = subprocess.run(
        [sys.executable, "-m", "coop_sim"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "needs a terminal" in done.stderr) == (2, True)
