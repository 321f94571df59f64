"""Campaign: what is told arrives, once, as it was told, or coop says that it did not."""

import time
from collections.abc import Sequence
from typing import Any

from bench.claude.kept import Kept, progress
from bench.claude.messages import is_same, message
from bench.claude.place import IDLE, VERSIONS
from bench.claude.session import Session, started
from coop.testing import eventually
from coop.testing.anthropic import say

BATCH = 25
SETTLES = 0.3
"""What arrives twice arrives within this."""
ARRIVES_WITHIN = 4.0


def keys(count: int) -> list[str]:
    """Half of them for each version."""
    return [f"coop {version} {number}" for version in VERSIONS for number in range(count // len(VERSIONS))]


def run(kept: Kept, wanted: Sequence[str]) -> None:
    for version in VERSIONS:
        left = [int(key.rsplit(" ", 1)[1]) for key in kept.missing(wanted) if key.startswith(f"coop {version} ")]
        for at in range(0, len(left), BATCH):
            _batch(kept, version, left[at : at + BATCH])


def _batch(kept: Kept, version: str, numbers: Sequence[int]) -> None:
    began = time.monotonic()
    with started(version) as session:
        session.ready()
        for number in numbers:
            found = _one(session, number)
            kept.add(f"coop {version} {number}", sender="coop", version=version, **found)
            if found["verdict"] != "right":
                progress(f"  {version} {number} {found}")
    progress(f"delivery: coop, {version}: {numbers[0]}–{numbers[-1]} in {time.monotonic() - began:.0f} s")


def _one(session: Session, number: int) -> dict[str, Any]:
    shape, text = message(number)
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
    arrived = [call.said() for call in session.model.main[before:]]
    ran = (session.place.workspace / f"shell-{number}").exists()
    verdict = "ran a command" if ran else _verdict(text, arrived, said=said)
    found: dict[str, Any] = {"shape": shape, "verdict": verdict, "ms": took * 1000}
    if verdict != "right":
        found |= {"reply": str(reply)[:300], "sent": text[:200], "arrived": [each[:200] for each in arrived]}
    return found


def _verdict(text: str, arrived: Sequence[str], *, said: bool) -> str:
    if len(arrived) > 1:
        return "duplicated"
    if not is_same(text, arrived[0]):
        return "wrongly confirmed" if said else "changed"
    return "right" if said else "wrongly denied"
