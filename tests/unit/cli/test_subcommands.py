import subprocess
import sys

import click
import pytest

from coop.cli.command import command
from coop.cli.subcommands import SUBCOMMANDS, Subcommand

HEAVY = ("uvicorn", "starlette", "uvloop", "pyghostty", "cffi", "websockets", "prometheus_client", "httptools")


@pytest.mark.parametrize("subcommand", SUBCOMMANDS.values(), ids=lambda each: each.name)
def test_the_help_of_coop_says_what_the_subcommand_says_of_itself(subcommand: Subcommand) -> None:
    found = subcommand.load()
    assert found.name == subcommand.name
    assert found.get_short_help_str(limit=200) == subcommand.says


def test_the_help_lists_them_in_groups() -> None:
    shown = command.get_help(click.Context(command, info_name="coop"))
    sections = [shown.index(click.style(section, bold=True)) for section in ("See sessions", "Talk to a session", "Set up")]
    assert sections == sorted(sections)
    for name in SUBCOMMANDS:
        assert f"\n  {name} " in shown


@pytest.mark.parametrize("name", [*SUBCOMMANDS, "--help"])
def test_nothing_that_serves_is_loaded_for_it(name: str) -> None:
    code = f"import sys; sys.argv = ['coop', {name!r}, '--help']\nimport coop.cli.main as m\ntry: m.main()\nexcept SystemExit: pass\n"
    code += f"print(sorted({{n.split('.')[0] for n in sys.modules}} & set({HEAVY!r})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_help_of_coop_loads_no_client() -> None:
    code = "import sys; sys.argv = ['coop', '--help']\nimport coop.cli.main as m\ntry: m.main()\nexcept SystemExit: pass\n"
    code += "print(sorted({n.split('.')[0] for n in sys.modules} & {'httpx', 'asyncio', 'msgspec', 'anyio'}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
