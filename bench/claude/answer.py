"""Campaign: whatever is asked is answered as it was meant, by the hook's reply and by keys."""

import json
import time
from collections.abc import Sequence
from typing import Any

from bench.claude.kept import Kept, progress
from bench.claude.place import IDLE, VERSIONS
from bench.claude.prompts import CASES, PLAN, Case
from bench.claude.session import Session, started
from coop.testing import eventually
from coop.testing.anthropic import use

VIAS = ("hook", "keys")
BATCH = 26
SETTLES = 0.3


def keys(count: int) -> list[str]:
    """Rounds of every case, by both ways, on both versions."""
    rounds = -(-count // (len(CASES) * len(VIAS) * len(VERSIONS)))
    return [
        f"{version}|{'plan' if case.asks == PLAN else 'default'}|{number}|{via}|{case.name}"
        for version in VERSIONS
        for number in range(rounds)
        for case in CASES
        for via in VIAS
    ]


def run(kept: Kept, wanted: Sequence[str]) -> None:
    """A session that is stuck is left, and the next takes over from it."""
    while left := kept.missing(wanted):
        version, mode, *_ = left[0].split("|")
        _batch(kept, version, mode, [key for key in left if key.startswith(f"{version}|{mode}|")][:BATCH])


def _batch(kept: Kept, version: str, mode: str, wanted: Sequence[str]) -> None:
    began = time.monotonic()
    with started(version, mode=mode) as session:
        session.ready()
        for key in wanted:
            _, _, number, via, name = key.split("|")
            case = next(each for each in CASES if each.name == name)
            try:
                found = _one(session, case, via, int(number))
            except AssertionError as error:
                found = {"verdict": "stuck", "why": str(error)[:3000]}
            kept.add(key, version=version, case=name, via=via, **found)
            if found["verdict"] != "right":
                progress(f"  {key}: {json.dumps(found, ensure_ascii=False)[:1500]}")
                if found["verdict"] != "wrong":
                    break  # what comes after would be judged by what was left
    progress(f"answers: {version}, {mode} mode: {len(wanted)} in {time.monotonic() - began:.0f} s")


def _one(session: Session, case: Case, via: str, number: int) -> dict[str, Any]:
    file = session.place.workspace / f"made-{len(session.model.main)}"
    turns = case.turns(file)
    if case.asks == PLAN and session.state()["permission_mode"] != "plan":
        turns = (use("EnterPlanMode"), *turns)
    told = session.tell("please begin", *turns)
    assert told.get("delivered"), told
    prompt = session.until(case.asks)["prompt"]
    if number % 2:  # every other time when it is drawn, else as soon as it is told
        eventually(session.is_drawn, what="the dialog on the screen")
    asked, began = len(session.model.main), time.monotonic()
    reply = session.post("agent/respond", prompt_id=prompt["id"], by_keys=via == "keys", **case.answer)
    took = 1000 * (time.monotonic() - began)
    if not reply.get("delivered"):
        return {"verdict": "refused", "reply": str(reply)[:500], "screen": session.screen()[-1500:]}
    session.until(IDLE, hold=SETTLES)
    after = session.model.main[asked:]
    told_model = json.dumps([result["content"] for call in after for result in call.results()], ensure_ascii=False)
    is_right = case.came_true(file, told_model) and bool(after) == case.goes_on and reply["via"] == via
    session.model._script.clear()
    evidence = {} if is_right else {"reply": str(reply)[:500], "told": told_model[:1500], "requests": len(after)}
    return {"verdict": "right" if is_right else "wrong", "ms": took, **evidence}
