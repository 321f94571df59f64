"""Plain HTTP over TCP, and events by SSE: what `curl` could do."""

import base64
import json
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from coop.errors import CoopError
from coop.testing import CoopProcess
from tests.support.clients.protocol import Asked, Client, Seen, Shown, WhenName

WITHIN = 10.0


def refusal(error: Mapping[str, Any]) -> CoopError:
    refused = CoopError(error["message"])
    refused.code = error["code"]
    return refused


def seen(message: Mapping[str, Any]) -> Seen | None:
    """What a message of the server tells the suite; `None` when nothing."""
    match message:
        case {"type": "snapshot", "state": {"state": state}} | {"type": "state", "state": state}:
            return "state", state
        case {"type": "state_change", "next": state}:
            return "state", state
        case {"type": "resize", "cols": cols, "rows": rows}:
            return "resize", (cols, rows)
        case {"type": "exit", "code": code, "signal": signal}:
            return "exit", (code, signal)
        case _:
            return None


def asked(prompt: Mapping[str, Any] | None) -> Asked | None:
    if prompt is None:
        return None
    return Asked(prompt["type"], prompt["id"], prompt.get("question", ""), tuple(prompt.get("options", ())))


@dataclass
class HttpClient:
    client: httpx.Client

    @classmethod
    @contextmanager
    def opened(cls, coop: CoopProcess, token: str | None) -> Generator[Client]:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        with httpx.Client(base_url=f"{coop.url}/api/v1", headers=headers, timeout=WITHIN, trust_env=False) as client:
            yield cls(client)

    def _ask(self, method: str, path: str, **kwargs: Any) -> Any:
        reply = self.client.request(method, path, **kwargs).json()
        if "error" in reply:
            raise refusal(reply["error"])
        return reply

    def health(self) -> tuple[str, str, int, int]:
        reply = self._ask("GET", "/health")
        return reply["status"], reply["agent"], reply["terminal"]["cols"], reply["terminal"]["rows"]

    def status(self) -> tuple[str, int | None, int | None]:
        reply = self._ask("GET", "/status")
        return reply["state"], reply["exit_code"], reply["exit_signal"]

    def screen(self) -> Shown:
        reply = self._ask("GET", "/screen")
        cursor = (reply["cursor"]["row"], reply["cursor"]["col"])
        return Shown(tuple(reply["lines"]), reply["cols"], reply["rows"], cursor, reply["alt_screen"])

    def state(self) -> str:
        return str(self._ask("GET", "/agent/state")["state"])

    def prompt(self) -> Asked | None:
        return asked(self._ask("GET", "/agent/state")["prompt"])

    def output(self, offset: int) -> bytes:
        return base64.b64decode(self._ask("GET", "/output", params={"offset": offset})["data"])

    def type(self, text: str, *, enter: bool) -> int:
        return int(self._ask("POST", "/input", json={"text": text, "enter": enter})["bytes_written"])

    def keys(self, *keys: str) -> int:
        return int(self._ask("POST", "/input/keys", json={"keys": keys})["bytes_written"])

    def resize(self, cols: int, rows: int) -> None:
        self._ask("POST", "/resize", json={"cols": cols, "rows": rows})

    def signal(self, name: str) -> None:
        self._ask("POST", "/signal", json={"signal": name})

    def nudge(self, message: str, *, when: WhenName = "idle") -> str:
        return str(self._ask("POST", "/agent/nudge", json={"message": message, "when": when})["receipt"]["progress"])

    def respond(self, answer: Mapping[str, object]) -> str:
        return str(self._ask("POST", "/agent/respond", json=answer)["prompt_type"])

    def recording(self) -> tuple[bool, str | None]:
        reply = self._ask("GET", "/recording")
        return reply["on"], reply["path"]

    def record(self, *, on: bool) -> tuple[bool, str | None]:
        reply = self._ask("PUT", "/recording", json={"on": on})
        return reply["on"], reply["path"]

    @contextmanager
    def events(self) -> Generator[Iterator[Seen]]:
        with self.client.stream("GET", "/events") as response:
            data = (json.loads(line[6:]) for line in response.iter_lines() if line.startswith("data: "))
            yield (told for message in data if (told := seen(message)) is not None)
