"""The first steps are taken: every command of the tutorial is run, and prints what the page says."""

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

from coop.client import sessions
from coop.model.screen import Size
from tests.oracles.on_pty import on_pty
from tests.support.transcripts import ASKED, Placeholder, Turn, normal, turns

PAGE = (Path(__file__).parents[2] / "docs/tutorial.md").read_text()
FILES = re.findall(r"<!-- file: (\S+) -->\n```\w*\n(.+?)```", PAGE, re.DOTALL)
VARY = (
    Placeholder(r"\b\d+(s|m\d\ds|h\d\dm)\b", "AGE"),
    Placeholder(r"\d+\.\d+\.\d+\S*, /\S+", "VERSION, PATH"),
    Placeholder(r"#\d+", "#N"),
)
LOOKS = ("coop ls", "coop explain", "coop events")
"""These only show. One source may speak a moment after another, and then a person looks again."""
LONG, A_MOMENT = 90.0, 10.0
PATIENCE = {"wait": "--timeout 60", "nudge": "--wait 60"}
"""What a machine that has more to do needs."""


@dataclass
class Beginner:
    """Somebody in an empty folder, with coop and Python on the PATH, who types what the page says."""

    folder: Path
    env: dict[str, str]

    def takes(self, turn: Turn) -> list[str]:
        """The lines that are printed."""
        if turn.command.startswith("coop attach"):
            return [self._visits(turn.command)]
        return self._on_terminal(turn) if turn.typed else self._printed(turn.command)

    def _printed(self, command: str) -> list[str]:
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=LONG, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, ""), f"{command}: {done.stderr}"
        return done.stdout.splitlines()

    def _on_terminal(self, turn: Turn) -> list[str]:
        env = {**self.env, "TERM": "xterm-256color", "NO_COLOR": "1"}
        with on_pty(shlex.split(turn.command), cwd=self.folder, env=env, size=Size(100, 40), answers={}) as terminal:
            for words in turn.typed:
                terminal.until(lambda: terminal.output.endswith(ASKED.encode()), what="the place to type", within=LONG)
                terminal.press(f"{words}\r")
            assert terminal.exit_code(within=LONG) == 0, turn.command
            return terminal.output.decode().replace("\r\n", "\n").splitlines()

    def _visits(self, command: str) -> str:
        """What is said at the end of a look at the session, as a person takes it."""
        env, size = {**self.env, "TERM": "xterm-256color"}, Size(100, 40)
        with on_pty(shlex.split(command), cwd=self.folder, env=env, size=size, answers={}) as terminal:
            shown = re.compile(r"The greeting is in greeting\.txt\.(.|\n)*\n demo .*idle")
            terminal.until(lambda: shown.search("\n".join(terminal.lines())), what=shown.pattern, within=LONG)
            terminal.press("\x1cd")
            assert terminal.exit_code(within=LONG) == 0
            said = re.findall(r"\[[a-z][^\]]*\]", terminal.output.decode().rpartition("\x1b[?1049l")[2])
            assert said, "nothing was printed on the terminal that was given back"
            return str(said[-1])

    def leave(self) -> None:
        for each in sessions(self.env):
            self._printed(f"coop stop {each.name} --now")


@pytest.fixture
def beginner(tmp_path: Path) -> Generator[Beginner]:
    folder, path, run = tmp_path / "demo", tmp_path / "path", tmp_path / "run"
    for each in (folder, path, run):
        each.mkdir(mode=0o700)
    for name, command in (("coop", [sys.executable, "-m", "coop.cli.main"]), ("python", [sys.executable])):
        (path / name).write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        (path / name).chmod(0o755)
    for name, text in FILES:
        (folder / name).write_text(text)
    env = {"PATH": f"{path}:/usr/bin:/bin", "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(run), "LANG": "C.UTF-8"}
    beginner = Beginner(folder, env)
    yield beginner
    beginner.leave()


def test_the_first_steps_lead_where_the_page_says(beginner: Beginner) -> None:
    home = Placeholder(re.escape(str(beginner.folder.parent)), "/home/me")
    for turn in turns(PAGE):
        turn = Turn(f"{turn.command} {PATIENCE.get(turn.command.split()[1], '')}".strip(), turn.lines)
        printed, until = normal(beginner.takes(turn), (home, *VARY)), time.monotonic() + A_MOMENT
        while turn.command.startswith(LOOKS) and printed != normal(turn.lines, VARY) and time.monotonic() < until:
            printed = normal(beginner.takes(turn), (home, *VARY))
        assert printed == normal(turn.lines, VARY), turn.command


@pytest.mark.parametrize("command", ["ls", "attach", "respond", "explain", "nudge", "wait", "events", "stop", "doctor"])
def test_the_page_shows_the_commands_a_beginner_needs(command: str) -> None:
    assert any(turn.command.startswith(f"coop {command}") for turn in turns(PAGE))
