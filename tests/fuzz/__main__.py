"""`python -m tests.fuzz [COUNT]`: the whole campaign, so many of each kind, and its page."""

import platform
import sys
from importlib.metadata import version
from pathlib import Path

from bench.agents.page import Bar, bars
from bench.code import made_at
from tests.fuzz.campaign import run

PAGE = Path(__file__).parents[2] / "docs/evidence/fuzz.md"
FULL = 100_000
SEEDS = 20


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else FULL
    totals: dict[str, tuple[int, float]] = {}
    for seed in range(1, SEEDS + 1):
        for row in run(seed, count // SEEDS):
            done, seconds = totals.get(row.what, (0, 0.0))
            totals[row.what] = (done + row.count, seconds + row.seconds)
            print(f"seed {seed} of {SEEDS}: {row.what}: {row.count} in {row.seconds:.1f} s ({row.seen})", flush=True)
    if count >= FULL:
        PAGE.write_text(_page(count, totals))


def _page(count: int, totals: dict[str, tuple[int, float]]) -> str:
    rows = "\n".join(f"| {what} | {done} | {done / seconds:.0f} | 0 | 0 | 0 |" for what, (done, seconds) in totals.items())
    met = bars(
        *(Bar(f"{what} without a crash, a hang or an answer of 500", done, least=FULL) for what, (done, _) in totals.items())
    )
    return f"""# Bad input

Made by `python -m tests.fuzz {count}` at {made_at()}: Python {platform.python_version()}, \
pyghostty {version("pyghostty")}, uvicorn {version("uvicorn")}, websockets {version("websockets")}; seeds 1 to {SEEDS}.

Random and mutated HTTP requests and WebSocket frames against a running coop; random, mutated and recorded-then-mutated
terminal streams against the engine in a process of its own. The campaign ends at the first crash, hang (10 s) or answer
outside the error table, and then this page is not written. A malformed body must be answered 400 with `BAD_REQUEST`.

{met}

| | count | a second | crashes | hangs | answers of 500 |
| --- | ---: | ---: | ---: | ---: | ---: |
{rows}
"""


if __name__ == "__main__":
    main()
