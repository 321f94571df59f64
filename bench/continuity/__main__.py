"""`python -m bench.continuity [--cuts N]`: the campaign, and its page at full count."""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from platform import python_version

from bench.agents.page import Bar, bars
from bench.code import made_at
from bench.continuity.campaign import HEAD, Run, conduct
from bench.home import ROOT
from bench.report import table

PAGE = ROOT / "docs" / "evidence" / "continuity.md"
CUTS, RESTARTS, SEED = 100, 4, 1
ABOUT = """A session whose events (resizes and states, one after the other) are read with `session.events()` through a proxy that
cuts the connection: before the reply, in its head, anywhere in its events, by a reset or by hanging up; now and then the
session is ended while nobody can reach it, and another is started in its place. What was published is what a second reader
gets without the SDK, straight from the socket. Every event must have been read once, in order, and be the same when it is
encoded again; a new epoch must begin with `Restarted` and a `Snapshot`; and nobody may be told of a gap, for there is none."""


def write(run: Run, *, command: str, cuts: int, restarts: int) -> str:
    verdicts = run.verdicts()
    made = f"Made by `{command}` at {made_at()}: Python {python_version()}, httpx {version('httpx')}, uvicorn {version('uvicorn')}."
    met = bars(
        Bar("connections cut", len(run.cuts), least=cuts),
        Bar("restarts", len(verdicts) - 1, least=restarts),
        *(Bar(name, sum(len(getattr(each, name.replace(" ", "_"))) for each in verdicts), 0) for name in _FAULTS),
    )
    lines = [[f"{at}", f"{each.published}", f"{each.in_snapshot}", f"{each.read}"] for at, each in enumerate(verdicts, 1)]
    early = sum(cut.after <= HEAD for cut in run.cuts)
    places = f"Of the cuts {early} came before the first event of the reply, {len(run.cuts) - early} in or between its events."
    epochs = table(["epoch", "published", "in its snapshot", "read"], lines)
    return f"# Continuity of the event stream\n\n{made}\n\n{ABOUT}\n\n{met}\n\n{places}\n\n{epochs}\n"


_FAULTS = ("lost", "repeated", "out of order", "differing", "untold")


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.continuity", description="Cut connections.")
    parser.add_argument("--cuts", type=int, default=CUTS)
    parser.add_argument("--restarts", type=int, default=RESTARTS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, help=f"the page ({PAGE.relative_to(ROOT)}, with at least {CUTS} cuts)")
    given = parser.parse_args(argv)
    run = conduct(cuts=given.cuts, restarts=given.restarts, seed=given.seed)
    command = " ".join(["python -m bench.continuity", *argv])
    page = write(run, command=command, cuts=given.cuts, restarts=given.restarts)
    out = given.out or (PAGE if given.cuts >= CUTS else None)
    out.write_text(page) if out else print(page)
    print(f"{len(run.cuts)} cuts, {len(run.items)} items, {run.seconds:.0f} s", file=sys.stderr)
    return 0 if all(each.is_whole for each in run.verdicts()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
