"""The example of the page about testing is a test."""

import re
from collections.abc import Callable
from pathlib import Path

from tests.live.conftest import ROOT

PAGE = ROOT / "docs/testing.md"


def test_the_example_works(agents: Path, version: str, tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.+?)```", PAGE.read_text(), re.DOTALL)
    names: dict[str, Callable[[str, Path], None]] = {}
    exec(example, names)
    names["test_a_file_is_made_when_it_is_permitted"](str(agents / f"node_modules/claude-{version}/claude"), tmp_path)
