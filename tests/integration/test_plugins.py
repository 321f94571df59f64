"""Agents of other packages: found, chosen by their command, and in nobody's way when they are broken."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from coop.testing import running_coop
from tests.support.plugins import install
from tests.support.wire import Wire

GOOD = 'from coop.agents import Agent\n\ndef make(dialogs=None, *, source=""):\n    return Agent("ada", commands=("ada", "ada-cli"))\n'
OTHER = GOOD.replace('"ada"', '"bob"', 1)


def ran(folder: Path, *arguments: str) -> tuple[int, str]:
    """The exit code and what was said of a coop that finds the packages of a folder."""
    env = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "PATH": os.environ["PATH"], "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "coop.cli.main", "--log-format", "text", *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stderr


def program(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("name", ["ada", "ada-cli"])
@pytest.mark.parametrize("wrapper", [(), ("env", "X=1"), ("timeout", "60")], ids=lambda words: " ".join(words) or "bare")
def test_auto_goes_by_the_command(tmp_path: Path, name: str, wrapper: tuple[str, ...]) -> None:
    install(tmp_path, "coop-agent-ada", "ada", GOOD)
    script = tmp_path / name
    script.write_text("#!/bin/sh\ncat\n")
    script.chmod(0o755)
    with running_coop("--agent", "auto", command=(*wrapper, str(script)), env={"PYTHONPATH": str(tmp_path)}) as coop:
        assert Wire(coop, "tcp").get("/api/v1/agent/state")["agent"] == "ada"


def test_auto_says_when_it_does_not_know_the_command(tmp_path: Path) -> None:
    install(tmp_path, "coop-agent-ada", "ada", GOOD)
    code, said = ran(tmp_path, "--agent", "auto", "--", "true")
    assert code == 0
    assert "--agent auto: 'true' is the command of no agent here (ada, ada-cli, claude" in said
    assert "it runs as unknown" in said


def test_without_auto_nothing_is_picked(tmp_path: Path) -> None:
    install(tmp_path, "coop-agent-ada", "ada", GOOD)
    code, said = ran(tmp_path, "--", program(tmp_path, "ada"))
    assert (code, "ada is running as an unknown agent: its state will not be known; use --agent ada" in said) == (0, True)


BROKEN = "import a_module_that_is_not_there\n"


def test_a_broken_package_is_named_when_it_is_asked_for(tmp_path: Path) -> None:
    install(tmp_path, "coop-agent-eve", "eve", BROKEN)
    code, said = ran(tmp_path, "--agent", "eve", "--", "true")
    assert code == 2
    assert "agent 'eve' of package coop-agent-eve cannot be loaded" in said
    assert "a_module_that_is_not_there" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("source", [BROKEN, "raise SystemExit(3)\n", "make = 3\n", "def make(): pass\n"])
def test_a_broken_package_is_in_nobodys_way(tmp_path: Path, source: str) -> None:
    install(tmp_path, "coop-agent-eve", "eve", source)
    install(tmp_path, "coop-agent-ada", "ada", GOOD)
    code, said = ran(tmp_path, "--agent", "auto", "--", program(tmp_path, "ada"))
    assert (code, "Traceback" in said) == (0, False)
    assert "coop-agent-eve" in said
    assert "it runs as unknown" not in said
    assert ran(tmp_path, "--agent", "ada", "--", "true")[0] == 0


def test_a_package_that_gives_something_else_is_named(tmp_path: Path) -> None:
    install(tmp_path, "coop-agent-ada", "ada", OTHER)
    code, said = ran(tmp_path, "--agent", "ada", "--", "true")
    assert code == 2
    assert "agent 'ada' of package coop-agent-ada: coop_agent_ada:make gives an agent named 'bob'" in said


def test_two_packages_with_one_name_are_both_named(tmp_path: Path) -> None:
    install(tmp_path, "coop-agent-ada", "ada", GOOD)
    install(tmp_path, "other-ada", "ada", GOOD)
    code, said = ran(tmp_path, "--agent", "ada", "--", "true")
    assert (code, "offered by more than one package (coop-agent-ada, other-ada)" in said) == (2, True)
