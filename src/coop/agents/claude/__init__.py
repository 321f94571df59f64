"""Claude Code: the only place that knows it."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from coop.agents import Agent
from coop.agents.claude import replies
from coop.agents.claude.answer import Typist
from coop.agents.claude.attach import attach
from coop.agents.claude.hooks import read_hook
from coop.agents.claude.log import read_log
from coop.agents.claude.nudge import is_same, type_nudge
from coop.agents.claude.prepare import NAMES, prepare
from coop.agents.claude.report import read_report
from coop.agents.claude.screen import words
from coop.agents.claude.status import read_status
from coop.agents.claude.stdout import read_stdout

TESTED = ("2.1.197", "2.1.325")


def claude(dialogs: Mapping[str, object] | None = None, *, source: str = "dialogs.toml") -> Agent:
    """With its own dialogs, or with those of a file that is newer than this release. Raises `ConfigError`."""
    tables = {**_own_dialogs(), **(dialogs or {})}
    known = words(tables, source=source)
    return Agent(
        name="claude",
        commands=NAMES,
        prepare=prepare,
        attach=attach,
        read_hook=read_hook,
        pipe_events=frozenset({"SessionStart"}),
        read_log=read_log,
        read_status=read_status,
        read_stdout=read_stdout,
        read_report=read_report,
        read_screen=known.read,
        type_nudge=type_nudge,
        type_answer=Typist(known, TESTED).type_answer,
        reply_to_hook=replies.reply_to_hook,
        effect_of=replies.effect_of,
        is_same=is_same,
        no_word=replies.NO_WORD,
        block_stop=replies.block_stop,
        tested=TESTED,
        dialogs=tables,
    )


def _own_dialogs() -> Mapping[str, object]:
    return tomllib.loads(files(__name__).joinpath("dialogs.toml").read_text())
