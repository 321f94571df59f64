"""The blocking façade of the SDK, over TCP."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from coop.client import (
    Event,
    Prompt,
    Question,
    Resized,
    ScreenSnapshot,
    SessionEnded,
    Snapshot,
    StateChanged,
    StreamItem,
    blocking,
)
from coop.testing import CoopProcess
from coop.wire.states import prompt_context, state_name
from tests.support.clients.protocol import Asked, Client, Seen, Shown, WhenName


def shown(screen: ScreenSnapshot) -> Shown:
    cursor = (screen.cursor.row, screen.cursor.col)
    return Shown(screen.lines, screen.size.cols, screen.size.rows, cursor, screen.alt_screen)


def asked(prompt: Prompt | None) -> Asked | None:
    if prompt is None:
        return None
    return Asked(prompt_context(prompt).type, prompt.id, prompt.text if isinstance(prompt, Question) else "", prompt.options)


def seen(item: StreamItem) -> Seen | None:
    match item:
        case Snapshot(state=state) | Event(fact=StateChanged(current=state)):
            return "state", state_name(state)
        case Event(fact=Resized(size)):
            return "resize", (size.cols, size.rows)
        case Event(fact=SessionEnded(status)):
            return "exit", (status.code, status.signal)
        case _:
            return None


def keywords(answer: Mapping[str, object]) -> dict[str, Any]:
    """What the wire calls `prompt_id` is the prompt itself here, or its id."""
    return {"prompt" if key == "prompt_id" else key: value for key, value in answer.items()}


@dataclass
class BlockingClient:
    session: blocking.Session

    @classmethod
    @contextmanager
    def opened(cls, coop: CoopProcess, token: str | None) -> Generator[Client]:
        with blocking.connect(coop.url, token=token) as session:
            yield cls(session)

    def health(self) -> tuple[str, str, int, int]:
        told = self.session.health()
        return told.status, told.agent, told.size.cols, told.size.rows

    def status(self) -> tuple[str, int | None, int | None]:
        told = self.session.status()
        return told.state, told.exit.code if told.exit else None, told.exit.signal if told.exit else None

    def screen(self) -> Shown:
        return shown(self.session.screen())

    def state(self) -> str:
        return state_name(self.session.state())

    def prompt(self) -> Asked | None:
        return asked(self.session.prompt())

    def output(self, offset: int) -> bytes:
        return self.session.output(offset).data

    def type(self, text: str, *, enter: bool) -> int:
        return self.session.type(text, enter=enter)

    def keys(self, *keys: str) -> int:
        return self.session.keys(*keys)

    def resize(self, cols: int, rows: int) -> None:
        self.session.resize(cols, rows)

    def signal(self, name: str) -> None:
        self.session.signal(name)

    def nudge(self, message: str, *, when: WhenName = "idle") -> str:
        return self.session.nudge(message, when=when).progress.value

    def respond(self, answer: Mapping[str, object]) -> str:
        return self.session.respond(**keywords(answer)).prompt_type

    def recording(self) -> tuple[bool, str | None]:
        told = self.session.recording()
        return told.is_on, told.path

    def record(self, *, on: bool) -> tuple[bool, str | None]:
        told = self.session.start_recording() if on else self.session.stop_recording()
        return told.is_on, told.path

    @contextmanager
    def events(self) -> Generator[Iterator[Seen]]:
        events = self.session.events()
        yield (told for item in events if (told := seen(item)) is not None)
        events.close()
