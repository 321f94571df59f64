"""The SDK as it is meant to be used, with a loop of its own, over the Unix socket."""

import asyncio
from collections.abc import Coroutine, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import coop
from coop.client import EventStream, Session
from coop.testing import CoopProcess
from coop.wire.states import state_name
from tests.support.clients.blocking import asked, keywords, seen, shown
from tests.support.clients.protocol import Asked, Client, Seen, Shown, WhenName

T = TypeVar("T")


@dataclass
class SdkClient:
    session: Session
    runner: asyncio.Runner

    @classmethod
    @contextmanager
    def opened(cls, process: CoopProcess, token: str | None) -> Generator[Client]:
        opening = coop.connect(f"unix:{process.socket}", token=token)
        with asyncio.Runner() as runner:
            session = runner.run(_enter(opening))
            try:
                yield cls(session, runner)
            finally:
                runner.run(_leave(opening))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    def health(self) -> tuple[str, str, int, int]:
        told = self._run(self.session.health())
        return told.status, told.agent, told.size.cols, told.size.rows

    def status(self) -> tuple[str, int | None, int | None]:
        told = self._run(self.session.status())
        return told.state, told.exit.code if told.exit else None, told.exit.signal if told.exit else None

    def screen(self) -> Shown:
        return shown(self._run(self.session.screen()))

    def state(self) -> str:
        return state_name(self._run(self.session.state()))

    def prompt(self) -> Asked | None:
        return asked(self._run(self.session.prompt()))

    def output(self, offset: int) -> bytes:
        return self._run(self.session.output(offset)).data

    def type(self, text: str, *, enter: bool) -> int:
        return self._run(self.session.type(text, enter=enter))

    def keys(self, *keys: str) -> int:
        return self._run(self.session.keys(*keys))

    def resize(self, cols: int, rows: int) -> None:
        self._run(self.session.resize(cols, rows))

    def signal(self, name: str) -> None:
        self._run(self.session.signal(name))

    def nudge(self, message: str, *, when: WhenName = "idle") -> str:
        return self._run(self.session.nudge(message, when=when)).progress.value

    def respond(self, answer: Mapping[str, object]) -> str:
        return self._run(self.session.respond(**keywords(answer))).prompt_type

    def recording(self) -> tuple[bool, str | None]:
        told = self._run(self.session.recording())
        return told.is_on, told.path

    def record(self, *, on: bool) -> tuple[bool, str | None]:
        told = self._run(self.session.start_recording() if on else self.session.stop_recording())
        return told.is_on, told.path

    @contextmanager
    def events(self) -> Generator[Iterator[Seen]]:
        stream = self.session.events()
        yield self._seen(stream)
        self._run(stream.aclose())

    def _seen(self, stream: EventStream) -> Iterator[Seen]:
        while (item := self._run(_following(stream))) is not None:
            if (told := seen(item)) is not None:
                yield told


async def _enter(opening: Any) -> Any:
    return await opening.__aenter__()


async def _leave(opening: Any) -> None:
    await opening.__aexit__(None, None, None)


async def _following(stream: EventStream) -> Any:
    return await anext(stream, None)
