"""A real agent under coop, seen from outside: what the laboratories of all agents share."""

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, Self

import httpx

from coop.testing import CoopProcess, eventually
from tests.support.wire import Transport, Wire

IDLE = "waiting_for_input"
WITHIN = 20.0
NOW_AND_THEN = 0.05


@dataclass
class Lab:
    """One agent under coop, and what can be seen of it from outside. Its model is for each agent's own laboratory to add."""

    version: str
    coop: CoopProcess
    workspace: Path
    transport: Transport = "tcp"
    token: str | None = None
    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    followed: int = 0
    """The number of the last of them."""
    news: threading.Condition = field(default_factory=threading.Condition)

    @property
    def wire(self) -> Wire:
        return Wire(self.coop, self.transport, self.token)

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.wire.get("/api/v1/agent/state")
        return found

    def until(self, state: str, *, within: float = WITHIN) -> dict[str, Any]:
        try:
            seen: dict[str, Any] = self.once(lambda: (now := self.state())["state"] == state and now, within=within, what=state)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.evidence()}\n{json.dumps(self.explain())}") from None
        self.catch_up(seen)
        return seen

    def evidence(self) -> str:
        """What was told, what is shown, and what the agent keeps of it in its workspace."""
        told = [f"{each['type']}: {each.get('next', each.get('outcome', ''))}" for each in self.events]
        shown = [line for line in self.wire.text().splitlines() if line.strip()]
        kept = [f"{path}: {path.read_text()[:400]}" for path in self.workspace.glob(".*/settings*.json")]
        return "\n".join((*told, *shown, *kept))

    def catch_up(self, seen: dict[str, Any]) -> None:
        """The events come on a way of their own: waits for those that were published when the state was seen."""
        self.once(lambda: self.followed >= seen["event_seq"], what="the events")

    def once(self, condition: Callable[[], Any], *, what: str, within: float = WITHIN) -> Any:
        """The first true value: `eventually`, for what events tell of. Looks when one comes, and else only now and then."""

        def look() -> Any:
            value = condition()
            if not value:
                with self.news:
                    self.news.wait(NOW_AND_THEN)
            return value

        return eventually(look, within=within, what=what)

    def until_any(self, *states: str, within: float = WITHIN) -> str:
        """Which of them comes first."""
        found: str = self.once(lambda: (seen := self.state()["state"]) in states and seen, within=within, what=str(states))
        return found

    def explain(self) -> dict[str, Any]:
        found: dict[str, Any] = self.wire.get("/api/v1/agent/explain")
        return found

    def ready(self) -> Self:
        self.until(IDLE)
        return self

    def deliver(self, message: str, **options: object) -> dict[str, Any]:
        """A nudge that must arrive."""
        reply: dict[str, Any] = self.wire.post("/api/v1/agent/nudge", {"message": message, **options})
        assert reply["delivered"], reply
        return reply

    def refusal(self, message: str, **options: object) -> str:
        """The code of the error that a nudge is answered with; empty when there is none."""
        reply = self.wire.request("POST", "/api/v1/agent/nudge", json={"message": message, **options})
        code: str = reply.json().get("error", {}).get("code", "")
        return code

    def asked(self, state: str, *, drawn: bool = False) -> dict[str, Any]:
        """The prompt of that kind; `drawn` once it is on the screen."""
        prompt: dict[str, Any] = self.until(state)["prompt"]
        if drawn:
            self.once(lambda: (seen := self.state()["prompt"]) and seen.get("screen_lines"), what="the dialog on the screen")
            prompt = self.state()["prompt"]
        return prompt

    def respond(self, **body: object) -> dict[str, Any]:
        reply: dict[str, Any] = self.wire.post("/api/v1/agent/respond", body)
        assert reply["delivered"], reply
        return reply

    def press(self, key: str) -> None:
        self.wire.post("/api/v1/input/keys", {"keys": [key]})

    def press_until(self, key: str, condition: Callable[[], bool]) -> None:
        """A dialog swallows keys for a moment after it is drawn, so the key is pressed again when nothing came of it."""
        for _ in range(5):
            self.press(key)
            with suppress(AssertionError):
                eventually(condition, within=1.5)
                return
        raise AssertionError(f"{key!r} had no effect:\n{self.wire.text()}")

    def states(self) -> list[str]:
        """The states that were published up to now, one after the other."""
        self.catch_up(self.state())
        return [event["next"] for event in self.events if event["type"] == "state_change"]

    def event(self, kind: str, within: float = 5.0) -> dict[str, Any]:
        return (
            eventually(lambda: next((each for each in self.events if each["type"] == kind), None), within=within, what=kind)
            or {}
        )

    def following(self) -> Self:
        threading.Thread(target=self.follow, daemon=True).start()
        return self

    def follow(self) -> None:
        """Collects the events from the first one on; runs in a thread of its own."""
        client = self.wire.client()
        with suppress(httpx.HTTPError), client:
            position = 0
            before = {"Last-Event-ID": f"{client.get('/api/v1/agent/state').json()['epoch']}-0"}
            with client.stream("GET", "/api/v1/events", headers=before, timeout=None) as response:
                for line in response.iter_lines():
                    if line.startswith("data: "):
                        self.events.append(json.loads(line[6:]))
                    elif line.startswith("id: "):
                        position = int(line.rpartition("-")[2])
                    elif not line:
                        with self.news:
                            self.followed = position
                            self.news.notify_all()


def in_short(states: list[str]) -> list[str]:
    """Without work, of which a moment can be missed between two looks."""
    return [state for state, _ in groupby(each for each in states if each != "working")]
