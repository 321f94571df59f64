"""What a driver of Codex depends on, read from a screen and from the bytes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from coop.model.screen import ScreenSnapshot

MODES = frozenset({"?1000", "?1002", "?1003", "?1004", "?1006", "?1007", "?2004"})
_REPORT = re.compile(rb"\x1b\]7501;([^\x07\x1b]*)\x1b\\")
_QUERY = re.compile(rb"\x1b\[\?u|\x1b\[c|\x1b\[6n|\x1b\]1[01];\?\x1b\\")
_SPINNER = re.compile(r"^[⠀-⣿] ")
_ASKS = re.compile(r"^\[ [.!] \] ")
_WORKING = re.compile(r"^[•◦] .*esc to interrupt")
_PICTURE = re.compile(r"[⠀-⣿]{3}")
"""The drawing behind an empty transcript says nothing."""
_WARNINGS = re.compile(r" +⚠ \d+ warnings? · f2 to view$")
"""Of the folder it was recorded in."""


@dataclass(frozen=True, slots=True)
class Facts:
    below: tuple[str, ...]
    """The composer with all that is under it, or the dialog in its place."""
    above: tuple[str, ...]
    """The transcript; empty where that is the model's own text in a layout of Codex's."""
    cursor: tuple[int, int] | None
    title: str
    modes: frozenset[str]
    alt_screen: bool
    is_answering: bool
    was_interrupted: bool


def facts(shown: ScreenSnapshot, modes: frozenset[str], places: Mapping[str, str], *, reads_transcript: bool) -> Facts:
    """`places` are the paths that differ from run to run, and what stands for them."""
    rows = [_normal(row, places) for row in shown.lines]
    while rows and not rows[-1]:
        rows.pop()
    top = _top(rows)
    return Facts(
        tuple(rows[top:]),
        tuple(rows[:top]) if reads_transcript else (),
        (shown.cursor.row, shown.cursor.col) if shown.cursor.visible else None,
        _title(shown.title, places),
        modes & MODES,
        shown.alt_screen,
        _SPINNER.match(shown.title) is not None and any(row.startswith("• word") for row in rows),
        any(row.startswith("■ Conversation interrupted") for row in rows),
    )


def _normal(row: str, places: Mapping[str, str]) -> str:
    row = _WARNINGS.sub("", row.rstrip(" "))
    if _PICTURE.search(row):
        return ""
    row = re.sub(r"Worked for \S+ • \d\d:\d\d", "Worked for TIME", _placed(row, places))
    return re.sub(r" {3,}Plan mode", "  Plan mode", row)


def _placed(text: str, places: Mapping[str, str]) -> str:
    for path, name in places.items():
        text = text.replace(path, name)
    return text


def _top(rows: list[str]) -> int:
    """Where the composer begins, or the dialog: below the last two blank rows that are one above the other."""
    starts = ("  Would you like", "  Question ", "  Implement this plan?", "  Folder access", "› ")
    found = [n for n, row in enumerate(rows) if row.startswith(starts) and not re.match(r"› \d+\. ", row)]
    return found[-1] if found else len(rows)


def _title(title: str, places: Mapping[str, str]) -> str:
    title = _ASKS.sub("[ ] ", _SPINNER.sub("* ", title))
    return " | ".join(places.get(part.removeprefix("* "), part) for part in title.split(" | ")) if title else ""


def working_shapes(rows: tuple[str, ...]) -> set[str]:
    """The lines that tell of work, without what changes in them."""
    return {re.sub(r"\d+", "N", row.rstrip())[2:] for row in rows if _WORKING.match(row)}


def reports(output: bytes) -> list[str]:
    """The states told by OSC 7501. At its start the real one may be busy for a moment with what it loads."""
    told: list[str] = []
    for raw in _REPORT.findall(output):
        if not told or told[-1] != raw.decode():
            told.append(raw.decode())
    states = [each.partition(":")[0].removeprefix("state=") for each in told]
    if states[:1] == ["working"]:
        return told[1:]
    return told[2:] if states[:4] == ["idle", "working", "idle", "working"] else told


def queries(output: bytes) -> list[bytes]:
    """What the terminal was asked."""
    return _QUERY.findall(output)
