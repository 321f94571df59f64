"""Claude Code as a value."""

import json
import unicodedata
from contextlib import suppress
from pathlib import Path

from bench.agents.messages import EXITS, NAMES
from bench.agents.subject import Place, Setting, Subject, installed
from bench.claude.api import Model
from bench.claude.look import look
from bench.claude.plays_apart import OWN_HOOK
from coop.testing.claude import seeded_home

VERSIONS = ("2.1.197", "2.1.325")


def setting(version: str, where: str) -> Setting:
    """In the default mode, but where another is wanted."""
    mode = {"auto mode": (), "plan": ("--permission-mode", "plan")}.get(where, ("--permission-mode", "default"))
    own_hook = ("--settings", OWN_HOOK) if where == "own hook" else ()
    command = (str(installed() / f"claude-{version}/claude"), *mode, *own_hook)
    return Setting(version, command, _untrusted if where == "untrusted" else _trusted)


def _trusted(root: Path, url: str) -> Place:
    made = seeded_home(root)
    return Place(made.home, made.workspace, {**made.environment(url), "IS_SANDBOX": "1"})


def _untrusted(root: Path, url: str) -> Place:
    place = _trusted(root, url)
    file = place.home / ".claude.json"
    file.write_text(file.read_text().replace('"hasTrustDialogAccepted": true', '"hasTrustDialogAccepted": false'))
    return place


def is_same(sent: str, received: str) -> bool:
    """Nothing may differ but what is documented: NFC, four blanks for a tab, no blanks at the end, a guarding backslash."""
    wanted = unicodedata.normalize("NFC", sent.replace("\t", "    ")).rstrip()
    bare = wanted.lstrip()
    guarded = wanted.removesuffix(bare) + "\\" + bare
    is_command = bare[:1] in ("!", "/") or bare in EXITS
    return received.rstrip() == wanted or (is_command and received.rstrip() == guarded)


def is_idle(place: Place, shown: str) -> bool:
    """By what Claude itself says of its session."""
    for path in (place.home / ".claude" / "sessions").glob("*.json"):
        with suppress(OSError, ValueError):
            return bool(json.loads(path.read_text()).get("status") == "idle")
    return False


CLAUDE = Subject(
    name="claude",
    title="Claude Code",
    versions=VERSIONS,
    model=Model,
    setting=setting,
    look=look,
    shapes=NAMES,
    is_same=is_same,
    is_idle=is_idle,
)
