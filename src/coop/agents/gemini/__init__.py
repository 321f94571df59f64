"""Gemini CLI: the only place that knows it."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from coop.agents import Agent
from coop.agents.gemini.answer import Typist, effect_of
from coop.agents.gemini.attach import attach
from coop.agents.gemini.hooks import block_stop, read_hook
from coop.agents.gemini.log import LogReader
from coop.agents.gemini.nudge import is_same, type_nudge
from coop.agents.gemini.prepare import NAMES, hooks_here, prepare
from coop.agents.gemini.redrawn import is_redrawn
from coop.agents.gemini.report import read_report
from coop.agents.gemini.screen import words
from coop.agents.gemini.stdout import StdoutReader

TESTED = ("0.61.0",)


def gemini(dialogs: Mapping[str, object] | None = None, *, source: str = "dialogs.toml") -> Agent:
    """With its own dialogs, or with those of a file that is newer than this release. Raises `ConfigError`."""
    tables = {**_own_dialogs(), **(dialogs or {})}
    known = words(tables, source=source)
    return Agent(
        name="gemini",
        commands=NAMES,
        prepare=prepare,
        hooks_here=hooks_here,
        attach=attach,
        read_hook=read_hook,
        read_log=LogReader().read,
        read_stdout=StdoutReader().read,
        read_report=read_report,
        read_screen=known.read,
        type_nudge=type_nudge,
        type_answer=Typist(known, TESTED).type_answer,
        is_redrawn=is_redrawn,
        effect_of=effect_of,
        is_same=is_same,
        queues_as_one=True,
        block_stop=block_stop,
        tested=TESTED,
        dialogs=tables,
    )


def _own_dialogs() -> Mapping[str, object]:
    return tomllib.loads(files(__name__).joinpath("dialogs.toml").read_text())
