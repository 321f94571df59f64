"""One agent under coop, its model, and what coop says of it as it is received."""

import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from bench.agents.model import Model
from bench.agents.subject import COLS, IDLE, ROWS, Place, Setting, Subject, placed
from coop.testing import CoopProcess, eventually, running_coop
from coop.testing.replies import Turn

WITHIN = 20.0
Told = tuple[float, dict[str, Any]]
"""When an event was received, and the event."""


@dataclass
class Session:
    subject: Subject
    model: Model
    place: Place
    coop: CoopProcess
    http: httpx.Client
    told: list[Told] = field(default_factory=list[Told])

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.http.get("/api/v1/agent/state").json()
        return found

    def explain(self) -> dict[str, Any]:
        found: dict[str, Any] = self.http.get("/api/v1/agent/explain").json()
        return found

    def post(self, path: str, **body: object) -> dict[str, Any]:
        """The reply, also when it is a refusal."""
        reply: dict[str, Any] = self.http.post(f"/api/v1/{path}", json=body).json()
        return reply

    def until(self, *states: str, within: float = WITHIN, hold: float = 0.0) -> dict[str, Any]:
        """The first state that is one of them, and stays so for `hold` seconds."""

        def found() -> dict[str, Any] | None:
            if (seen := self.state())["state"] not in states:
                return None
            time.sleep(hold)
            return seen if not hold or self.state()["state"] in states else None

        try:
            return eventually(found, within=within, what=" or ".join(states)) or {}
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.screen()}\n{json.dumps(self.state())[:600]}") from None

    def ready(self) -> "Session":
        self.until(IDLE, within=40)
        return self

    def tell(self, message: str, *turns: Turn, **options: object) -> dict[str, Any]:
        self.model.script(*turns)
        return self.post("agent/nudge", message=message, **{"wait": self.subject.most_patience, **options})

    def press(self, *keys: str) -> float:
        """When they were on their way."""
        began = time.monotonic()
        self.post("input/keys", keys=list(keys))
        return began

    def is_drawn(self) -> bool:
        """Does coop see on its screen what it says is asked?"""
        prompt: dict[str, Any] = self.state()["prompt"] or {}
        return bool(prompt.get("screen_lines"))

    def screen(self) -> str:
        return self.http.get("/api/v1/screen/text").text

    def follow(self) -> None:
        """Collects what is told; runs in a thread of its own."""
        url = f"{self.coop.url.replace('http', 'ws')}/ws?mode=state"
        with suppress(ConnectionClosed, OSError), connect(url, max_size=None, compression=None) as socket:
            for text in socket:
                now = time.monotonic()
                self.told.append((now, json.loads(text)))


@contextmanager
def started(subject: Subject, setting: Setting, *, driver: str = "") -> Generator[Session]:
    """A session of its own in a place of its own, ended with the block. `driver` when it is not the agent's own."""
    model = subject.model()
    with model.serving(), placed(setting, model.url) as place:
        options = ("--agent", driver or subject.name, "--cols", str(COLS), "--rows", str(ROWS), *setting.options)
        with (
            running_coop(*options, command=setting.command, env=place.env, cwd=place.workspace) as coop,
            httpx.Client(base_url=coop.url, timeout=90) as client,
        ):
            session = Session(subject, model, place, coop, client)
            threading.Thread(target=session.follow, daemon=True).start()
            yield session
