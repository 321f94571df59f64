"""What an edit changes, as rows and as text."""

from collections.abc import Iterator
from difflib import SequenceMatcher, unified_diff

_AROUND = 3


def rows(before: str, after: str) -> list[str]:
    """Numbered; a new file has no marks."""
    if not before:
        lines = after.splitlines()
        return [f"{n:>{len(str(len(lines)))}} {line}" for n, line in enumerate(lines, 1)]
    old, new = before.splitlines(), after.splitlines()
    marked = list(_marked(old, new))
    size = max((len(str(number)) for number, _, _ in marked), default=1)
    return [f"{number:>{size}} {mark} {line}".rstrip() for number, mark, line in marked]


def _marked(old: list[str], new: list[str]) -> Iterator[tuple[int, str, str]]:
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(_AROUND):
        for kind, begin, end, new_begin, new_end in group:
            if kind == "equal":
                yield from ((n + 1, " ", new[n]) for n in range(new_begin, new_end))
            else:
                yield from ((n + 1, "-", old[n]) for n in range(begin, end))
                yield from ((n + 1, "+", new[n]) for n in range(new_begin, new_end))


def counted(before: str, after: str) -> str:
    """`+3, -2`."""
    lines = [line[:1] for line in unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)][2:]
    return f"+{lines.count('+')}, -{lines.count('-')}"


def unified(name: str, before: str, after: str, *, was: str, becomes: str) -> str:
    head = f"Index: {name}\n{'=' * 67}\n"
    lines = unified_diff(before.splitlines(), after.splitlines(), f"{name}\t{was}", f"{name}\t{becomes}", lineterm="", n=3)
    return head + "\n".join(lines) + "\n"
