"""What a command does when nobody takes what it tells, and when it fails itself."""

import os
import subprocess
import sys

import pytest

MODULE = [sys.executable, "-m", "coop.cli.main"]


def ran(redirected: str, *, code: str = "", **env: str) -> "subprocess.CompletedProcess[str]":
    """`coop --help`, or what `code` makes of it, with its output sent elsewhere."""
    command = [sys.executable, "-c", code] if code else [*MODULE, "--help"]
    script = f'"$@" {redirected}'
    return subprocess.run(
        ["bash", "-c", script, "bash", *command],
        capture_output=True,
        text=True,
        env={**os.environ, **env},
        timeout=60,
        check=False,
    )


REPLACED = """
import sys
from coop.cli import main as coop
def run(arguments):
    {}
    sys.stdout.flush()
coop._run = run
coop.main()
"""
"""A command that does something else, with all that is around every command."""


@pytest.mark.parametrize(
    ("redirected", "why"), [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")], ids=["full", "closed"]
)
def test_what_cannot_be_written_is_a_line_and_no_refusal(redirected: str, why: str) -> None:
    done = ran(redirected)
    assert (done.returncode, done.stderr) == (74, f"coop: cannot write to stdout: {why}\n")


def test_a_reader_that_has_read_enough_is_no_complaint() -> None:
    done = ran("| true; exit ${PIPESTATUS[0]}", code=REPLACED.format("while True: print('more')"))
    assert (done.returncode, done.stderr) == (74, "")


def test_letters_that_the_encoding_lacks_are_spelled_out() -> None:
    done = ran("", code=REPLACED.format("print('→')"), PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "\\u2192\n", "")


def test_a_bug_is_a_line_and_tells_how_to_see_where() -> None:
    broken = REPLACED.format("raise KeyError('x')")
    done = ran("", code=broken)
    assert (done.returncode, done.stderr) == (70, "coop: a bug of coop: KeyError: 'x'; with PYTHONDEVMODE=1 it shows where\n")
    assert "Traceback" in ran("", code=broken, PYTHONDEVMODE="1").stderr


def test_a_failure_among_tasks_is_told_as_what_it_is() -> None:
    grouped = REPLACED.format("raise ExceptionGroup('tasks', [ExceptionGroup('more', [ValueError('x')])])")
    assert ran("", code=grouped).stderr.startswith("coop: a bug of coop: ValueError: x; ")


def test_a_closed_input_is_an_empty_one() -> None:
    assert ran("<&-", code=REPLACED.format("print(repr(sys.stdin.read()))")).stdout == "''\n"
