"""The guide shows the example as it is."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "plugins.md").read_text()
BLOCKS = dict(re.findall(r"```\w+\n# (examples/\S+)\n(.+?)```\n", GUIDE, re.DOTALL))


@pytest.mark.parametrize("path", ["pyproject.toml", "src/coop_agent_parrot/__init__.py"])
def test_the_code_in_the_guide_is_that_of_the_example(path: str) -> None:
    path = f"examples/third-party-agent/{path}"
    assert BLOCKS[path] == (ROOT / path).read_text()


def test_it_is_as_short_as_it_says() -> None:
    code = BLOCKS["examples/third-party-agent/src/coop_agent_parrot/__init__.py"].partition("def prepare")[2]
    assert len([line for line in code.splitlines() if line.strip()]) <= 46
