"""`python -m bench.claude [CAMPAIGN…]`: runs what was not run yet at this commit, and writes the pages.

To be run under `python -m coop.testing.isolated`. What was found is kept in .cache/claude; `--fresh` starts anew.
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

from bench.claude import answer, deliver, hooks, page_answers, page_delivery, page_hooks, page_states, rivals, states
from bench.claude.kept import Item, Kept, progress, tree
from bench.home import ROOT

CACHE = ROOT / ".cache" / "claude"
PAGES = ROOT / "docs" / "evidence"


class Campaign(Protocol):
    """A module that says what is to be done, and does what of it is missing."""

    def keys(self, count: int) -> list[str]: ...
    def run(self, kept: Kept, wanted: Sequence[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Plan:
    parts: Mapping[Campaign, int]
    """How many of each."""
    write: Callable[..., str]


PLANS: Mapping[str, Plan] = {
    "states": Plan({states: 400}, page_states.write),
    "delivery": Plan({deliver: 500, rivals: 100}, page_delivery.write),
    "answers": Plan({answer: 300}, page_answers.write),
    "hooks": Plan({hooks: 200}, page_hooks.write),
}


def conduct(name: str, kept: Kept, *, share: float = 1.0) -> list[Item]:
    """Runs what is missing of a campaign, or of its share; returns all that was found of it."""
    found: list[Item] = []
    for campaign, count in PLANS[name].parts.items():
        wanted = campaign.keys(max(1, round(share * count)))
        campaign.run(kept, wanted)
        found += [kept.items[key] for key in wanted]
    return found


def _leave(number: int, frame: object) -> None:
    """So that what was started is ended too."""
    sys.exit(128 + number)


def main(argv: Sequence[str]) -> None:
    signal.signal(signal.SIGTERM, _leave)
    logging.getLogger("uvicorn.error").disabled = True  # it would tell of every stream that is broken off on purpose
    parser = argparse.ArgumentParser(prog="python -m bench.claude", description="Campaigns against the real Claude Code.")
    parser.add_argument("campaign", nargs="*", choices=[[], *PLANS], help="all of them, when none is named")
    parser.add_argument("--fresh", action="store_true", help="forget what was found before")
    parser.add_argument("--share", type=float, default=1.0, help="only so much of each; not evidence")
    parser.add_argument("--out", type=Path, help="the folder of the pages (docs/evidence; the cache with --share)")
    given = parser.parse_args(argv)
    at, folder = tree(), CACHE / tree() if given.share == 1 else CACHE / f"{tree()}-{given.share:g}"
    out = given.out or (PAGES if given.share == 1 else folder)
    for name in given.campaign or PLANS:
        began, kept = time.monotonic(), Kept.load(folder, name, fresh=given.fresh)
        items = conduct(name, kept, share=given.share)
        command = " ".join(["python -m bench.claude", *argv])
        (out / f"claude-{name}.md").write_text(PLANS[name].write(items, command=command, tree=at))
        progress(f"{name}: {len(items)} items, {time.monotonic() - began:.0f} s; see {out}/claude-{name}.md")


if __name__ == "__main__":
    main(sys.argv[1:])
