"""`python -m bench`: measures what is not measured yet and writes the report.

Rounds are kept in .cache/bench; a run that was broken off goes on where it stopped, `--fresh` starts anew.
"""

import argparse
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.chart import draw_chart
from bench.code import made_at
from bench.home import CACHE, ROOT
from bench.plan import Plan, full_plan, quick_plan
from bench.report import write_report
from bench.results import Results
from bench.sections.catalogue import SECTIONS
from bench.versions import versions


@dataclass(frozen=True, slots=True)
class Options:
    sections: Sequence[str]
    rounds: int
    quick: bool
    fresh: bool
    out: Path


def read_options(argv: Sequence[str]) -> Options:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Coop and its peers, side by side.")
    parser.add_argument("--section", action="append", choices=list(SECTIONS), help="only this one; may be repeated")
    parser.add_argument("--rounds", type=int, help="how many rounds there shall be (5; 2 with --quick)")
    parser.add_argument("--quick", action="store_true", help="a small run to see that all works; not evidence")
    parser.add_argument("--fresh", action="store_true", help="forget the rounds measured before")
    parser.add_argument("--out", type=Path, help="the report's folder (docs/evidence; .cache/bench/quick with --quick)")
    given = parser.parse_args(argv)
    return Options(
        sections=given.section or list(SECTIONS),
        rounds=given.rounds or (2 if given.quick else 5),
        quick=given.quick,
        fresh=given.fresh,
        out=given.out or (CACHE / "quick" if given.quick else ROOT / "docs" / "evidence"),
    )


def results_of(plan_name: str) -> Mapping[str, Results]:
    return {name: Results(CACHE / plan_name / f"{name}.json") for name in SECTIONS}


def measure(name: str, plan: Plan, results: Results, *, rounds: int) -> None:
    section = SECTIONS[name]
    for number in range(len(results.load()), rounds):
        print(f"{name}: round {number + 1} of {rounds}", file=sys.stderr, flush=True)
        results.add(section.measure(plan, number), at=made_at())


def publish(kept: Mapping[str, Results], *, out: Path, command: str) -> None:
    results = {name: each.rounds() for name, each in kept.items()}
    made = sorted({at for each in kept.values() for at in each.made_at()})
    out.mkdir(parents=True, exist_ok=True)
    (out / "bench.md").write_text(write_report(results, command=command, made=made, versions=versions()))
    (out / "bench.svg").write_text(draw_chart(results))


def main(argv: Sequence[str]) -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started is ended then too
    options = read_options(argv)
    with tempfile.TemporaryDirectory(prefix="bench-payloads-") as folder:
        plan = (quick_plan if options.quick else full_plan)(Path(folder))
        kept = results_of(plan.name)
        for name in options.sections:
            if options.fresh:
                kept[name].clear()
            measure(name, plan, kept[name], rounds=options.rounds)
            publish(kept, out=options.out, command=" ".join(["python -m bench", *argv]))


if __name__ == "__main__":
    main(sys.argv[1:])
