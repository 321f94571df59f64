"""The guide shows the example as it is."""

import re
import tomllib
from pathlib import Path

import pytest

from scripts import agents_page

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


def test_the_table_of_agents_is_what_they_are() -> None:
    page = agents_page.PAGE.read_text()
    assert page == agents_page.written(page), "run python -m scripts.agents_page"


def test_every_agent_of_this_package_is_in_the_table() -> None:
    points = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["coop.agents"]
    header = agents_page.table().splitlines()[0]
    assert [name for name in (*points, "unknown") if f"`{name}`" not in header] == []
