"""Gemini CLI as a value: without hooks, as most people have it, and with them in the user's own settings."""

import json
from pathlib import Path

from bench.agents.messages import NAMES
from bench.agents.subject import Place, Setting, Subject, installed
from bench.gemini.api import Model
from bench.gemini.look import look
from coop.agents.gemini.prepare import HOOKS, entry
from coop.testing.gemini import seeded_home

VERSION = "0.61.0"
HOOKED = f"{VERSION} with hooks"
_HOOKS = {event: [entry(event, f"${{COOP_HOOK:-true}} {event}")] for event in HOOKS}
"""What docs/gemini.md says to put there."""


def setting(version: str, where: str) -> Setting:
    command = ("node", str(installed() / f"gemini-{VERSION}/bundle/gemini.js"))

    def place(root: Path, url: str) -> Place:
        made = seeded_home(root, trusted=where != "untrusted")
        if version == HOOKED:
            made.settings.write_text(json.dumps({**json.loads(made.settings.read_text()), "hooks": _HOOKS}))
        return Place(made.home, made.workspace, made.environment(url))

    return Setting(version, command, place)


def is_same(sent: str, received: str) -> bool:
    """Nothing may differ but what is documented: trimmed, four blanks for a tab, a guarding backslash before `/` or `?`."""
    wanted = sent.strip().replace("\t", "    ")
    return received.strip() == wanted or (wanted[:1] in ("/", "?") and received.strip() == "\\" + wanted)


def is_idle(place: Place, shown: str) -> bool:
    """The input says what it is for."""
    return "Typeyourmessage" in shown


GEMINI = Subject(
    name="gemini",
    title="Gemini CLI",
    versions=(VERSION, HOOKED),
    model=Model,
    setting=setting,
    look=look,
    shapes=tuple(name for name in NAMES if name != "100,000 characters"),
    is_same=is_same,
    is_idle=is_idle,
    most_patience=20.0,
)
