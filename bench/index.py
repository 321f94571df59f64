"""`python -m bench.index`: the page of all pages of evidence, with what each was measured on and every bar that was missed."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.home import ROOT
from bench.report import table

PAGES = ROOT / "docs" / "evidence"
INDEX = PAGES / "README.md"
_MADE = re.compile(r"\bsrc/coop: ([0-9a-f]+)")
_TOP = """# Evidence

Every figure that this project claims has a page here, written by the program that measured it. `make evidence` makes them all again.
*Code* is what was measured, by its content: it is this very code where `git rev-parse --short HEAD:src/coop` says the same, whatever
has happened to the history since."""


def page(folder: Path) -> str:
    """The index of the pages in a folder."""
    paths = [each for each in sorted(folder.glob("*.md")) if each.name != INDEX.name]
    rows = table(["page", "code", "bars met", "missed"], [_row(path.name, path.read_text()) for path in paths])
    missed = "\n".join(f"- [{path.name}]({path.name}): {row}" for path in paths for row in _missed(path.read_text()))
    return f"{_TOP}\n\n{rows}\n\n## Missed\n\n{missed or 'None.'}\n"


def _row(name: str, text: str) -> Sequence[str]:
    title = text.partition("\n")[0].removeprefix("# ")
    code = ", ".join(sorted(set(_MADE.findall(text)))) or "not noted"
    return f"[{title}]({name})", code, str(sum(cells[-1] == "met" for cells in _cells(text))), str(len([*_missed(text)]))


def _missed(text: str) -> Iterator[str]:
    for cells in _cells(text):
        if cells[-1] == "**missed**":
            yield f"{cells[0]}: {cells[1]} (bar {cells[-2]})"


def _cells(text: str) -> Iterator[Sequence[str]]:
    for line in text.splitlines():
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def main() -> None:
    INDEX.write_text(page(PAGES))


if __name__ == "__main__":
    main()
