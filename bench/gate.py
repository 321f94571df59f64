"""`python -m bench.gate [PART…]`: how long the gate and its parts take, by their own closing lines, and the page that says so.

What was measured is kept; naming a part (`sim`, `check`, `rest`, `live`) measures that one again.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec

from bench.agents.page import Bar, bars
from bench.home import ROOT
from bench.report import table
from bench.versions import commit, versions

PAGE = ROOT / "docs" / "evidence" / "gate.md"
KEPT = ROOT / ".cache" / "gate.json"
ABOUT = """What `make test` does, part by part, without the set-up; and by themselves the rows of the live matrices against the simulator, which
are in *the rest* too. The real Claude Code and the other two agents run side by side, so each takes longer than it would alone.
The parts may be of different commits. One without a load was not timed by this command: it is pytest's own closing line of an earlier run."""
CLAUDE, ALL = "Claude Code's rows, simulated", "all three agents' rows, simulated"
CHECK, REST = "checks", "the rest: everything without the real agents"
LIVE, OTHERS, BOTH = "the real Claude Code", "the real Codex and Gemini CLI", "the live lanes, side by side"
_CLOSING = re.compile(r"(\d+) passed.* in ([\d.]+)s")


class Part(msgspec.Struct, frozen=True):
    what: str
    tests: int
    seconds: float
    commit: str
    load: float | None = None
    """Of the machine, before it began, where that was noted."""


class Failed(Exception):
    """A part that is not green has no duration worth telling."""


def run(what: str, *command: str) -> tuple[float, list[tuple[int, float]]]:
    """How long it took, and what each pytest in it said at its end."""
    print(f"{what}…", flush=True)
    began, said = time.monotonic(), list[tuple[int, float]]()
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "CI": "true"}, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            sys.stdout.write(line)
            said += [(int(count), float(seconds)) for count, seconds in _CLOSING.findall(line)]
    if process.returncode:
        raise Failed(f"{what}: exit status {process.returncode}")
    return time.monotonic() - began, said


def simulated() -> Iterator[Part]:
    for what, folder in ((CLAUDE, "tests/sim/claude"), (ALL, "tests/sim")):
        load = os.getloadavg()[0]
        seconds, said = run(what, "scripts/run-tests", sys.executable, "-m", "pytest", "-q", folder)
        yield Part(what, said[0][0], seconds, commit(), load)


def checks() -> Iterator[Part]:
    load = os.getloadavg()[0]
    seconds, _ = run(CHECK, "make", "check")
    yield Part(CHECK, 0, seconds, commit(), load)


def rest() -> Iterator[Part]:
    load = os.getloadavg()[0]
    seconds, said = run(REST, "scripts/run-tests", sys.executable, "-m", "pytest", "--ignore=tests/live")
    yield Part(REST, said[0][0], seconds, commit(), load)


def live() -> Iterator[Part]:
    load = os.getloadavg()[0]
    seconds, said = run(BOTH, "make", "live")
    lanes = sorted(said, reverse=True)[:2]  # what is smaller was run once more, by itself
    for what, (count, took) in zip((LIVE, OTHERS), [each for each in said if each in lanes], strict=True):
        yield Part(what, count, took, commit(), load)
    yield Part(BOTH, sum(count for count, _ in lanes), seconds, commit(), load)


PARTS: dict[str, tuple[Callable[[], Iterator[Part]], str]] = {
    "sim": (simulated, ALL),
    "check": (checks, CHECK),
    "rest": (rest, REST),
    "live": (live, BOTH),
}
"""How each is measured, and what is kept of it last."""


def kept() -> dict[str, Part]:
    return {part.what: part for part in msgspec.json.decode(KEPT.read_bytes(), type=list[Part])} if KEPT.exists() else {}


def keep(parts: Sequence[Part]) -> None:
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_bytes(msgspec.json.encode([*{**kept(), **{part.what: part for part in parts}}.values()]))


def write(parts: dict[str, Part]) -> str:
    with_what = ", ".join(f"{name} {version}" for name, version in versions().items())
    whole = sum(parts[each].seconds for each in (CHECK, REST, BOTH))
    met = bars(
        Bar("Claude Code's matrix against the simulator, seconds", parts[CLAUDE].seconds, 90),
        Bar("all agent tests on the simulator, seconds", parts[ALL].seconds, 120),
        Bar("the live matrix of Claude Code, minutes", parts[LIVE].seconds / 60, 12),
        Bar("`make test`, which is the checks, the rest and the live lanes, minutes", whole / 60, 35),
    )
    figures = [
        [each.what, f"{each.tests}", f"{each.seconds:.0f}", each.commit, "–" if each.load is None else f"{each.load:.1f}"]
        for each in parts.values()
    ]
    rows = table(["", "tests", "seconds", "at", "load before"], figures)
    return f"# How long the gate takes\n\nMade by `python -m bench.gate`: {with_what}.\n\n{ABOUT}\n\n{met}\n\n{rows}\n"


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.gate", description="Time the gate.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"measure it again: {', '.join(PARTS)}")
    again = parser.parse_args(argv).parts
    if unknown := set(again) - set(PARTS):
        parser.error(f"no part {unknown.pop()!r}; expected {', '.join(PARTS)}")
    try:
        for name, (measure, last) in PARTS.items():
            if name in again or last not in kept():
                keep([*measure()])
    except Failed as failure:
        print(failure, file=sys.stderr)
        return 1
    PAGE.write_text(write(kept()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
