"""Somebody in front of a terminal of their own, at a session by `coop attach`."""

import os
import signal
import sys
import termios
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from coop.model.screen import Size
from coop.testing import CoopProcess, eventually
from tests.oracles.on_pty import OnPty, on_pty

WITHIN = 40.0
USUAL = Size(80, 24)
DETACH = "\x1cd"
BEFORE = b"\x1b]2;my shell\x07something of mine\r\n\x1b[32m$\x1b[0m coop attach\r\n"


@dataclass
class Person:
    terminal: OnPty
    attributes: list[Any]
    """Of the terminal, before."""
    looks: tuple[object, ...]

    def types(self, text: str) -> None:
        self.terminal.press(text)

    def sees(self, text: str) -> None:
        self.terminal.shows(text, within=WITHIN)

    def sees_no_more(self, text: str) -> None:
        self.terminal.until(lambda: text not in self.shown(), what=f"the end of {text!r}", within=WITHIN)

    def reads(self, what: str, within: float = WITHIN) -> None:
        """Until that has been written to the terminal, whether it can be seen or not."""
        self.terminal.until(lambda: what.encode() in self.terminal.output, what=repr(what), within=within)

    def shown(self) -> str:
        return "\n".join(self.terminal.lines())

    @property
    def status(self) -> str:
        return self.terminal.lines()[-1]

    def leaves(self) -> int:
        self.types(DETACH)
        return self.ends()

    def ends(self) -> int:
        """The exit code of `coop attach`; negative when it was killed."""
        return self.terminal.exit_code()

    def kills(self, number: int) -> None:
        os.kill(self.terminal.pid, number)

    def has_her_terminal_back(self) -> bool:
        """Just as it was: its settings, and everything that was on it and is not a line of ours below."""
        self.terminal.until(
            lambda: self.settings_are_back() and looks(self.terminal) == self.looks, what="the terminal", within=WITHIN
        )
        return True

    def settings_are_back(self) -> bool:
        return termios.tcgetattr(self.terminal.fd) == self.attributes


def looks(terminal: OnPty) -> tuple[object, ...]:
    screen = terminal.screen
    now = screen.snapshot()
    return (now.lines[:2], now.alt_screen, now.cursor.visible, screen.modes(), screen.kitty_flags(), screen.cursor_shape())


@contextmanager
def attached(
    coop: CoopProcess,
    *arguments: str,
    size: Size = USUAL,
    env: Mapping[str, str] | None = None,
) -> Generator[Person]:
    own = {"HOME": str(coop.home), "XDG_RUNTIME_DIR": str(coop.home), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-m", "coop.cli.main", "attach", *arguments]
    everything = {**own, "LANG": "C.UTF-8", "TERM": "xterm-256color", **(env or {})}
    with on_pty(command, cwd=coop.home, env=everything, size=size, answers={}) as terminal:
        terminal.screen.feed(BEFORE)
        yield Person(terminal, termios.tcgetattr(terminal.fd), looks(terminal))


def resume(person: Person) -> None:
    person.kills(signal.SIGCONT)


def until_stopped(pid: int) -> None:
    def is_stopped() -> bool:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "T"

    eventually(is_stopped, within=WITHIN, what="its stop")
