"""Traces of a real session, as a collector gets them."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from coop.testing import eventually, running_coop
from coop.testing.claude import ClaudeHome, seeded_home
from coop_sim.shims import write_shim
from tests.support.collector import attributes, collecting
from tests.support.wire import Wire

SCENARIO = Path(__file__).parents[1] / "docs/client_scenario.toml"
NANO = 1_000_000_000


@pytest.fixture
def place(tmp_path: Path) -> ClaudeHome:
    write_shim(tmp_path / "bin", "claude", scenario=SCENARIO)
    return seeded_home(tmp_path)


def becomes(wire: Wire, state: str) -> None:
    eventually(lambda: wire.get("/api/v1/agent/state")["state"] == state, within=60, what=state)


def test_a_nudge_a_turn_and_its_prompt_are_spans_without_a_word_of_what_was_said(place: ClaudeHome) -> None:
    began = time.time_ns()
    with collecting() as collector:
        env = {
            **place.environment("http://127.0.0.1:9"),
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_SERVICE_NAME": "lab",
        }
        command = (str(place.home.parent / "bin/claude"), "--permission-mode", "default")
        with running_coop(
            "--agent", "claude", "--otel", "--name", "one", command=command, env=env, cwd=place.workspace
        ) as coop:
            wire = Wire(coop, "tcp")
            becomes(wire, "waiting_for_input")
            wire.post("/api/v1/agent/nudge", {"message": "Fix the login bug", "wait": 30})
            becomes(wire, "permission_prompt")
            wire.post("/api/v1/agent/respond", {"accept": True})
            becomes(wire, "waiting_for_input")
            version = wire.get("/api/v1/agent/state")["agent_version"]
            eventually((place.workspace / "login-fixed").exists)
        nudge, turn, prompt = collector.spans()
    assert [each.name for each in (nudge, turn, prompt)] == ["nudge", "turn", "prompt"]
    for span in (nudge, turn, prompt):
        assert began < span.start_time_unix_nano <= span.end_time_unix_nano < time.time_ns()
        assert attributes(span.attributes)["coop.agent"] == "claude"
        assert attributes(span.attributes)["coop.agent.version"] == version
    assert attributes(nudge.attributes)["coop.outcome"] == "confirmed"
    assert attributes(turn.attributes)["coop.outcome"] == "idle"
    told = attributes(prompt.attributes)
    assert (told["coop.outcome"], told["coop.prompt.type"], told["coop.prompt.by"]) == ("accepted", "permission", "api")
    assert (prompt.trace_id, prompt.parent_span_id) == (turn.trace_id, turn.span_id)
    assert prompt.end_time_unix_nano <= turn.end_time_unix_nano
    resource = collector.resource()
    assert (resource["service.name"], resource["service.instance.id"]) == ("lab", "one")
    for word in (b"login", b"touch", b"Bash", str(place.workspace).encode()):
        assert not any(word in each for each in collector.raw)


def test_what_is_open_when_the_session_ends_ends_with_it(place: ClaudeHome) -> None:
    with collecting() as collector:
        env = {**place.environment("http://127.0.0.1:9"), "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}
        command = (str(place.home.parent / "bin/claude"), "--permission-mode", "default")
        with running_coop("--agent", "claude", "--otel", command=command, env=env, cwd=place.workspace) as coop:
            wire = Wire(coop, "tcp")
            becomes(wire, "waiting_for_input")
            wire.post("/api/v1/agent/nudge", {"message": "Fix the login bug", "wait": 30})
            becomes(wire, "permission_prompt")
        outcomes = {span.name: attributes(span.attributes)["coop.outcome"] for span in collector.spans()}
    assert outcomes == {"nudge": "confirmed", "turn": "exited", "prompt": "unknown"}


def test_a_collector_that_is_not_there_is_in_nobodys_way(tmp_path: Path) -> None:
    nowhere = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    script = "printf '\\033]133;A\\007\\033]133;C\\007'; exec cat"
    (tmp_path / "agent.toml").write_text("[report]\nmarks = true\n")
    with running_coop(
        "--otel", "--agent-config", str(tmp_path / "agent.toml"), command=("sh", "-c", script), env=nowhere
    ) as coop:
        wire = Wire(coop, "tcp")
        becomes(wire, "working")
        began = time.monotonic()
        wire.post("/api/v1/signal", {"signal": "SIGTERM"})
        assert coop.wait(30) == 143
        assert time.monotonic() - began < 15
    assert all(line.startswith("{") for line in coop.stderr)
    assert any("export" in line for line in coop.stderr)  # it is told, as everything is


def test_without_the_package_it_says_how_to_get_it_and_starts_nothing(tmp_path: Path) -> None:
    made = tmp_path / "made"
    arguments = ["coop", "--otel", "--", "touch", str(made)]
    hidden = (
        f"import sys; sys.modules['opentelemetry'] = None; sys.argv = {arguments!r}; from coop.cli.main import main; main()"
    )
    env = {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}
    command = [sys.executable, "-c", hidden]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == "coop: --otel: opentelemetry is not installed; it comes with: pip install 'coop-agents[otel]'\n"
    assert not made.exists()


def test_it_is_imported_only_when_it_is_asked_for(tmp_path: Path) -> None:
    script = "import sys, coop.cli.run; print([name for name in sys.modules if name.startswith(('opentelemetry', 'mcp', 'prometheus'))])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"
