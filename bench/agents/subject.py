"""The agent that is measured, as a value: all that differs between one and another."""

import functools
import subprocess
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.agents.model import Model
from bench.agents.terminal import COLS, ROWS, Look
from bench.home import ROOT

__all__ = ["COLS", "ROWS"]

IDLE, WORKING = "waiting_for_input", "working"


@dataclass(frozen=True, slots=True)
class Place:
    """A HOME and a workspace of its own, and the environment that goes with them."""

    home: Path
    workspace: Path
    env: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Setting:
    """How one session is started."""

    version: str
    command: Sequence[str]
    place: Callable[[Path, str], Place]
    """Made in this folder, for the model at this address."""
    options: Sequence[str] = ()
    """Of coop."""
    alone: Sequence[str] = ()
    """Arguments that coop gives the agent by itself, and nobody else does."""


@dataclass(frozen=True, slots=True)
class Subject:
    name: str
    """As coop is told it."""
    title: str
    versions: Sequence[str]
    """What is measured: releases, and how each is set up."""
    model: Callable[[], Model]
    setting: Callable[[str, str], Setting]
    """Of a version, for one kind of session; the empty one is the usual."""
    look: Look
    shapes: Sequence[str]
    """Of the messages that it can take."""
    is_same: Callable[[str, str], bool]
    """Was this received as it was sent, but for what is documented?"""
    is_idle: Callable[[Place, str], bool]
    """Without coop: by what its place says, or by what was drawn, without its blanks."""
    most_patience: float = 10.0
    """So long at most, in seconds, a message is on its way."""


@functools.cache
def installed() -> Path:
    """Where the pinned agents are; installs them when they are not there yet."""
    script = [ROOT / "scripts/install-live-agents", ROOT / "tests/live"]
    return Path(subprocess.run(script, capture_output=True, text=True, check=True).stdout.strip()) / "node_modules"


@contextmanager
def placed(setting: Setting, url: str) -> Generator[Place]:
    # A short path: the sockets in it must fit into 108 bytes.
    with tempfile.TemporaryDirectory(prefix="bench-", dir="/tmp", ignore_cleanup_errors=True) as name:
        yield setting.place(Path(name), url)
