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


def test_a_coop_without_any_standard_file_is_as_good_as_another(tmp_path: Path) -> None:
    """The child's own are its terminal, whatever coop was given."""
    script = f'{COOP} --name all-closed -- sh -c "test -t 2 && exit 3" <&- >&- 2>&-'
    done = subprocess.run(
        ["sh", "-c", script], env={"XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}, timeout=30, check=False
    )
    assert done.returncode == 3


def test_a_folder_that_is_gone_is_told_as_that(tmp_path: Path) -> None:
    script = f"mkdir gone && cd gone && rmdir ../gone && exec {COOP} -- true"
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "is gone" in done.stderr


def test_the_program_that_was_meant_is_told_as_it_was_written_and_a_subcommand_that_is_nearly_one_first() -> None:
    told = run("bash", "-c", "echo hi").stderr
    assert told.startswith("coop: no subcommand is named 'bash'; to run a program put it after --: coop -- bash -c 'echo hi'; ")
    assert run("lss").stderr.startswith(
        "coop: no subcommand is named 'lss'; did you mean coop ls? to run a program put it after --: coop -- lss; "
    )
