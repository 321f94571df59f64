"""The model that a scenario describes."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from coop_sim.scenario import Faults, Refused, Reply, Scenario, Turn


@dataclass
class Script:
    """A turn is chosen by the prompt: the first that matches and may still be used."""

    scenario: Scenario
    _used: dict[int, int] = field(default_factory=dict[int, int])
    _turn: Turn = field(default_factory=lambda: Turn(()))
    _said: int = 0

    def begin(self, prompt: str) -> Faults:
        self._turn, self._said = self._chosen(prompt), 0
        return self._turn.faults

    def _chosen(self, prompt: str) -> Turn:
        for index, turn in enumerate(self.scenario.turns):
            if turn.matches(prompt) and self._use(index, turn.times):
                return turn
        return Turn((Reply(self.scenario.default.replace("{prompt}", prompt)),))

    def _use(self, index: int, times: int | None) -> bool:
        used = self._used.get(index, 0)
        self._used[index] = used + 1
        return times is None or used < times

    def apart(self) -> "Script":
        return Script(self.scenario, self._used)

    async def summary(self, call: object) -> str:
        return "A summary."

    async def reply(self, call: object, hear: Callable[[str], None]) -> Reply:
        if self._turn.error is not None:
            raise Refused(self._turn.error)
        replies = self._turn.replies
        reply = replies[self._said] if self._said < len(replies) else Reply(delay=0.0)
        self._said += 1
        await asyncio.sleep(reply.delay)
        for number, word in enumerate(reply.say.split(" ") if reply.pace else ()):
            hear(f" {word}" if number else word)
            await asyncio.sleep(reply.pace)
        return replace(reply, ends=self._said >= len(replies))
