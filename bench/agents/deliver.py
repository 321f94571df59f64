"""Campaign: what is told arrives, once, as it was told, or coop says that it did not."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bench.agents.kept import Kept, progress
from bench.agents.messages import message
from bench.agents.session import Session, started
from bench.agents.subject import IDLE, Subject
from coop.testing import eventually
from coop.testing.replies import say

BATCH = 25
SETTLES = 0.3
"""What arrives twice arrives within this."""
ARRIVES_WITHIN = 4.0


@dataclass(frozen=True)
class Deliver:
    subject: Subject

    def keys(self, count: int) -> list[str]:
        """As many for each version."""
        versions = self.subject.versions
        return [f"coop {version} {number}" for version in versions for number in range(count // len(versions))]

    def run(self, kept: Kept, wanted: Sequence[str]) -> None:
        for version in self.subject.versions:
            prefix = f"coop {version} "
            left = [int(key.removeprefix(prefix)) for key in kept.missing(wanted) if _is_of(key, prefix)]
            for at in range(0, len(left), BATCH):
                self._batch(kept, version, left[at : at + BATCH])

    def _batch(self, kept: Kept, version: str, numbers: Sequence[int]) -> None:
        began = time.monotonic()
        with started(self.subject, self.subject.setting(version, "")) as session:
            session.ready()
            for number in numbers:
                found = _one(session, number)
                kept.add(f"coop {version} {number}", sender="coop", version=version, **found)
                if found["verdict"] != "right":
                    progress(f"  {version} {number} {found}")
        progress(f"delivery: coop, {version}: {numbers[0]}–{numbers[-1]} in {time.monotonic() - began:.0f} s")


def _is_of(key: str, prefix: str) -> bool:
    """One version's name may begin with another's."""
    return key.startswith(prefix) and key.removeprefix(prefix).isdigit()


def _one(session: Session, number: int) -> dict[str, Any]:
    shape, text = message(number, session.subject.shapes)
    before = len(session.model.main)
    began = time.monotonic()
    reply = session.tell(text, say(f"answer {number}"))
    took = time.monotonic() - began
    said = bool(reply.get("delivered"))
    try:
        eventually(lambda: len(session.model.main) > before, within=ARRIVES_WITHIN if said else 2.0)
    except AssertionError:
        verdict = "wrongly confirmed" if said else "refused"
        return {
            "shape": shape,
            "verdict": verdict,
            "ms": took * 1000,
            "reply": str(reply)[:300],
            "screen": session.screen()[-900:],
        }
    session.until(IDLE, hold=SETTLES)
    arrived = [call.asked.said for call in session.model.main[before:]]
    ran = (session.place.workspace / f"shell-{number}").exists()
    is_same = [session.subject.is_same(text, each) for each in arrived]
    verdict = "ran a command" if ran else _verdict(is_same, said=said)
    found: dict[str, Any] = {"shape": shape, "verdict": verdict, "ms": took * 1000}
    if verdict != "right":
        found |= {"reply": str(reply)[:300], "sent": text[:200], "arrived": [each[:200] for each in arrived]}
    return found


def _verdict(is_same: Sequence[bool], *, said: bool) -> str:
    if len(is_same) > 1:
        return "duplicated"
    if not is_same[0]:
        return "wrongly confirmed" if said else "changed"
    return "right" if said else "wrongly denied"
