"""What all pretend models share: a script, the requests that came, and how an answer is streamed."""

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, Protocol, Self, TypeVar

from starlette.applications import Starlette

from coop.testing.replies import Break, Drop, Fail, Reply, Turn, say
from coop.testing.serving import served


class Request(Protocol):
    @property
    def is_main(self) -> bool:
        """Of the agent's own loop; not a side call for a title or a summary."""
        ...


R = TypeVar("R", bound=Request)


@dataclass
class PretendModel(ABC, Generic[R]):
    """`script` turns for the main loop; when there are none left, `otherwise` is said."""

    otherwise: Turn = field(default_factory=lambda: say("Nothing more is scripted."))
    received: list[R] = field(default_factory=list[R])
    url: str = ""
    _script: deque[Turn] = field(default_factory=deque[Turn])
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def script(self, *turns: Turn) -> None:
        self._script.extend(turns)

    def forget(self) -> None:
        """What was scripted and not said."""
        self._script.clear()

    @property
    def main_requests(self) -> list[R]:
        return [request for request in self.received if request.is_main]

    @contextmanager
    def serving(self) -> Generator[Self]:
        """On loopback, from a thread of its own."""
        with served(self._application()) as self.url:
            yield self

    @abstractmethod
    def _application(self) -> Starlette: ...

    def _scripted(self) -> Turn:
        return self._script.popleft() if self._script else self.otherwise


def reply_of(turn: Reply | Drop | Break) -> Reply:
    return turn if isinstance(turn, Reply) else turn.reply


async def streamed(
    turn: Turn, events: Iterable[bytes], *, closing: Iterable[bytes], failure: Iterable[bytes]
) -> AsyncIterator[bytes]:
    """The events of a turn at its pace, and how it ends: well, with a failure that is told, or cut off."""
    assert not isinstance(turn, Fail)
    for event in events:
        yield event
        if pace := reply_of(turn).pace:
            await asyncio.sleep(pace)
    if isinstance(turn, Drop):
        raise ConnectionError("dropped, as scripted")
    for event in failure if isinstance(turn, Break) else closing:
        yield event
