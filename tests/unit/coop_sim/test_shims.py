"""Executables that stand in for the real ones."""

import os
from pathlib import Path

from coop_sim.shims import write_shim


def test_a_shim_is_executable_and_names_what_it_runs(tmp_path: Path) -> None:
    shim = write_shim(tmp_path / "bin", sim_version="2.1.197", scenario=tmp_path / "s.toml")
    assert os.access(shim, os.X_OK)
    assert f"coop_sim claude --sim-version 2.1.197 --scenario {tmp_path / 's.toml'}" in shim.read_text()
