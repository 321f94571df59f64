"""Campaign: what coop's hooks cost, turn by turn beside the same agent without them."""

import os
import time
from collections.abc import Sequence

from bench.agents.kept import Kept, progress
from bench.claude.arms import ARMS, Arm, started_arms
from bench.claude.subject import VERSIONS
from coop.testing import eventually
from coop.testing.anthropic import say, use

BATCH = 20
TOOLS = 20
EVERY = 3
"""Every third round has a turn of tools too."""
WARM_UP = 2
MOST_FAILURES = 5
DIGEST = 0.15
SEEN = 0.1
QUIET = 0.25
"""What a turn leaves to be done is done by then."""


def keys(count: int) -> list[str]:
    """For so many awaited hooks: two in the text turn of a round, and in every third round two in a turn of tools."""
    rounds = -(-count * EVERY // (2 * (EVERY + 1) * len(VERSIONS)))
    return [f"{version}|{number}" for version in VERSIONS for number in range(rounds)]


def run(kept: Kept, wanted: Sequence[str]) -> None:
    failures = 0
    while left := kept.missing(wanted):
        version = left[0].split("|")[0]
        try:
            _batch(kept, version, [key for key in left if key.startswith(f"{version}|")][:BATCH])
        except AssertionError as error:  # of the machine, not of coop: nothing is judged here but time
            failures += 1
            progress(f"hooks: begun anew: {error}")
            if failures > MOST_FAILURES:
                raise


def _batch(kept: Kept, version: str, wanted: Sequence[str]) -> None:
    began = time.monotonic()
    with started_arms(version) as arms:
        time.sleep(1)
        for arm in arms.values():
            for _ in range(WARM_UP):
                _turn(arm, tools=0)
        for key in wanted:
            number = int(key.split("|")[1])
            order = [ARMS[(number + at) % len(ARMS)] for at in range(len(ARMS))]
            text = {name: _turn(arms[name], tools=0) for name in order}
            tools = {name: _turn(arms[name], tools=TOOLS) for name in order} if number % EVERY == 0 else {}
            kept.add(key, version=version, text=text, tools=tools, load=os.getloadavg()[0])
    progress(
        f"hooks: {version}: rounds {wanted[0].split('|')[1]}–{wanted[-1].split('|')[1]} in {time.monotonic() - began:.0f} s"
    )


def _turn(arm: Arm, *, tools: int) -> dict[str, float]:
    """Milliseconds: Enter to the first request, to the last byte of the last answer, and from there to idle."""
    read = use("Read", file_path=str(arm.place.workspace / "notes.txt"))
    # Claude does not even write that it is busy when a turn is shorter than this.
    arm.model.script(*(read,) * tools, say("Done.", delay=0 if tools else SEEN))
    before = len(arm.model.main)
    arm.served.clear()
    arm.keyboard.write(b"\x1b[200~please go on\x1b[201~")
    time.sleep(DIGEST)
    entered = time.monotonic()
    arm.keyboard.write(b"\r")
    eventually(lambda: len(calls := arm.model.main[before:]) > tools and calls[-1].ended, within=60, what="the last answer")
    first, last = arm.model.main[before].began, arm.model.main[-1].ended
    assert last is not None
    idle = arm.until_idle(since=entered)
    time.sleep(QUIET)
    moments = {"to_first": first - entered, "turn": last - entered, "to_idle": idle - last}
    if arm.served:
        (submit, submitted), (stop, stopped) = arm.served
        moments |= {"to_submit": submit - entered, "from_submit": first - submitted}
        moments |= {"to_stop": stop - last, "from_stop": idle - stopped}
    return {name: 1000 * moment for name, moment in moments.items()}
