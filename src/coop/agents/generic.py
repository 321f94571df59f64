"""An agent described by screen patterns: `--agent unknown --agent-config FILE`."""

import math
import re
from dataclasses import replace
from typing import cast

from coop.agents import UNKNOWN, Agent, ReadReport
from coop.agents.hints import read_marks, read_progress, read_status
from coop.agents.patterns import Patterns, ScreenPatterns, first
from coop.agents.templates import AnswerTemplates, MessageTemplate, effect_of
from coop.errors import ConfigError
from coop.model.readings import Readings, Says
from coop.model.state import Idle, Working

KEYS = {
    "prompt": "the agent waits for input when one of these matches the last line that is not blank",
    "cursor": "true: a prompt counts only on the line where the cursor stands, as in shells (default: false)",
    "working": "the agent works when one of these matches a line; without any, it works whenever no prompt is shown",
    "error": "the agent has failed when one of these matches a line and it is at its prompt again; the first group, if any, says why",
    "detail": "what one of these matches, the last that does, says why it failed",
    "question": "the agent asks when one of these matches a line; the last such line is what it asks",
    "option": "what one of these matches is an option of the question; its label is the group label, else the first group; the group key is what chooses it, else its number",
    "quiet": "seconds without output before a prompt counts as waiting (default: --idle-grace)",
}
"""The keys of the table [screen] and what they mean."""
REPORT_KEYS = {
    "app": "the name by which it reports its status (OSC 7501)",
    "marks": "true: it marks its prompts and commands (OSC 133)",
    "progress": "true: its progress (OSC 9;4) is work",
    "busy": "it works when its title matches one of these",
    "resting": "it rests when its title matches one of these",
}
NUDGE_KEYS = {
    "submit": "what is typed behind a message to send it (default: Enter)",
    "pause": "seconds between the message and that (default: 0.1)",
    "clear": "what is typed to erase a draft; without it, a draft refuses a message",
    "interrupt": "what is typed to stop it when a message is to interrupt; without it, none may",
}
RESPOND_KEYS = {
    "option": "what is typed to choose an option; {} is its key",
    "text": "what is typed to answer in words; {} is the text",
    "accept": "what is typed to say yes",
    "deny": "what is typed to say no",
}
_TABLES = {"screen": KEYS, "report": REPORT_KEYS, "nudge": NUDGE_KEYS, "respond": RESPOND_KEYS}


def configured(tables: dict[str, object], *, source: str) -> Agent:
    """The agent a configuration file describes. Raises `ConfigError` naming the key that is wrong."""
    unknown = sorted(set(tables) - set(_TABLES))
    if unknown:
        expected = ", ".join(f"[{name}]" for name in _TABLES)
        raise ConfigError(f"{source}: unknown table or key {unknown[0]!r}; expected {expected}")
    agent = replace(UNKNOWN, dialogs=tables)
    if "report" in tables:
        agent = replace(agent, read_report=_reporter(_table(tables, "report", source), source))
    if set(tables) == {"report"}:  # all there is to go by: nobody types because of it
        return agent
    screen = _table(tables, "screen", source)
    patterns = _screen_patterns(screen, source)
    agent = replace(agent, read_screen=patterns.read, quiet=_seconds(screen.get("quiet"), source, "quiet"))
    if "nudge" in tables:
        agent = replace(agent, type_nudge=_message(patterns, _table(tables, "nudge", source), source).type_nudge)
    if "respond" in tables:
        answers = _answers(patterns, _table(tables, "respond", source), source)
        agent = replace(agent, type_answer=answers.type_answer, effect_of=effect_of)
    return agent


def _table(tables: dict[str, object], name: str, source: str) -> dict[str, object]:
    table, keys = tables.get(name), _TABLES[name]
    if not isinstance(table, dict):
        raise ConfigError(f"{source}: expected a table [{name}] with {', '.join(keys)}")
    found = cast("dict[str, object]", table)
    for key in found:
        if key not in keys:
            raise ConfigError(f"{source}: [{name}] has no key {key!r}; expected {', '.join(keys)}")
    return found


def _message(patterns: ScreenPatterns, table: dict[str, object], source: str) -> MessageTemplate:
    submit, pause = _text(table, "submit", source), _seconds(table.get("pause", 0.1), source, "pause")
    clear, interrupt = _text(table, "clear", source), _text(table, "interrupt", source)
    return MessageTemplate(patterns, submit or "\r", pause or 0.0, clear, interrupt)


def _answers(patterns: ScreenPatterns, table: dict[str, object], source: str) -> AnswerTemplates:
    return AnswerTemplates(patterns, {key: _text(table, key, source) for key in RESPOND_KEYS})


def _reporter(table: dict[str, object], source: str) -> ReadReport:
    """Only what the file names counts: any program's output can forge a report."""
    app = _text(table, "app", source)
    marks, progress = _switch(table, "marks", source), _switch(table, "progress", source)
    busy, resting = (_patterns(table.get(key, []), key, source) for key in ("busy", "resting"))

    def read(command: str) -> Readings:
        number, _, title = command.partition(";")
        if number in ("0", "2"):
            claim = Working() if first(busy, (title,)) else Idle() if first(resting, (title,)) else None
            return (Says(claim),) if claim is not None else ()
        return (
            (app and read_status(command, app))
            or (marks and read_marks(command))
            or (progress and read_progress(command))
            or ()
        )

    return read


def _switch(table: dict[str, object], key: str, source: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise ConfigError(f"{source}: {key}: expected true or false, got {value!r}")
    return value


def _text(table: dict[str, object], key: str, source: str) -> str | None:
    value = table.get(key)
    if value is not None and not isinstance(value, str):
        raise ConfigError(f"{source}: {key}: expected a string, got {value!r}")
    return value


def _screen_patterns(screen: dict[str, object], source: str) -> ScreenPatterns:
    found = {key: _patterns(screen.get(key, []), key, source) for key in KEYS if key not in ("quiet", "cursor")}
    patterns = ScreenPatterns(**found, at_cursor=_switch(screen, "cursor", source))
    if not any((patterns.prompt, patterns.working, patterns.error, patterns.question)):
        raise ConfigError(f"{source}: [screen] has no pattern; give at least 'prompt'")
    if patterns.at_cursor and not patterns.prompt:
        raise ConfigError(f"{source}: cursor: there is no 'prompt' to look for where the cursor stands")
    return patterns


def _patterns(value: object, key: str, source: str) -> Patterns:
    given = cast("list[object]", value) if isinstance(value, list) else [value]
    texts = [text for text in given if isinstance(text, str)]
    if len(texts) != len(given):
        raise ConfigError(f"{source}: {key}: expected a regular expression or a list of them, got {value!r}")
    try:
        return tuple(re.compile(text) for text in texts)
    except re.error as error:
        raise ConfigError(f"{source}: {key}: {error.pattern!r} is not a regular expression: {error}") from None


def _seconds(value: object, source: str, key: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ConfigError(f"{source}: {key}: expected seconds, 0 or more, got {value!r}")
    return float(value)
