"""Codex: the only place that knows it."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from coop.agents import Agent
from coop.agents.codex import replies
from coop.agents.codex.answer import Typist
from coop.agents.codex.attach import attach
from coop.agents.codex.hooks import read_hook
from coop.agents.codex.log import LogReader
from coop.agents.codex.nudge import is_same, type_nudge
from coop.agents.codex.prepare import NAMES, prepare
from coop.agents.codex.report import read_report
from coop.agents.codex.screen import words
from coop.agents.codex.stdout import read_stdout

TESTED = ("0.166.0",)


def codex(dialogs: Mapping[str, object] | None = None, *, source: str = "dialogs.toml") -> Agent:
    """With its own dialogs, or with those of a file that is newer than this release. Raises `ConfigError`."""
    tables = {**_own_dialogs(), **(dialogs or {})}
    known = words(tables, source=source)
    return Agent(
        name="codex",
        commands=NAMES,
        prepare=prepare,
        attach=attach,
        read_hook=read_hook,
        holds_hooks=False,
        read_log=LogReader().read,
        read_stdout=read_stdout,
        read_report=read_report,
        read_screen=known.read,
        type_nudge=type_nudge,
        type_answer=Typist(known, TESTED).type_answer,
        feedback_is_message=True,
        reply_to_hook=replies.reply_to_hook,
        effect_of=replies.effect_of,
        is_same=is_same,
        block_stop=replies.block_stop,
        tested=TESTED,
        dialogs=tables,
    )


def _own_dialogs() -> Mapping[str, object]:
    return tomllib.loads(files(__name__).joinpath("dialogs.toml").read_text())
