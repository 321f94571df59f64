"""Executables that stand in for the real ones."""

import os
import subprocess
from pathlib import Path

from coop_sim.shims import AGENTS, main, write_shim


def test_a_shim_is_executable_and_names_what_it_runs(tmp_path: Path) -> None:
    shim = write_shim(tmp_path / "bin", "claude", sim_version="2.1.197", scenario=tmp_path / "s.toml")
    assert os.access(shim, os.X_OK)
    assert f" claude --sim-version 2.1.197 --scenario {tmp_path / 's.toml'} " in shim.read_text()


def test_a_shim_runs_wherever_it_is_called(tmp_path: Path) -> None:
    shim = write_shim(tmp_path / "bin", "claude", sim_version="2.1.197")
    done = subprocess.run([shim, "--version"], cwd="/", env={}, capture_output=True, text=True, check=True)
    assert done.stdout == "2.1.197 (Claude Code)\n"


def test_every_pretend_agent_has_a_shim(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == set(AGENTS) >= {"claude", "codex"}
    done = subprocess.run([tmp_path / "codex", "--version"], cwd="/", env={}, capture_output=True, text=True, check=True)
    assert done.stdout == "codex-cli 0.166.0\n"
