"""What goes on beside a turn, and ends with the session: hooks nobody waits for any more, shells in the background."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass
class Tasks:
    group: asyncio.TaskGroup
    _begun: "set[asyncio.Task[Any]]" = field(default_factory=set["asyncio.Task[Any]"])

    def begin(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = self.group.create_task(work)
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)
        return task

    def end(self) -> None:
        for task in tuple(self._begun):
            task.cancel()
