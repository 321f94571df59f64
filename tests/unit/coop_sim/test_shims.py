"""Executables that stand in for the real ones."""

import os
import subprocess
from pathlib import Path

import pytest

from coop_sim.shims import AGENTS, main, write_shim


def test_a_shim_is_executable_and_names_what_it_runs(tmp_path: Path) -> None:
    shim = write_shim(tmp_path / "bin", "claude", sim_version="2.1.197", scenario=tmp_path / "s.toml")
    assert os.access(shim, os.X_OK)
    assert f" claude --sim-version 2.1.197 --scenario {tmp_path / 's.toml'} " in shim.read_text()


def test_a_shim_runs_wherever_it_is_called(tmp_path: Path) -> None:
    shim = write_shim(tmp_path / "bin", "claude", sim_version="2.1.197")
    done = subprocess.run([shim, "--version"], cwd="/", env={}, capture_output=True, text=True, check=True)
    assert done.stdout == "2.1.197 (Claude Code)\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [(None, "cannot be read: "), ("[[turn", "not TOML: "), ("[[turn]]\nsays = 'x'", "says")],
)
def test_a_scenario_that_is_wrong_is_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, says: str
) -> None:
    scenario = tmp_path / "s.toml"
    if text is not None:
        scenario.write_text(text)
    assert main([str(tmp_path / "bin"), "--scenario", str(scenario)]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"coop_sim shims: --scenario {scenario}: ")
    assert (said.out, said.err.count("\n"), says in said.err) == ("", 1, True)
    assert not (tmp_path / "bin").exists()


def test_every_pretend_agent_has_a_shim(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == set(AGENTS) >= {"claude", "codex"}
    done = subprocess.run([tmp_path / "codex", "--version"], cwd="/", env={}, capture_output=True, text=True, check=True)
    assert done.stdout == "codex-cli 0.166.0\n"
