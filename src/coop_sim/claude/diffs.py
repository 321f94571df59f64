"""Changes to a file as they are shown."""

import difflib
from pathlib import Path

_CONTEXT = 3


def diff_rows(path: Path, old: str, new: str) -> list[str]:
    """The change with its surroundings: number, sign, line."""
    try:
        before = path.read_text()
    except (OSError, UnicodeDecodeError):
        before = old
    return [f" {number} {sign}{line}".rstrip() for number, sign, line in changes(before, before.replace(old, new, 1))]


def changes(before: str, after: str) -> list[tuple[str, str, str]]:
    old, new = before.split("\n"), after.split("\n")
    found: list[tuple[int, str, str]] = []
    for group in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_grouped_opcodes(_CONTEXT):
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                found += [(j1 + n + 1, " ", line) for n, line in enumerate(old[i1:i2])]
            else:
                found += [(i1 + n + 1, "-", line) for n, line in enumerate(old[i1:i2])]
                found += [(j1 + n + 1, "+", line) for n, line in enumerate(new[j1:j2])]
    digits = max((len(str(number)) for number, _, _ in found), default=1)
    return [(f"{number:>{digits}}", sign, line) for number, sign, line in found]


def counted(before: str, after: str) -> tuple[int, int]:
    """Lines added and removed."""
    signs = [sign for _, sign, _ in changes(before, after)]
    return signs.count("+"), signs.count("-")


def numbered(content: str) -> list[str]:
    lines = content.rstrip("\n").split("\n")
    return [f"{number:>{len(str(len(lines))) + 1}} {line}".rstrip() for number, line in enumerate(lines, 1)]
