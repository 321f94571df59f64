"""`python -m bench.gate [PART…]`: how long the gate takes in one piece, and the simulated rows alone; and the page that says so.

What was measured is kept, and the page tells of it all; naming parts (`sim`, `test`, `live`) measures those. In an empty clone with an empty
HOME, `test` is what a stranger waits for.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from bench.agents.page import Bar, bars
from bench.code import made_at
from bench.home import ROOT
from bench.report import table
from bench.versions import versions

PAGE = ROOT / "docs" / "evidence" / "gate.md"
KEPT = ROOT / ".cache" / "gate.json"
ABOUT = """`make test`, run once from beginning to end as `.ci/run` runs it, and what its parts said of themselves; by themselves the rows of
the real Claude Code, which are in *the real agents* too; and by themselves those of the live matrices against the simulator, which
are in *everything without the real agents*. Rows of real agents run one more at once than there are cores: they mostly wait.
A row that *failed at first* passed when it was run once more, by itself."""
CLAUDE, ALL = "Claude Code's rows, simulated", "all three agents' rows, simulated"
WHOLE, REST = "`make test`", "of it: everything without the real agents"
AGENTS = "of it: the real agents"
LIVE = "the real Claude Code"
LABORATORY = "tests/live/test_laboratory.py tests/live/claude"
BARS = (
    ("Claude Code's matrix against the simulator, seconds", CLAUDE, 1, 90),
    ("all agent tests on the simulator, seconds", ALL, 1, 120),
    ("the live matrix of Claude Code, minutes", LIVE, 60, 12),
    ("`make test` in one piece, minutes", WHOLE, 60, 35),
)
"""Which part is how long at most, in units of so many seconds."""
_CLOSING = re.compile(r"(?:(\d+) failed, )?(\d+) passed.* in ([\d.]+)s")


class Closing(NamedTuple):
    """A pytest's last line."""

    passed: int
    seconds: float
    failed: int


class Part(msgspec.Struct, frozen=True):
    what: str
    tests: int
    seconds: float
    at: str
    load: float
    """Of the machine, before it began."""
    failed: int = 0
    """At first, and not again by themselves."""


class Failed(Exception):
    """A part that is not green has no duration worth telling."""


def run(what: str, *command: str) -> tuple[float, list[Closing]]:
    """How long it took, and what each pytest in it said at its end."""
    print(f"{what}…", flush=True)
    began, said = time.monotonic(), list[Closing]()
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "CI": "true"}, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            sys.stdout.write(line)
            said += [Closing(int(ok), float(took), int(bad or 0)) for bad, ok, took in _CLOSING.findall(line)]
    if process.returncode:
        raise Failed(f"{what}: exit status {process.returncode}")
    return time.monotonic() - began, said


def simulated() -> Iterator[Part]:
    for what, folder in ((CLAUDE, "tests/sim/claude"), (ALL, "tests/sim")):
        load = os.getloadavg()[0]
        seconds, said = run(what, "scripts/run-tests", sys.executable, "-m", "pytest", "-q", folder)
        yield Part(what, said[0].passed, seconds, made_at(), load, said[0].failed)


def whole() -> Iterator[Part]:
    load = os.getloadavg()[0]
    seconds, said = run(WHOLE, "make", "test")
    longest = sorted(said, reverse=True)[:2]  # what is smaller was run once more, by itself
    parts = [each for each in said if each in longest]
    yield Part(WHOLE, sum(each.passed for each in parts), seconds, made_at(), load, sum(each.failed for each in parts))
    for what, each in zip((REST, AGENTS), parts, strict=True):
        yield Part(what, each.passed, each.seconds, made_at(), load, each.failed)


def live() -> Iterator[Part]:
    load = os.getloadavg()[0]
    _, said = run(LIVE, "make", "live", f"LIVE={LABORATORY}")
    yield Part(LIVE, said[0].passed, said[0].seconds, made_at(), load, said[0].failed)


PARTS: dict[str, tuple[Callable[[], Iterator[Part]], str]] = {
    "sim": (simulated, ALL),
    "test": (whole, WHOLE),
    "live": (live, LIVE),
}
"""How each is measured, and what is kept of it last."""


def kept() -> dict[str, Part]:
    return {part.what: part for part in msgspec.json.decode(KEPT.read_bytes(), type=list[Part])} if KEPT.exists() else {}


def keep(parts: Sequence[Part]) -> None:
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_bytes(msgspec.json.encode([*{**kept(), **{part.what: part for part in parts}}.values()]))


def write(parts: dict[str, Part]) -> str:
    with_what = ", ".join(f"{name} {version}" for name, version in versions().items())
    met = bars(*(Bar(what, parts[name].seconds / unit, most) for what, name, unit, most in BARS if name in parts))
    figures = [
        [each.what, f"{each.tests}", f"{each.failed}", f"{each.seconds:.0f}", each.at, f"{each.load:.1f}"]
        for each in (parts[what] for what in (WHOLE, REST, AGENTS, LIVE, CLAUDE, ALL) if what in parts)
    ]
    rows = table(["", "tests", "failed at first", "seconds", "at", "load before"], figures)
    return f"# How long the gate takes\n\nMade by `python -m bench.gate`: {with_what}.\n\n{ABOUT}\n\n{met}\n\n{rows}\n"


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.gate", description="Time the gate.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"measure it again: {', '.join(PARTS)}")
    again = parser.parse_args(argv).parts
    if unknown := set(again) - set(PARTS):
        parser.error(f"no part {unknown.pop()!r}; expected {', '.join(PARTS)}")
    try:
        for name, (measure, last) in PARTS.items():
            if name in again or (not again and last not in kept()):
                keep([*measure()])
    except Failed as failure:
        print(failure, file=sys.stderr)
        return 1
    PAGE.write_text(write(kept()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
