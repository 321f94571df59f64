"""Coop's own commands, run as a person would, and the sessions they are for."""

import json
import os
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from coop.cli.command import command
from coop.cli.main import Invocation
from coop.cli.main import _split as split
from coop.model.screen import Size
from coop.testing import CoopProcess, running_coop
from coop.testing.claude import seeded_home
from coop_sim.claude.versions import LATEST
from coop_sim.shims import write_shim
from tests.oracles.on_pty import OnPty, on_pty
from tests.support.wire import Wire

AGENT = (sys.executable, "-m", "coop_sim")
CONFIG = str(files("coop_sim") / "agent.toml")
OUTSIDE = ("COOP", "COOP_SOCKET", "COOP_TOKEN", "COOP_TOKEN_FILE", "COOP_AUTH_TOKEN", "NO_COLOR")
"""What the tests themselves may be run with."""


@dataclass(frozen=True)
class Ran:
    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)

    @property
    def lines(self) -> list[str]:
        return self.stdout.splitlines()


@dataclass(frozen=True)
class Desk:
    """Where somebody sits who sees the sessions of one runtime directory."""

    root: Path

    @property
    def env(self) -> dict[str, str]:
        return {"HOME": str(self.root), "XDG_RUNTIME_DIR": str(self.root), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}

    def coop(self, *arguments: str, given: str | None = None, env: Mapping[str, str] | None = None) -> Ran:
        """`coop ARGUMENTS`, to its end, within this process: only the loading of Python is spared."""
        before, after = split(list(arguments))
        around = {**dict.fromkeys(OUTSIDE), **self.env, **(env or {})}
        done = CliRunner().invoke(
            command, before, input=given, env=around, obj=Invocation(after, nested=False), prog_name="coop"
        )
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Ran(done.exit_code, done.stdout, done.stderr)

    def on_terminal(self, *arguments: str, cols: int = 100, **env: str) -> AbstractContextManager[OnPty]:
        """`coop ARGUMENTS` on a terminal of its own."""
        command = [sys.executable, "-m", "coop.cli.main", *arguments]
        around = {**self.env, "TERM": "xterm-256color", **env}
        return on_pty(command, cwd=self.root, env=around, size=Size(cols, 30), answers={})

    @contextmanager
    def session(self, name: str, *options: str, command: Sequence[str] = AGENT, **env: str) -> Generator[Wire]:
        """A session that this desk sees; without a command it is the small pretend agent."""
        own = ("--agent-config", CONFIG) if command is AGENT else ()
        with running_coop("--name", name, *own, *options, command=command, env={**self.env, **env}, cwd=self.root) as coop:
            yield Wire(coop, "tcp", env.get("COOP_AUTH_TOKEN"))

    @contextmanager
    def claude(self, name: str, scenario: Path) -> Generator[CoopProcess]:
        """The pretend Claude Code, with hooks, permissions and questions."""
        shim = write_shim(self.root / "bin", "claude", sim_version=LATEST.number, scenario=scenario)
        place = seeded_home(self.root)
        env, command = {**self.env, **place.environment("http://127.0.0.1:9")}, (str(shim), "--permission-mode", "default")
        options = ("--name", name, "--agent", "claude")
        with running_coop(*options, command=command, env=env, cwd=place.workspace) as coop:
            yield coop
