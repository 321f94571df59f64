"""Campaign: whatever is asked is answered as it was meant, in every way there is."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.agents.kept import Kept, progress
from bench.agents.model import Call
from bench.agents.session import Session, started
from bench.agents.subject import IDLE, Subject
from coop.testing import eventually
from coop.testing.replies import Turn

BATCH = 26
SETTLES = 0.3


@dataclass(frozen=True, slots=True)
class Case:
    """`turns` are what the model says; the answer is right when `came_true` of the file and of what the model was told."""

    name: str
    asks: str
    answer: Mapping[str, object]
    turns: Callable[[Session, Path], tuple[Turn, ...]]
    came_true: Callable[[Path, str], bool]
    goes_on: bool = True
    """Does the turn go on after the answer?"""
    vias: Sequence[str] = ("keys",)
    where: str = ""
    """The kind of session it needs; cases of one kind share one."""
    only: str = ""
    """The version that has it; empty for all."""
    is_drawn: bool = True
    """Is there a dialog on the screen, too?"""
    before: Callable[[Session], None] = lambda session: None
    """What is to be done before it is asked."""


def results(calls: Sequence[Call]) -> str:
    """What the model was told by the tools."""
    return json.dumps([result for call in calls for result in call.asked.results], ensure_ascii=False)


@dataclass(frozen=True)
class Answers:
    subject: Subject
    cases: Sequence[Case]
    told: Callable[[Sequence[Call]], str] = results

    def keys(self, count: int) -> list[str]:
        """Rounds of every case, by every way, on every version."""
        one = [(version, case, via) for version in self.subject.versions for case in self.cases for via in case.vias]
        one = [each for each in one if each[1].only in ("", each[0])]
        rounds = range(-(-count // len(one)))
        found = [(version, case.where, number, via, case.name) for number in rounds for version, case, via in one]
        return ["|".join(map(str, each)) for each in sorted(found, key=lambda each: self.subject.versions.index(each[0]))]

    def run(self, kept: Kept, wanted: Sequence[str]) -> None:
        """A session that is stuck is left, and the next takes over from it."""
        while left := kept.missing(wanted):
            version, where, *_ = left[0].split("|")
            self._batch(kept, version, where, [key for key in left if key.startswith(f"{version}|{where}|")][:BATCH])

    def _batch(self, kept: Kept, version: str, where: str, wanted: Sequence[str]) -> None:
        began = time.monotonic()
        with started(self.subject, self.subject.setting(version, where)) as session:
            session.ready()
            for key in wanted:
                _, _, number, via, name = key.split("|")
                case = next(each for each in self.cases if each.name == name)
                try:
                    found = self._one(session, case, via, int(number))
                except AssertionError as error:
                    found = {"verdict": "stuck", "why": str(error)[:3000]}
                kept.add(key, version=version, case=name, via=via, **found)
                if found["verdict"] != "right":
                    progress(f"  {key}: {json.dumps(found, ensure_ascii=False)[:1500]}")
                    if found["verdict"] != "wrong":
                        break  # what comes after would be judged by what was left
        progress(f"answers: {version}, {where or 'default'}: {len(wanted)} in {time.monotonic() - began:.0f} s")

    def _one(self, session: Session, case: Case, via: str, number: int) -> dict[str, Any]:
        case.before(session)
        file = session.place.workspace / f"made-{len(session.model.main)}"
        told = session.tell("please begin", *case.turns(session, file))
        assert told.get("delivered"), told
        prompt = session.until(case.asks)["prompt"]
        if number % 2 and case.is_drawn:  # every other time when it is drawn, else as soon as it is told
            eventually(session.is_drawn, what="the dialog on the screen")
        asked, began = len(session.model.main), time.monotonic()
        reply = session.post("agent/respond", prompt_id=prompt["id"], by_keys=via == "keys", **case.answer)
        took = 1000 * (time.monotonic() - began)
        if not reply.get("delivered"):
            return {"verdict": "refused", "reply": str(reply)[:500], "screen": session.screen()[-1500:]}
        session.until(IDLE, hold=SETTLES)
        after = session.model.main[asked:]
        told_model = self.told(after)
        is_right = case.came_true(file, told_model) and bool(after) == case.goes_on and reply["via"] == via
        session.model.forget()
        evidence = {} if is_right else {"reply": str(reply)[:500], "told": told_model[:1500], "requests": len(after)}
        return {"verdict": "right" if is_right else "wrong", "ms": took, **evidence}
