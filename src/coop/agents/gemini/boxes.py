"""Dialogs of Gemini CLI: a box at the bottom of the screen, where the input is otherwise."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from coop.agents.dialogs import Dialog, Option

_TOP = re.compile(r"^ ?╭─+╮$")
_BOTTOM = re.compile(r"^ ?╰─+╯$")
_SIDES = re.compile(r"^ ?│ ?(.*?) *│?$")
_INNER_EDGE = re.compile(r"^ *[╭╰]─+[╮╯]$")
_OPTION = re.compile(r"^(?P<lead> *(?P<mark>●)? *)(?:(?P<number>\d{1,2})\. +)(?P<box>\[[ x]\] +)?(?P<label>\S.*)$")
_DONE = re.compile(r"^(?P<lead> *(?P<mark>●)? +)(?P<label>Done)$")
"""The one option without a number: it ends a list where several can be ticked."""
_HINT = re.compile(r"^\(?(?:Press )?Enter to (?:select|submit)")
HIDDEN = re.compile(r"^ *\.\.\. (?:(first|last) )?(\d+) (?:lines? )?hidden \(")
"""Stands where lines do not fit; in a small window without the end that they are at."""
_SCROLLS = frozenset("▲▼")


@dataclass(frozen=True, slots=True)
class Parts:
    """What stands above the options of a dialog."""

    above: tuple[str, ...]
    """Over the box within the box: with a dialog's top out of sight, the rest of a title that says the same."""
    within: tuple[str, ...]
    below: tuple[str, ...]
    is_boxed: bool
    """Else all of it is `within`."""
    begins: bool = True
    """The box within the box is seen from its top."""


def find_box(rows: Sequence[str]) -> Dialog | None:
    """The box that ends the screen; `None` when something else does."""
    rows = [row.rstrip() for row in rows]
    bottom = max((n for n, row in enumerate(rows) if row), default=-1)
    if bottom < 0 or not _BOTTOM.match(rows[bottom]):
        return None
    edge = rows[bottom].replace("╰", "╭").replace("╯", "╮")
    top = next((n for n in range(bottom - 1, -1, -1) if rows[n] == edge), -1)
    return _dialog(rows[top + 1 : bottom], tuple(rows[max(top, 0) : bottom + 1]), is_whole=top >= 0)


def parts_of(lines: Sequence[str]) -> Parts:
    """Those of a dialog as it was drawn."""
    inside = [_inside(row) for row in lines if not _TOP.match(row) and not _BOTTOM.match(row)]
    return _parts(inside[: min(_options(inside), default=len(inside))], len(lines[-1].strip()) - 4 if lines else 0)


def _parts(inside: Sequence[str], width: int) -> Parts:
    """The edges of a box within the box are as wide as that is; at first it may be drawn without the lower one."""
    edges = [n for n, row in enumerate(inside) if len(row) == width and _INNER_EDGE.match(row)]
    top = next((n for n in edges if inside[n].startswith("╭")), -1)
    bottom = next((n for n in reversed(edges) if inside[n].startswith("╰")), None)
    if not edges:
        return Parts((), tuple(inside), (), is_boxed=False)
    if bottom is None:
        bottom = next((n for n in range(top + 1, len(inside)) if not inside[n].startswith("│")), len(inside))
        below = inside[bottom:]
    else:
        below = inside[bottom + 1 :]
    within = tuple(_inside(row) for row in inside[top + 1 : bottom])
    return Parts(tuple(inside[: max(top, 0)]), within, tuple(below), is_boxed=True, begins=top >= 0)


def _inside(row: str) -> str:
    found = _SIDES.match(row)
    return found[1] if found else row


def _dialog(rows: Sequence[str], lines: tuple[str, ...], *, is_whole: bool) -> Dialog:
    """Of one whose top is out of sight nobody knows the title: what is first to be seen may quote anything."""
    inside = [_inside(row) for row in rows]
    options = _options(inside)
    first, last = (min(options), max(options)) if options else (len(inside), len(inside) - 1)
    hint = next((row.strip() for row in reversed(inside) if _HINT.match(row.strip())), "")
    above = [text for row in inside[:first] if (text := _text(row)) and text != hint]
    return Dialog(
        (tuple(above[:-1]) or tuple(above)) if is_whole else ("", *above[:-1]),
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
