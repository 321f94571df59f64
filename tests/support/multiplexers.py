"""A tmux server, or a GNU screen, that belongs to one test: what a person would have running, and see."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from coop.testing import eventually

WITHIN = 10.0


class Tmux:
    kind = "tmux"
    session = "work"

    def __init__(self, directory: Path) -> None:
        self.socket = directory / "tmux"
        self._env = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color", "HOME": str(directory)}

    def run(self, *command: str) -> str:
        words = ["tmux", "-S", str(self.socket), "-f", "/dev/null", "-u", *command]
        done = subprocess.run(words, env=self._env, capture_output=True, text=True, check=True, timeout=WITHIN)
        return done.stdout.rstrip("\n")

    def start(self, *command: str, env: Mapping[str, str] | None = None, cwd: Path | None = None, size: str = "100x30") -> None:
        """A session with one pane, in which the command runs."""
        cols, _, rows = size.partition("x")
        variables = [f"-e{name}={value}" for name, value in (env or {}).items()]
        where = ("-c", str(cwd)) if cwd else ()
        self.run("new-session", "-d", "-s", self.session, "-x", cols, "-y", rows, *variables, *where, *command)

    @property
    def spec(self) -> str:
        return self.spec_of(self.session)

    def spec_of(self, target: str) -> str:
        return f"tmux@{self.socket}:{target}"

    def env(self) -> dict[str, str]:
        """What coop needs to find it."""
        return {}

    def fact(self, name: str) -> str:
        return self.run("display-message", "-p", "-t", self.session, f"#{{{name}}}")

    def pid(self) -> int:
        return int(self.fact("pane_pid"))

    def size(self) -> str:
        return f"{self.fact('pane_width')}x{self.fact('pane_height')}"

    def type(self, text: str) -> None:
        """At the keyboard; Enter is a key of its own, as a person's is."""
        self.run("send-keys", "-t", self.session, "-l", text)
        self.run("send-keys", "-t", self.session, "Enter")

    def shown(self) -> str:
        return self.run("capture-pane", "-p", "-t", self.session)

    def clients(self) -> Sequence[str]:
        return self.run("list-clients").splitlines()

    def stop(self) -> None:
        subprocess.run(["tmux", "-S", str(self.socket), "kill-server"], capture_output=True, check=False, timeout=WITHIN)


@contextmanager
def own_tmux() -> Generator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed: run `make deps`")
    with tempfile.TemporaryDirectory(prefix="coop-tmux-") as directory:
        tmux = Tmux(Path(directory))
        try:
            yield tmux
        finally:
            tmux.stop()


def shows(terminal: Tmux, text: str) -> None:
    eventually(lambda: text in terminal.shown(), what=f"{text!r} on the screen")
