"""Executables that stand in for the real ones: first on the PATH, they run the pretend ones."""

import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from coop_sim.claude.versions import LATEST, VERSIONS
from coop_sim.scenario import BadScenario, Scenario
from coop_sim.scenario_file import read_scenario

AGENTS = ("claude", "codex", "gemini")
_PACKAGES = Path(__file__).resolve().parents[1]
# The pretend ones need nothing that is installed, and whoever starts many of them does not want to wait for it.
_START = "import sys; sys.path.insert(0, {path!r}); from coop_sim.__main__ import main; sys.exit(main(sys.argv[1:]))"


def write_shim(folder: Path, agent: str, *, sim_version: str | None = None, scenario: Path | None = None) -> Path:
    """Writes the agent's name into the folder and returns where it is. Without a version it is the newest."""
    command = [sys.executable, "-S", "-c", _START.format(path=str(_PACKAGES)), agent]
    command += ["--sim-version", sim_version] if sim_version else []
    command += ["--scenario", str(scenario.resolve())] if scenario else []
    folder.mkdir(parents=True, exist_ok=True)
    shim = folder / agent
    shim.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
    shim.chmod(0o755)
    return shim


def main(arguments: Sequence[str]) -> int:
    parser = ArgumentParser(prog="coop_sim shims", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sim-version", choices=VERSIONS, default=LATEST.number, help="of Claude Code")
    parser.add_argument("--scenario", type=Path)
    given = parser.parse_args(arguments)
    try:
        if given.scenario is not None:
            read_scenario(given.scenario, Scenario(), {})
    except BadScenario as problem:
        print(f"coop_sim shims: --scenario {problem}", file=sys.stderr)
        return 2
    for agent in AGENTS:
        print(
            write_shim(
                given.folder, agent, sim_version=given.sim_version if agent == "claude" else None, scenario=given.scenario
            )
        )
    return 0
