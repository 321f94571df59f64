"""What every agent is tried with: records and screens that were recorded of it (`tests/captured/NAME`), and their words."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import cast

from coop.agents import UNKNOWN, Agent, installed_agents
from coop.agents.generic import configured
from coop.errors import ConfigError
from coop.model.prompt import Prompt
from coop.model.readings import Asks, ScreenReading
from coop.model.screen import Cursor, ScreenSnapshot, Size
from coop.model.state import Prompted
from coop.terminal.ghostty import GhosttyScreen
from tests.support.captured import CAPTURED, recordings

ROOT = Path(__file__).parents[3]
CONFIGS = {
    "by patterns: bash": ROOT / "examples/agent-configs/bash.toml",
    "by patterns: python": ROOT / "examples/agent-configs/python.toml",
    "by patterns: coop_sim": ROOT / "src/coop_sim/agent.toml",
}
RULE = "─" * 40
DRAWN = {
    "by patterns: bash": [("[exit 0] $",), ("[exit 1] $",), ("[exit 0] $ make", "at it"), ("[exit 0] $ a draft",)],
    "by patterns: python": [
        (">>>",),
        (">>> 1/0", "Traceback (most recent call last):", "ZeroDivisionError: no", ">>>"),
        (">>> f()", ""),
    ],
    "by patterns: coop_sim": [
        ("❯",),
        ("✶ Pondering…",),
        ("✘ no", "❯"),
        ("Which one?", "  1. This", "  2. That"),
        ("Which other?", "  1. These", "  2. Those", "  3. None"),
    ],
    "parrot": [
        ("parrot>",),
        ("parrot> hello", "squawk"),
        ("May I write said.txt? [y/n]",),
        ("May I write other.txt? [y/n]",),
        ("parrot> dra",),
    ],
}
"""Screens drawn by hand, for those of which there is no recording."""
Record = dict[str, object]


@cache
def agents() -> Mapping[str, Agent]:
    """Every one that is installed and can be loaded, and the generic one in several shapes."""
    found = {name: agent for name in installed_agents() if isinstance(agent := loaded(name), Agent)}
    described = {name: configured(tomllib.loads(path.read_text()), source=path.name) for name, path in CONFIGS.items()}
    return {**found, UNKNOWN.name: UNKNOWN, **described}


def loaded(name: str) -> Agent | str:
    """The agent, or why there is none."""
    try:
        return installed_agents()[name]()
    except ConfigError as error:
        return error.message


def that_have(*parts: str) -> list[str]:
    """The names of those that have all of these."""
    return [name for name, agent in agents().items() if all(getattr(agent, part) for part in parts)]


# Records


@cache
def records(name: str) -> tuple[tuple[str, Record], ...]:
    """Each with the event it was sent for; an event by the file's name is a guess, which a reader must survive."""
    return tuple(_records(CAPTURED / name))


def _records(folder: Path) -> Iterator[tuple[str, Record]]:
    for path in sorted([*folder.rglob("*.json"), *folder.rglob("*.jsonl")]):
        lines = path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]
        for line in filter(str.strip, lines):
            for record in _objects(json.loads(line)):
                yield str(record.get("hook_event_name", path.name.partition(".")[0])), record


def _objects(value: object) -> Iterator[Record]:
    """A record, or a file that holds several, by name or in a list."""
    if isinstance(value, list):
        for each in cast("list[object]", value):
            yield from _objects(each)
    elif isinstance(value, dict):
        table = cast("Record", value)
        inner = [each for each in table.values() if isinstance(each, dict)]
        if inner and len(inner) == len(table):
            for each in inner:
                yield from _objects(each)
        else:
            yield table


@cache
def words(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The keys and the short texts of its records."""
    keys, texts = (
        {"type", "message", "content", "event", "text", "timestamp"},
        {"user", "assistant", "2026-11-15T06:47:58.123Z"},
    )
    for _, record in records(name):
        _collect(record, keys, texts)
    return tuple(sorted(keys)), tuple(sorted(texts))


def _collect(value: object, keys: set[str], texts: set[str]) -> None:
    match value:
        case dict():
            table = cast("Record", value)
            keys.update(table)
            for each in table.values():
                _collect(each, keys, texts)
        case list():
            for each in cast("list[object]", value):
                _collect(each, keys, texts)
        case str() if len(value) < 40:
            texts.add(value)
        case _:
            pass


def asked(name: str) -> list[Prompt]:
    """What its recorded hooks ask."""
    read = agents()[name].read_hook
    assert read is not None
    readings = [reading for event, record in records(name) for reading in read(event, record)]
    return [reading.prompt for reading in readings if isinstance(reading, Asks)]


# Screens


@cache
def screens(name: str) -> tuple[ScreenSnapshot, ...]:
    """Different ones, recorded or drawn."""
    found: dict[tuple[str, ...], ScreenSnapshot] = {}
    for screen in (*_drawn(name), *_recorded(name)):
        found.setdefault(screen.lines, screen)
    return tuple(found.values())


def _drawn(name: str) -> Iterator[ScreenSnapshot]:
    for lines in DRAWN.get(name, []):
        rows = (*lines, *[""] * (10 - len(lines)))
        yield ScreenSnapshot(rows, Size(60, 10), Cursor(len(lines) - 1, len(lines[-1])), False, "", 1)


def _recorded(name: str) -> Iterator[ScreenSnapshot]:
    for recording in (each for each in recordings() if each.name.startswith(f"{name}/")):
        screen = GhosttyScreen(recording.size, agents()[name].identity)
        for step in recording.steps:
            if isinstance(step, Size):
                screen.resize(step)
            else:
                screen.feed(step)
                if not screen.in_synchronized_update:
                    yield screen.snapshot()


def read(name: str, screen: ScreenSnapshot) -> ScreenReading:
    reader = agents()[name].read_screen
    assert reader is not None
    return reader(screen)


def dialog(reading: ScreenReading) -> Prompt | None:
    claim = reading.says.claim if reading.says is not None else None
    return claim.prompt if isinstance(claim, Prompted) else None


@cache
def dialogs(name: str) -> tuple[tuple[ScreenSnapshot, Prompt], ...]:
    """The screens that show a dialog, each dialog once."""
    found: dict[object, tuple[ScreenSnapshot, Prompt]] = {}
    for screen in screens(name):
        prompt = dialog(read(name, screen))
        if prompt is not None:
            found.setdefault((prompt.options, prompt.screen_lines), (screen, prompt))
    return tuple(found.values())


@cache
def inputs(name: str) -> tuple[ScreenSnapshot, ...]:
    """A few screens that show its input, or none at all: where no dialog is."""
    others = [screen for screen in screens(name) if dialog(read(name, screen)) is None]
    return tuple(others[:: max(1, len(others) // 12)])
