"""Dialogs of Gemini CLI: a box at the bottom of the screen, where the input is otherwise."""

import re
from collections.abc import Sequence

from coop.agents.dialogs import Dialog, Option

_TOP = re.compile(r"^ ?╭─+╮$")
_BOTTOM = re.compile(r"^ ?╰─+╯$")
_SIDES = re.compile(r"^ ?│ ?(.*?) *│?$")
_INNER_EDGE = re.compile(r"^ *[╭╰]─+[╮╯]$")
_OPTION = re.compile(r"^(?P<lead> *(?P<mark>●)? *)(?:(?P<number>\d{1,2})\. +)(?P<box>\[[ x]\] +)?(?P<label>\S.*)$")
_DONE = re.compile(r"^(?P<lead> *(?P<mark>●)? +)(?P<label>Done)$")
"""The one option without a number: it ends a list where several can be ticked."""
_HINT = re.compile(r"^\(?(?:Press )?Enter to (?:select|submit)")
_SCROLLS = frozenset("▲▼")


def find_box(rows: Sequence[str]) -> Dialog | None:
    """The box that ends the screen; `None` when something else does."""
    rows = [row.rstrip() for row in rows]
    bottom = max((n for n, row in enumerate(rows) if row), default=-1)
    if bottom < 0 or not _BOTTOM.match(rows[bottom]):
        return None
    edge = rows[bottom].replace("╰", "╭").replace("╯", "╮")
    top = next((n for n in range(bottom - 1, -1, -1) if rows[n] == edge), -1)
    inside = [_inside(row) for row in rows[top + 1 : bottom]]
    return _dialog(inside, tuple(rows[max(top, 0) : bottom + 1]), is_whole=top >= 0)


def _inside(row: str) -> str:
    found = _SIDES.match(row)
    return found[1] if found else row


def _dialog(inside: Sequence[str], lines: tuple[str, ...], *, is_whole: bool) -> Dialog:
    options = _options(inside)
    first, last = (min(options), max(options)) if options else (len(inside), len(inside) - 1)
    hint = next((row.strip() for row in reversed(inside) if _HINT.match(row.strip())), "")
    above = [text for row in inside[:first] if (text := _text(row)) and text != hint]
    return Dialog(
        tuple(above[:-1]) or tuple(above),
        above[-1] if above else "",
        tuple(_option(inside, n, options, last) for n in options),
        hint,
        lines,
        is_whole,
    )


def _text(row: str) -> str:
    """What a row says, without the edges of a box within the box."""
    text = row.strip()
    if _INNER_EDGE.match(text) or text in _SCROLLS:
        return ""
    inner = _SIDES.match(text) if text.startswith("│") else None
    return inner[1].strip() if inner else text


def _options(inside: Sequence[str]) -> list[int]:
    """The rows of the last run of numbers; a part of a long list may be out of sight."""
    marked = next((n for n in range(len(inside) - 1, -1, -1) if _marked(inside[n])), None)
    if marked is None:
        return []
    numbers = {n: int(found["number"]) for n, row in enumerate(inside) if (found := _OPTION.match(row))}
    run = [marked]
    for n in sorted((n for n in numbers if n < marked), reverse=True):
        if numbers.get(run[0], numbers[n] + 1) == numbers[n] + 1:
            run.insert(0, n)
    for n in range(marked + 1, len(inside)):
        if (n in numbers and numbers[n] == numbers.get(run[-1], 0) + 1) or _DONE.match(inside[n]):
            run.append(n)
    return run


def _marked(row: str) -> bool:
    found = _OPTION.match(row) or _DONE.match(row)
    return found is not None and found["mark"] is not None


def _option(inside: Sequence[str], n: int, options: Sequence[int], last: int) -> Option:
    found = _OPTION.match(inside[n]) or _DONE.match(inside[n])
    assert found is not None
    parts = found.groupdict()
    box, number = parts.get("box"), parts.get("number")
    following = min((each for each in options if each > n), default=len(inside))
    more = [
        row.strip() for row in inside[n + 1 : following] if row.startswith(" " * 3) and row.strip() and not _HINT.match(row)
    ]
    return Option(
        parts["label"].strip(),
        int(number) if number else None,
        parts["mark"] is not None,
        box.strip() != "[ ]" if box else None,
        " ".join(more),
    )
