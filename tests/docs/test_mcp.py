"""The page about MCP shows what is there, and the orchestra plays."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from coop.cli.mcp import mcp
from coop.mcp.callers import Caller
from coop.mcp.started import Started
from coop.mcp.tools import Tools

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/mcp.md").read_text()
SCRIPT = ROOT / "examples/orchestrate/orchestrate.py"


def test_two_agents_are_started_waited_for_answered_and_collected(tmp_path: Path) -> None:
    command, *expected = re.findall(r"```console\n(.+?)```", PAGE, re.DOTALL)[0].splitlines()
    assert command == f"$ python {SCRIPT.relative_to(ROOT)}"
    env = {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), "TMPDIR": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run([sys.executable, SCRIPT], env=env, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.splitlines()) == sorted(expected)  # who asks first is up to them
    assert done.stdout.splitlines()[2:] == expected[2:]


def test_the_code_on_the_page_is_that_of_the_example() -> None:
    (shown,) = re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL)
    assert shown in SCRIPT.read_text()


def test_every_tool_is_documented_with_its_scope_and_no_other() -> None:
    documented = dict(re.findall(r"^\| `([a-z_]+)` \| `([a-z]+)` \|", PAGE, re.MULTILINE))
    tools = Tools({}, Started(frozenset(), {}), token=None, ours=Caller(), fence=str)
    assert documented == {offer.call.__name__: offer.scope.value for offer in tools.offers()}


def test_every_flag_is_documented_and_no_other() -> None:
    documented = set(re.findall(r"^\| `(--[a-z-]+)[^`]*` \|", PAGE, re.MULTILINE))
    assert documented == {option.opts[0] for option in mcp.params if isinstance(option, click.Option)}


def configured() -> list[dict[str, object]]:
    """Every server of every snippet."""
    found: list[dict[str, object]] = []
    for kind, text in re.findall(r"```(json|toml)\n(.+?)```", PAGE, re.DOTALL):
        table = json.loads(text)["mcpServers"] if kind == "json" else tomllib.loads(text)["mcp_servers"]
        found.append(table["coop"])
    return found


@pytest.mark.parametrize("server", [each for each in configured() if "args" in each])
def test_the_arguments_of_every_snippet_are_understood(server: dict[str, object]) -> None:
    args = server["args"]
    assert isinstance(args, list)
    assert (server["command"], args[0]) == ("coop", "mcp")
    mcp.make_context("mcp", list(args[1:]))


def test_there_is_one_for_every_way() -> None:
    assert len([each for each in configured() if "args" in each]) == 2
    assert len([each for each in configured() if "url" in each]) == 1


def test_no_client_takes_its_token_from_a_variable_that_a_session_does_not_inherit() -> None:
    assert "${COOP" not in PAGE
