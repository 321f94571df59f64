"""Patches as the model writes them: which files they change, how, and what is left on disk."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from coop_sim.shapes import Table

_VERBS = {"*** Add File: ": "add", "*** Update File: ": "update", "*** Delete File: ": "delete"}
_SAID = {"add": "Added", "update": "Edited", "delete": "Deleted"}
_LETTERS = {"add": "A", "update": "M", "delete": "D"}


class BadPatch(ValueError):
    """It does not fit what is there."""


@dataclass(frozen=True, slots=True)
class Change:
    kind: str
    path: str
    lines: tuple[str, ...]

    @property
    def letter(self) -> str:
        return _LETTERS[self.kind]

    def heading(self) -> str:
        more, less = (sum(line.startswith(sign) for line in self.lines) for sign in "+-")
        return f"{_SAID[self.kind]} {self.path} (+{more} -{less})"

    def numbered(self, cwd: Path) -> list[str]:
        """Its lines, each with its number in the file before or after."""
        old = new = 1 + _place(cwd / self.path, self.lines)
        found: list[str] = []
        for line in self.lines:
            found.append(f"{new if line[0] == '+' else old} {line}")
            old, new = old + (line[0] != "+"), new + (line[0] != "-")
        return found

    def apply(self, cwd: Path) -> None:
        """Raises `BadPatch`."""
        path = cwd / self.path
        match self.kind:
            case "add":
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("".join(f"{line[1:]}\n" for line in self.lines))
            case "delete":
                path.unlink(missing_ok=True)
            case _:
                path.write_text(_updated(path, self.lines))

    def told(self) -> Table:
        if self.kind == "add":
            return {"type": "add", "content": "".join(f"{line[1:]}\n" for line in self.lines)}
        return {"type": self.kind, "unified_diff": "\n".join(self.lines)}


def changes_in(patch: str) -> list[Change]:
    return list(_changes(patch.splitlines()))


def _changes(lines: Sequence[str]) -> Iterator[Change]:
    kind, path, body = "", "", list[str]()
    for line in lines:
        verb = next((verb for verb in _VERBS if line.startswith(verb)), None)
        if kind and (verb is not None or line.startswith("*** End Patch")):
            yield Change(kind, path, tuple(body))
            kind = ""
        if verb is not None:
            kind, path, body = _VERBS[verb], line.removeprefix(verb).strip(), []
        elif kind and line[:1] in ("+", "-", " "):
            body.append(line)


def _place(path: Path, lines: Sequence[str]) -> int:
    """How many lines of the file are above what is changed."""
    before = "\n".join(line[1:] for line in lines if line[0] in "- ")
    try:
        return path.read_text().partition(before)[0].count("\n") if before else 0
    except OSError:
        return 0


def _updated(path: Path, lines: Sequence[str]) -> str:
    before = "\n".join(line[1:] for line in lines if line[:1] in "- ")
    after = "\n".join(line[1:] for line in lines if line[:1] in "+ ")
    try:
        text = path.read_text()
    except OSError as problem:
        raise BadPatch(f"Failed to read file to update {path}: {problem}") from problem
    if before not in text:
        raise BadPatch(f"Failed to find expected lines in {path}")
    return text.replace(before, after, 1)
