"""The command as a black box."""

import subprocess
import sys
from pathlib import Path

COOP = str(Path(sys.executable).parent / "coop")


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([COOP, *arguments], capture_output=True, text=True, timeout=30, check=False)


def test_the_version_is_told() -> None:
    from coop import __version__

    for flag in ("--version", "-V"):
        assert run(flag).stdout == f"coop {__version__}\n"


def test_the_help_fits_a_terminal_and_shows_how() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert "coop [OPTIONS] -- COMMAND" in done.stdout
    assert max(len(line) for line in done.stdout.splitlines()) <= 100
    assert "coop -- bash" in done.stdout


def test_the_version_is_told_without_loading_what_serves() -> None:
    code = "import sys; sys.argv = ['coop', '--version']\nimport coop.cli.main as m\ntry: m.main()\nexcept SystemExit: pass\n"
    code += (
        "print(sorted(n for n in sys.modules if n.split('.')[0] in ('uvicorn','starlette','cffi','click','asyncio','uvloop')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1] == "[]"


def test_a_running_coop_loads_neither_metrics_nor_other_terminals_before_they_are_asked_for() -> None:
    code = "import coop.cli.run, sys; print([n for n in sys.modules if n.startswith(('prometheus', 'coop.terminal.tmux'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_mistake_is_answered_with_what_to_do() -> None:
    done = run("bash")
    assert done.returncode == 2
    assert "coop -- bash" in done.stderr


def test_the_program_that_was_meant_is_told_as_it_was_written_and_a_subcommand_that_is_nearly_one_first() -> None:
    told = run("bash", "-c", "echo hi").stderr
    assert told.startswith("coop: no subcommand is named 'bash'; to run a program put it after --: coop -- bash -c 'echo hi'; ")
    assert run("lss").stderr.startswith(
        "coop: no subcommand is named 'lss'; did you mean coop ls? to run a program put it after --: coop -- lss; "
    )
