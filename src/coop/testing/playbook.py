"""A conversation with a session core: `>>` says something to it, `<<` is what it must do next."""

from collections import deque
from collections.abc import Callable
from typing import Self

from coop.model.commands import Command
from coop.model.ids import ConnectionId, RequestId
from coop.model.records import Asked, Item, Tick
from coop.session.core import SessionCore
from coop.session.effects import Effect
from coop.testing.clock import ManualClock

Expected = Effect | Callable[[Effect], object]
"""The effect itself, or a claim about it."""


class Playbook:
    """Time stands still but for `after`, which ticks the core whenever it asked to be ticked."""

    def __init__(self, core: SessionCore, clock: ManualClock) -> None:
        self.core = core
        self.clock = clock
        self.effects: deque[Effect] = deque()
        self._requests = 0

    def __rshift__(self, item: Item) -> Self:
        self.effects.extend(self.core.receive(item, self.clock.now))
        return self

    def __lshift__(self, expected: Expected) -> Self:
        assert self.effects, f"expected {expected}, but nothing is to be done"
        effect = self.effects.popleft()
        if callable(expected):
            assert expected(effect), f"not what was expected: {effect}"
        else:
            assert effect == expected, f"expected {expected}, got {effect}"
        return self

    def asks(self, command: Command, connection: int | None = None) -> Self:
        """A caller asks; the requests are numbered from 1."""
        self._requests += 1
        return self >> Asked(RequestId(self._requests), command, None if connection is None else ConnectionId(connection))

    def after(self, seconds: float) -> Self:
        end = self.clock.now + seconds
        while (deadline := self.core.deadline()) is not None and deadline <= end:
            self.clock.now = max(self.clock.now, deadline)
            before = (self.core.deadline(), len(self.effects))
            self.effects.extend(self.core.receive(Tick(), self.clock.now))
            assert (self.core.deadline(), len(self.effects)) != before, f"a tick at {deadline} changed nothing: it would spin"
        self.clock.now = end
        return self

    def done(self) -> bool:
        """Nothing more is to be done."""
        assert not self.effects, f"unexpected: {list(self.effects)}"
        return True
