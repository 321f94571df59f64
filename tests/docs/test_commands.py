"""The page about the commands is what they say of themselves."""

import re
import subprocess
import sys

import pytest

from coop.cli import reaching
from coop.cli.subcommands import SUBCOMMANDS
from coop.errors import CoopError
from coop.wire.errors import HTTP_STATUS
from scripts import commands_page

ROOT = commands_page.PAGE.parents[1]
PAGE = commands_page.PAGE.read_text()


def test_the_page_is_up_to_date() -> None:
    """In a process of its own: click remembers how the help of a command was first asked for."""
    code = "from scripts.commands_page import PAGE, written; print(written(PAGE.read_text()), end='')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == PAGE, "run python -m scripts.commands_page"


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_command_is_on_the_page(name: str) -> None:
    assert re.search(rf"^### coop {name}\n\n```text\nUsage: coop {name} ", PAGE, re.MULTILINE)


def test_all_but_three_have_json_as_the_page_and_the_readme_say() -> None:
    without = {name for name, each in SUBCOMMANDS.items() if not any("--json" in option.opts for option in each.load().params)}
    assert without == {"attach", "mcp", "completion"}
    (said,) = re.findall(r"`--json` but for (.+)", (ROOT / "README.md").read_text())
    assert set(re.findall(r"`(\w+)`", said)) == without
    (said,) = re.findall(r"Every command has it but (.+?)\n- ", PAGE, re.DOTALL)
    assert set(re.findall(r"`coop (\w+)`", said)) == without


@pytest.mark.parametrize("kind", [error for error, _ in reaching._BY_ERROR], ids=lambda kind: kind.code)
def test_every_code_of_the_commands_own_is_on_the_page(kind: type[CoopError]) -> None:
    assert kind.code in HTTP_STATUS or f"`{kind.code}`" in PAGE


def test_lines_fit_the_page() -> None:
    assert max(len(line) for line in commands_page.reference().splitlines()) <= 120
