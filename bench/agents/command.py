"""`python -m bench.AGENT [CAMPAIGN…]`: runs what was not run yet with this code, and writes the pages.

To be run under `python -m coop.testing.isolated`. What was found is kept in .cache/AGENT/CODE; `--fresh` starts anew.
"""

import argparse
import logging
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench.agents.kept import Item, Kept, progress
from bench.agents.subject import Subject
from bench.code import code, made_at
from bench.home import ROOT

PAGES = ROOT / "docs" / "evidence"


class Campaign(Protocol):
    """Says what is to be done, and does what of it is missing."""

    def keys(self, count: int) -> list[str]: ...
    def run(self, kept: Kept, wanted: Sequence[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Plan:
    parts: Sequence[tuple[Campaign, int]]
    """How many of each."""
    write: Callable[..., str]

    def conduct(self, kept: Kept, *, share: float = 1.0) -> list[Item]:
        """Runs what is missing, or of a share; returns all that was found."""
        found: list[Item] = []
        for campaign, count in self.parts:
            wanted = campaign.keys(max(1, round(share * count)))
            campaign.run(kept, wanted)
            found += [kept.items[key] for key in wanted]
        return found


def _leave(number: int, frame: object) -> None:
    """So that what was started is ended too."""
    sys.exit(128 + number)


def main(subject: Subject, plans: Mapping[str, Plan], argv: Sequence[str]) -> None:
    signal.signal(signal.SIGTERM, _leave)
    logging.getLogger("uvicorn.error").disabled = True  # it would tell of every stream that is broken off on purpose
    program = f"python -m bench.{subject.name}"
    parser = argparse.ArgumentParser(prog=program, description=f"Campaigns against the real {subject.title}.")
    parser.add_argument("campaign", nargs="*", choices=[[], *plans], help="all of them, when none is named")
    parser.add_argument("--fresh", action="store_true", help="forget what was found before")
    parser.add_argument("--share", type=float, default=1.0, help="only so much of each; not evidence")
    parser.add_argument("--out", type=Path, help="the folder of the pages (docs/evidence; the cache with --share)")
    given = parser.parse_args(argv)
    cache = ROOT / ".cache" / subject.name
    folder = cache / code() if given.share == 1 else cache / f"{code()}-{given.share:g}"
    out = given.out or (PAGES if given.share == 1 else folder)
    for name in given.campaign or plans:
        began, kept = time.monotonic(), Kept.load(folder, name, fresh=given.fresh)
        items = plans[name].conduct(kept, share=given.share)
        page = out / f"{subject.name}-{name}.md"
        page.write_text(plans[name].write(items, command=" ".join([program, *argv]), at=made_at()))
        progress(f"{name}: {len(items)} items, {time.monotonic() - began:.0f} s; see {page}")
