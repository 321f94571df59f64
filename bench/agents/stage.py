"""Where a scenario is played: the session, the independent terminal beside it, and what was done when."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.agents.session import Session, started
from bench.agents.subject import Setting, Subject
from bench.agents.terminal import Onlooker, Sight, onlooking
from bench.agents.truth import HELD, Turn, dialogs_of
from bench.agents.verdict import Published
from coop.testing import eventually
from coop.testing.replies import Turn as Said
from coop.testing.replies import say

WITHIN = 20.0
READS = 0.25
"""Who answers at the keyboard needs at least so long to see what is asked."""
AFTER = HELD + 0.2
"""A scenario is watched for so long after its end that a state which does not end is seen."""


@dataclass
class Stage:
    session: Session
    onlooker: Onlooker
    began: float = 0.0
    first: int = 0
    any_call: bool = False
    """Also requests without tools are the agent's work: a compaction."""
    cut: float | None = None
    """When the turn was cut short; `None` when it may end by itself."""
    breaks: list[float] = field(default_factory=list[float])
    """When a turn was cut short though another was to follow."""
    held: float = 0.0
    """Until when something else than the model holds the turn."""

    def begin(self) -> None:
        self.session.model.forget()
        self.session.model.otherwise = say("Nothing more is scripted.")
        self.began, self.first = time.monotonic(), len(self.session.model.calls)
        self.any_call, self.cut, self.held, self.breaks = False, None, 0.0, []

    def calls(self) -> int:
        return len(self._calls())

    def _calls(self) -> list[tuple[float, float | None]]:
        calls = self.session.model.calls[self.first :]
        return [(call.began, call.ended) for call in calls if call.asked.is_main or self.any_call]

    def tell(self, message: str, *turns: Said, **options: object) -> None:
        reply = self.session.tell(message, *turns, **options)
        assert reply.get("delivered"), reply

    def drawn(self, kind: str) -> Sight:
        """The dialog, as the independent terminal sees it."""
        since = time.monotonic()
        eventually(lambda: self.onlooker.now.dialog == kind, within=WITHIN, what=f"{kind} drawn since {since:.1f}")
        return self.onlooker.now

    def answer(
        self,
        kind: str,
        *,
        by_keys: bool = False,
        ends: bool = False,
        breaks: bool = False,
        stays: bool = False,
        **answer: object,
    ) -> None:
        """When it is drawn, and coop has told it. It may end everything, or only the turn, with another to follow;
        `stays` when another of the same kind may stand there after it."""
        self.drawn(kind)
        asked = self._asked()
        prompt = self.session.until(kind)["prompt"]
        if ends:
            self.cut = time.monotonic()
        if breaks:
            self.breaks.append(time.monotonic())
        reply = self.session.post("agent/respond", by_keys=by_keys, prompt_id=prompt["id"], **answer)
        assert reply.get("delivered"), reply
        eventually(lambda: stays or self._asked() != asked, within=WITHIN, what=f"{kind} gone")

    def _asked(self) -> tuple[str, str]:
        return self.onlooker.now.dialog, self.onlooker.now.about

    def calls_open(self) -> bool:
        return any(ended is None for _, ended in self._calls())

    def press(self, key: str, *, ends: bool = False) -> None:
        """Pressed again when nothing came of it: a dialog swallows keys for a moment after it is drawn."""
        asked = self._asked()
        if any(asked):
            time.sleep(READS)
        for _ in range(5):
            at = self.session.press(key)
            self.cut = at if ends else self.cut
            try:
                eventually(lambda: self.onlooker.now.rests if ends else self._asked() != asked, within=1.5)
            except AssertionError:
                continue
            return
        raise AssertionError(f"{key} had no effect")

    def settle(self, calls: int) -> None:
        """So many requests answered, unless it was cut short, and the composer at rest; and then for a while longer."""

        def over() -> bool:
            done = self.cut is not None or (self.calls() >= calls and not self.calls_open())
            return done and self.onlooker.now.rests and time.monotonic() > self.held

        eventually(over, within=40, what=f"{calls} requests and rest")
        time.sleep(AFTER)

    def turn(self, final: str) -> Turn:
        now = time.monotonic()
        end = now if self.cut is None else self.cut
        flights = [(began, min(end, ended or end)) for began, ended in self._calls() if began <= end]
        sights = [sight for sight in self.onlooker.sights if sight.at >= self.began]
        over = max(self.held, flights[-1][1] if flights else self.began) if self.cut is None else self.cut
        rested = next((sight.at for at, sight in enumerate(sights) if sight.at > over and _rests(sights[at:])), over)
        return Turn(self.began, flights, over, rested, now, dialogs_of(sights, now), final, tuple(self.breaks))

    def published(self) -> list[Published]:
        """What coop said, beginning with what stood when the scenario began."""
        names = {"state_change": "next", "state": "state"}
        said = [(at, event[names[event["type"]]]) for at, event in list(self.session.told) if event["type"] in names]
        before = [state for at, state in said if at <= self.began]
        return [(self.began, before[-1] if before else "starting"), *(each for each in said if each[0] > self.began)]


def _rests(sights: list[Sight]) -> bool:
    return all(sight.rests for sight in sights)


@contextmanager
def staged(subject: Subject, setting: Setting) -> Generator[Stage]:
    began = time.monotonic()
    with started(subject, setting) as session, onlooking(session.coop.url, subject.look) as onlooker:
        yield Stage(session, onlooker, began)
