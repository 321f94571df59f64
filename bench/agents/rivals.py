"""The same messages, typed the way most do it: text and Enter in one write, and tmux's `send-keys`."""

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bench.agents.kept import Kept, progress
from bench.agents.messages import message
from bench.agents.plain import BarePty, Plain, Tmux, started_plain
from bench.agents.subject import Subject
from coop.testing import eventually
from coop.testing.replies import say

WAYS: Mapping[str, type[BarePty] | type[Tmux]] = {"text\\r in one write": BarePty, "tmux send-keys": Tmux}
SETTLES = 0.8
"""A message typed in the very moment of the first prompt is lost on some versions; they are spared that."""
ARRIVES_WITHIN, LONG_ARRIVES_WITHIN = 4.0, 6.0
DRAWN_WITHIN = 5.0
LONG = 5_000


@dataclass(frozen=True)
class Rivals:
    subject: Subject
    versions: Sequence[str]

    def keys(self, count: int) -> list[str]:
        """So many for each way, as many of them for each version."""
        numbers = range(count // len(self.versions))
        return [f"{way} {version} {number}" for way in WAYS for version in self.versions for number in numbers]

    def run(self, kept: Kept, wanted: Sequence[str]) -> None:
        """Both ways side by side: nothing is timed."""
        with ThreadPoolExecutor(len(WAYS)) as pool:
            for done in [pool.submit(self._way, kept, wanted, way) for way in WAYS]:
                done.result()

    def _way(self, kept: Kept, wanted: Sequence[str], way: str) -> None:
        for version in self.versions:
            prefix = f"{way} {version} "
            left = [int(key.removeprefix(prefix)) for key in kept.missing(wanted) if key.startswith(prefix)]
            self._all(kept, way, version, left)

    def _all(self, kept: Kept, way: str, version: str, numbers: Sequence[int]) -> None:
        """A session is left behind as soon as it lost something, for nobody could tell what stands in its composer."""
        began, left = time.monotonic(), list(numbers)
        while left:
            with started_plain(self.subject, self.subject.setting(version, ""), WAYS[way]) as session:
                time.sleep(SETTLES)
                while left:
                    number = left.pop(0)
                    found = _one(session, number)
                    kept.add(f"{way} {version} {number}", sender=way, version=version, **found)
                    if found["verdict"] != "right":
                        break
        if numbers:
            progress(f"delivery: {way}, {version}: {len(numbers)} in {time.monotonic() - began:.0f} s")


def _one(plain: Plain[Any], number: int) -> dict[str, Any]:
    shape, text = message(number, plain.subject.shapes)
    before = len(plain.model.main)
    plain.model.script(say(f"answer {number}"))
    plain.typist.type(text)
    try:
        within = ARRIVES_WITHIN if len(text) < LONG else LONG_ARRIVES_WITHIN
        eventually(lambda: len(plain.model.main) > before, within=within)
        plain.until_idle()
        with suppress(AssertionError):
            eventually(lambda: plain.shows(f"answer {number}"), within=DRAWN_WITHIN)
        time.sleep(0.3)
    except AssertionError:
        ran = (plain.place.workspace / f"shell-{number}").exists()
        gone = plain.typist.is_gone()
        return {"shape": shape, "verdict": "ran a command" if ran else "ended the agent" if gone else "lost"}
    arrived = [call.asked.said for call in plain.model.main[before:]]
    if (plain.place.workspace / f"shell-{number}").exists():
        return {"shape": shape, "verdict": "ran a command"}
    if len(arrived) > 1:
        return {"shape": shape, "verdict": "duplicated"}
    is_same = plain.subject.is_same(text, arrived[0])
    return {"shape": shape, "verdict": "right" if is_same else "changed", "arrived": arrived[0][:200]}
