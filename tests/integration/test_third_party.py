"""The example of somebody else's agent: installed from its own directory, and run by a coop that knows nothing of it."""

import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from coop.testing import eventually, running_coop
from tests.support.wire import Wire

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "third-party-agent"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package is, as an installer leaves it; nothing is fetched."""
    folder = tmp_path_factory.mktemp("packages")
    options = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), str(EXAMPLE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def parrot(installed: Path, tmp_path: Path) -> Generator[Wire]:
    path = f"{installed / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = {"PYTHONPATH": str(installed), "PATH": path}
    with running_coop("--agent", "parrot", command=("parrot",), env=env, cwd=tmp_path) as coop:
        wire = Wire(coop, "tcp")
        becomes(wire, "waiting_for_input")
        yield wire


def becomes(wire: Wire, state: str) -> dict[str, object]:
    def found() -> dict[str, object] | None:
        reply: dict[str, object] = wire.get("/api/v1/agent/state")
        return reply if reply["state"] == state else None

    seen = eventually(found, within=20, what=f"state {state}")
    assert seen is not None
    return seen


def test_coop_knows_nothing_of_it() -> None:
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.toml"), ROOT / "pyproject.toml"]
    assert [path for path in sources if "parrot" in path.read_text().lower()] == []


def test_it_is_detected(parrot: Wire) -> None:
    state = parrot.get("/api/v1/agent/state")
    assert (state["agent"], state["agent_version"], state["tested"]) == ("parrot", "1.0", True)
    tiers = [word["tier"] for word in parrot.get("/api/v1/agent/explain")["tiers"]]
    assert tiers == ["session_log", "terminal_report", "screen", "process"]


def test_it_is_nudged_and_answered(parrot: Wire, tmp_path: Path) -> None:
    told = parrot.post("/api/v1/agent/nudge", {"message": "hello, sailor"})
    assert told["delivered"] is True
    assert (told["receipt"]["received_as"], told["receipt"]["evidence"]) == ("hello, sailor", "session_log")
    becomes(parrot, "working")
    prompt = becomes(parrot, "permission_prompt")["prompt"]
    assert isinstance(prompt, dict)
    assert (prompt["tool"], prompt["options"]) == ("Write", ["y", "n"])
    assert not (tmp_path / "said.txt").exists()
    answered = parrot.post("/api/v1/agent/respond", {"accept": True})
    assert (answered["delivered"], answered["via"]) == (True, "keys")
    becomes(parrot, "waiting_for_input")
    assert (tmp_path / "said.txt").read_text() == "hello, sailor\n"


def test_it_is_denied(parrot: Wire, tmp_path: Path) -> None:
    parrot.post("/api/v1/agent/nudge", {"message": "a secret"})
    becomes(parrot, "permission_prompt")
    parrot.post("/api/v1/agent/respond", {"accept": False})
    becomes(parrot, "waiting_for_input")
    assert "Then not." in parrot.text()
    assert not (tmp_path / "said.txt").exists()


def test_it_is_not_nudged_while_it_asks(parrot: Wire) -> None:
    parrot.post("/api/v1/agent/nudge", {"message": "first"})
    becomes(parrot, "permission_prompt")
    reply = parrot.request("POST", "/api/v1/agent/nudge", json={"message": "second"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (409, "AGENT_BUSY")
    assert "second" not in parrot.text()


def test_it_is_picked_by_its_command(installed: Path, tmp_path: Path) -> None:
    env = {"PYTHONPATH": str(installed)}
    with running_coop("--agent", "auto", command=(str(installed / "bin" / "parrot"),), env=env, cwd=tmp_path) as coop:
        assert Wire(coop, "tcp").get("/api/v1/agent/state")["agent"] == "parrot"
