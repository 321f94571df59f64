"""Codex as a value."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.agents.messages import NAMES
from bench.agents.subject import Place, Setting, Subject, installed
from bench.codex.api import Model
from bench.codex.look import look
from coop.testing.codex import seeded_home

VERSION = "0.166.0"
ASKS_ANYTIME = ("--enable", "default_mode_request_user_input")
READ_ONLY = ("-s", "read-only")
"""What makes a patch ask."""
NO_DAEMON = ("--no-daemon",)
"""Or something of Codex would outlive the session."""
_SEEDS: Mapping[str, Mapping[str, Any]] = {
    "untrusted": {"trusted": False},
    "a new model": {"migrated": False},
    "retries": {"retries": 5},
}
_OPTIONS: Mapping[str, Sequence[str]] = {"held": ("--answer-by", "hook")}


def setting(version: str, where: str) -> Setting:
    program = installed() / f"codex-{version}/vendor/x86_64-unknown-linux-musl/bin/codex"
    sandbox = READ_ONLY if where in ("read-only", "held") else ()

    def place(root: Path, url: str) -> Place:
        made = seeded_home(root, url, **_SEEDS.get(where, {}))
        return Place(made.home, made.workspace, made.environment())

    return Setting(version, (str(program), *sandbox, *ASKS_ANYTIME), place, _OPTIONS.get(where, ()), NO_DAEMON)


def is_same(sent: str, received: str) -> bool:
    """Nothing may differ but what is documented: trimmed, and a guarding backslash before a `!`."""
    wanted = sent.strip()
    return received == wanted or (wanted.startswith("!") and received == "\\" + wanted)


def is_idle(place: Place, shown: str) -> bool:
    """The line below the input names the model once everything is loaded."""
    return "gpt-5.5default·" in shown.casefold()


CODEX = Subject(
    name="codex",
    title="Codex",
    versions=(VERSION,),
    model=Model,
    setting=setting,
    look=look,
    shapes=NAMES,
    is_same=is_same,
    is_idle=is_idle,
)
