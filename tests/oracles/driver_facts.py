"""What a driver of Claude Code depends on, read from a screen and from the bytes."""

import base64
import re
from dataclasses import dataclass

from coop.model.screen import ScreenSnapshot

MODES = frozenset({"?1000", "?1002", "?1003", "?1004", "?1006", "?2004", "?2031"})
IDLE_GLYPHS, WORKING_GLYPHS = "✳", "⠂⠐◐◑"
_SPINNER = re.compile(r"^([·✢*✶✻✽]) (.*)$")
_REPORT = re.compile(rb"\x1b\]7501;([^\x07\x1b]*)\x07")
_QUERY = re.compile(rb"\x1b\[>0q|\x1b\[\?u|\x1b\]7501;\?\x07|\x1b\[c")


@dataclass(frozen=True, slots=True)
class Option:
    is_highlighted: bool
    number: str
    label: str


@dataclass(frozen=True, slots=True)
class Facts:
    options: tuple[Option, ...]
    question: str
    footer: str
    composer: str | None
    title: tuple[str, str]
    modes: frozenset[str]
    alt_screen: bool
    is_answering: bool
    was_interrupted: bool


def facts(shown: ScreenSnapshot, modes: frozenset[str], places: dict[str, str]) -> Facts:
    """`places` are the paths that differ from run to run, and what stands for them."""
    rows = [_placed(row, places).rstrip(" ") for row in shown.lines]
    options, question = _dialog(rows)
    composer = next((row for row in reversed(rows) if row.startswith("❯\u00a0")), None)
    footer = _footer(rows, composer)
    return Facts(
        options,
        question,
        footer,
        composer,
        _title(shown.title),
        modes & MODES,
        shown.alt_screen,
        "esc to interrupt" in footer and any(row.startswith("● ") for row in rows),
        any("⎿ \u00a0Interrupted" in row for row in rows),
    )


def _placed(row: str, places: dict[str, str]) -> str:
    for path, name in places.items():
        row = row.replace(path, name)
    return re.sub(r"plans/\S+\.md", "plans/PLAN.md", row)


def _dialog(rows: list[str]) -> tuple[tuple[Option, ...], str]:
    """The options around the highlighted one, and the line above them."""
    marked = [n for n, row in enumerate(rows) if re.match(r"^( *)❯ \d+\. |^ +❯ [^/]", row)]
    if not marked:
        return (), ""
    column = rows[marked[-1]].index("❯")
    numbered = re.match(r"^ *❯ \d", rows[marked[-1]]) is not None
    pattern = re.compile(rf"^ {{{column}}}([❯ ]) " + (r"(\d+)\. (.*)" if numbered else r"()(\S.*)"))
    found = [n for n, row in enumerate(rows) if pattern.match(row)]
    found = found if numbered else [n for n in found if abs(n - marked[-1]) <= 1]
    question = next((row.strip() for row in reversed(rows[: found[0]]) if row), "")
    return tuple(_option(rows, n, pattern) for n in found), question


def _option(rows: list[str], n: int, pattern: "re.Pattern[str]") -> Option:
    match = pattern.match(rows[n])
    assert match is not None
    label, start = match[3], match.start(3)
    for row in rows[n + 1 :]:
        if not row.startswith(" " * start) or pattern.match(row):
            break
        label += " " + row.strip()
    return Option(match[1] == "❯", match[2], label)


def _footer(rows: list[str], composer: str | None) -> str:
    """The last line; not while commands are being completed, whose list is Claude's own."""
    if composer is not None and composer.startswith("❯\u00a0/"):
        return ""
    last = next((row for row in reversed(rows) if row), "")
    return re.sub(r" {2,}", "  ", last.replace(" · ← for agents", "")).strip()


def _title(title: str) -> tuple[str, str]:
    glyph, _, name = title.partition(" ")
    if glyph in IDLE_GLYPHS and glyph:
        return "idle", name
    return ("working", name) if glyph in WORKING_GLYPHS and glyph else ("none", title)


def spinner_shapes(rows: tuple[str, ...]) -> set[str]:
    """The lines of the spinner without what changes in them."""
    return {_shape(match[2]) for row in rows if (match := _SPINNER.match(row)) is not None}


def _shape(text: str) -> str:
    text = re.sub(r"\d+:\d\d [AP]M", "TIME", text.rstrip())
    text = re.sub(r"\d+", "N", text).replace("↑", "↓")
    return re.sub(r"^[\w-]+", "VERB", text)


def reports(output: bytes, places: dict[str, str]) -> list[dict[str, str]]:
    """The states told by OSC 7501, without repetitions."""
    told: list[dict[str, str]] = []
    for raw in _REPORT.findall(output):
        fields = dict(part.partition("=")[::2] for part in raw.decode().split(":") if "=" in part)
        if "msg" in fields:
            fields["msg"] = _placed(base64.b64decode(fields["msg"]).decode(), places)
        if fields and fields != (told[-1] if told else None):
            told.append(fields)
    return told


def queries(output: bytes) -> list[bytes]:
    """What the terminal was asked."""
    return _QUERY.findall(output)
