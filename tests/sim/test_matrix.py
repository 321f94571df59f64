"""The matrix is the same on both sides: what is not run here is named, with its reason."""

import ast
from pathlib import Path

from tests.sim.excluded import EXCLUDED

HERE = Path(__file__).parent
LIVE = HERE.parent / "live"


def _tests() -> set[str]:
    """Every test of tests/live, as `module::test`."""
    found: set[str] = set()
    for module in LIVE.glob("test_*.py"):
        nodes = ast.parse(module.read_text()).body
        names = [node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
        found |= {f"{module.name}::{name}" for name in names}
    return found


def _modules() -> set[str]:
    return {path.name for path in LIVE.glob("test_*.py")}


def test_only_what_exists_is_excluded_and_for_a_reason() -> None:
    assert set(EXCLUDED) <= _modules() | _tests()
    assert all(EXCLUDED.values())


def test_every_other_module_is_run_here() -> None:
    here = {path.name for path in HERE.glob("test_*.py")} - {Path(__file__).name}
    assert here == _modules() - set(EXCLUDED)
