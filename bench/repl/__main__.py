"""`python -m bench.repl`: 200 commands in a bash and in a `python -i` under patterns, and the page docs/evidence/repl.md."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.code import made_at
from bench.home import ROOT
from bench.repl.commands import COUNT, KINDS, commands
from bench.repl.page import write
from bench.repl.session import perform, started

PAGE = ROOT / "docs" / "evidence" / "repl.md"


def conduct(name: str, count: int) -> list[dict[str, Any]]:
    """One session for all of its commands; a receipt is false when its line was not run, which would leave a command without an end."""
    found: list[dict[str, Any]] = []
    with started(name) as repl:
        for number, command in enumerate(commands(name, count), 1):
            item = perform(repl, command)
            found.append(item)
            if item["wrong"] or item["false_idles"] or item["false_receipts"]:
                print(f"  {name} {number}: {item}", file=sys.stderr, flush=True)
    return found


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.repl", description="States of a shell and a REPL, by patterns.")
    parser.add_argument("--count", type=int, default=COUNT, help="commands of each; fewer than 200 are not evidence")
    parser.add_argument("--out", type=Path, help="the page (docs/evidence/repl.md; none with another count)")
    given = parser.parse_args(argv)
    found = {name: conduct(name, given.count) for name in KINDS}
    page = write(found, command=" ".join(["python -m bench.repl", *argv]), at=made_at())
    out = given.out or (PAGE if given.count >= COUNT else None)
    if out is not None:
        out.write_text(page)
    print(page if out is None else f"see {out}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
