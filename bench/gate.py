"""`python -m bench.gate`: how long the gate and its parts take, by their own closing lines, and the page that says so."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from bench.agents.page import Bar, bars
from bench.home import ROOT
from bench.report import table
from bench.versions import commit, versions

PAGE = ROOT / "docs" / "evidence" / "gate.md"
ABOUT = """The gate, once, as `.ci/run` starts it but for the set-up, and before it the rows of the live matrices against the simulator. In the gate
the real Claude Code and the other two agents run side by side, so each of them takes longer than it would alone."""
_CLOSING = re.compile(r"(\d+) passed.* in ([\d.]+)s")
_LIVE = ("the real Claude Code, in the gate", "the real Codex and Gemini CLI, in the gate")


@dataclass(frozen=True, slots=True)
class Part:
    what: str
    tests: int
    seconds: float


class Failed(Exception):
    """A part that is not green has no duration worth telling."""


def run(what: str, command: Sequence[str]) -> tuple[float, list[tuple[int, float]]]:
    """How long it took, and what each pytest in it said at its end."""
    print(f"{what}…", flush=True)
    began = time.monotonic()
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "CI": "true"}, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            sys.stdout.write(line)
            said += [(int(count), float(seconds)) for count, seconds in _CLOSING.findall(line)]
    if process.returncode:
        raise Failed(f"{what}: exit status {process.returncode}")
    return time.monotonic() - began, said


def measure() -> list[Part]:
    pytest = ("scripts/run-tests", sys.executable, "-m", "pytest", "-q")
    parts = []
    for what, folder in (
        ("Claude Code's rows, simulated", "tests/sim/claude"),
        ("all three agents' rows, simulated", "tests/sim"),
    ):
        seconds, said = run(what, (*pytest, folder))
        parts.append(Part(what, said[0][0], seconds))
    seconds, said = run("make test", ("make", "test"))
    names = ("everything without the real agents, in the gate", *_LIVE)
    parts += [Part(name, count, took) for name, (count, took) in zip(names, _once(said), strict=True)]
    return [*parts, Part("make test", sum(part.tests for part in parts[2:]), seconds)]


def _once(said: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """Without what was run once more: the largest runs, in the order in which they ended."""
    largest = sorted(said, reverse=True)[: 1 + len(_LIVE)]
    return [each for each in said if each in largest]


def write(parts: Sequence[Part], load: float) -> str:
    took = {part.what: part.seconds for part in parts}
    with_what = ", ".join(f"{name} {version}" for name, version in versions().items())
    met = bars(
        Bar("Claude Code's matrix against the simulator, seconds", took["Claude Code's rows, simulated"], 90),
        Bar("all agent tests on the simulator, seconds", took["all three agents' rows, simulated"], 120),
        Bar("the live matrix of Claude Code, minutes", took[_LIVE[0]] / 60, 12),
        Bar("`make test` in all, minutes", took["make test"] / 60, 35),
    )
    rows = table(["", "tests", "seconds"], [[part.what, f"{part.tests}", f"{part.seconds:.0f}"] for part in parts])
    made = f"Made by `python -m bench.gate` at {commit()}, with a load of {load:.1f} before it began. {with_what}."
    return f"# How long the gate takes\n\n{made}\n\n{ABOUT}\n\n{met}\n\n{rows}\n"


def main() -> int:
    load = os.getloadavg()[0]
    try:
        parts = measure()
    except Failed as failure:
        print(failure, file=sys.stderr)
        return 1
    PAGE.write_text(write(parts, load))
    return 0


if __name__ == "__main__":
    sys.exit(main())
