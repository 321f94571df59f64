"""What Codex asks, as its hooks and its log tell it."""

import re
from collections.abc import Iterator
from typing import cast

from coop.agents.records import Record
from coop.model.ids import PromptId
from coop.model.prompt import Choice, Permission, Query, Question

UNNUMBERED = PromptId("")
"""The session gives the id."""
PATCH = "apply_patch"
SHELL = "Bash"
_CHANGED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)


def permission_of(tool: str, given: Record) -> Permission:
    """A patch is told with the first file it changes: that is what its dialog shows."""
    patch = given.get("command")
    if tool == PATCH and isinstance(patch, str):
        return patch_of(patch)
    return Permission(UNNUMBERED, tool, given)


def patch_of(patch: str) -> Permission:
    first = _CHANGED.search(patch)
    return Permission(UNNUMBERED, PATCH, {**({"file_path": first[1].strip()} if first else {}), "patch": patch})


def question_of(given: Record) -> Question:
    queries = tuple(_queries(given.get("questions")))
    first = queries[0] if queries else Query("")
    return Question(UNNUMBERED, first.text, tuple(choice.label for choice in first.choices), queries=queries)


def _queries(questions: object) -> Iterator[Query]:
    for each in cast("list[object]", questions) if isinstance(questions, list) else ():
        match each:
            case {"question": str(text)}:
                record = cast("Record", each)
                yield Query(text, tuple(_choices(record.get("options"))), str(record.get("header") or ""))
            case _:
                pass


def _choices(options: object) -> Iterator[Choice]:
    for each in cast("list[object]", options) if isinstance(options, list) else ():
        match each:
            case {"label": str(label)}:
                yield Choice(label, str(cast("Record", each).get("description") or ""))
            case _:
                pass
