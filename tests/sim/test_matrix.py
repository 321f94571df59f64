"""The matrix is the same on both sides: what is not run here is named, with its reason."""

import ast
from pathlib import Path

import pytest

from tests.sim.excluded import EXCLUDED

HERE = Path(__file__).parent
LIVE = HERE.parent / "live"
AGENTS = sorted(path.name for path in HERE.iterdir() if (path / "conftest.py").exists())


def _tests() -> set[str]:
    """Every test of tests/live, as `agent/module::test`."""
    found: set[str] = set()
    for module in LIVE.glob("*/test_*.py"):
        nodes = ast.parse(module.read_text()).body
        names = [node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
        found |= {f"{module.parent.name}/{module.name}::{name}" for name in names}
    return found


def _modules(folder: Path) -> set[str]:
    return {f"{path.parent.name}/{path.name}" for path in folder.glob("*/test_*.py")}


def test_only_what_exists_is_excluded_and_for_a_reason() -> None:
    assert set(EXCLUDED) <= _modules(LIVE) | _tests()
    assert all(EXCLUDED.values())


@pytest.mark.parametrize("agent", AGENTS)
def test_every_other_module_is_run_here(agent: str) -> None:
    live = {each for each in _modules(LIVE) if each.startswith(f"{agent}/")}
    here = {each for each in _modules(HERE) if each.startswith(f"{agent}/")}
    assert here == live - set(EXCLUDED)
