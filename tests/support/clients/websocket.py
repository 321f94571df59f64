"""The WebSocket over the Unix socket, for all that it can; HTTP for the rest."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from websockets.exceptions import ConnectionClosedOK

from coop.testing import CoopProcess
from tests.support.clients.http import HttpClient, asked, refusal, seen
from tests.support.clients.protocol import Asked, Client, Seen, Shown, WhenName
from tests.support.wire import Wire


@dataclass
class WebSocketClient(HttpClient):
    wire: Wire

    @classmethod
    @contextmanager
    def opened(cls, coop: CoopProcess, token: str | None) -> Generator[Client]:
        wire = Wire(coop, "unix", token)
        with wire.client() as client:
            client.base_url = client.base_url.join("/api/v1/")
            yield cls(client, wire)

    def _say(self, **message: object) -> dict[str, Any]:
        """Sends it, and waits for the reply that echoes its name."""
        with self.wire.stream("?mode=state") as stream:
            stream.say(**message, request_id="mine")
            while (reply := stream.next()).get("request_id") != "mine":
                pass
        if reply["type"] == "error":
            raise refusal(reply)
        return reply

    def screen(self) -> Shown:
        with self.wire.stream("?mode=raw") as stream:
            stream.say(type="screen_request")
            reply = stream.until("screen")
        cursor = (reply["cursor"]["row"], reply["cursor"]["col"])
        return Shown(tuple(reply["lines"]), reply["cols"], reply["rows"], cursor, reply["alt_screen"])

    def state(self) -> str:
        return str(self._say(type="state_request")["state"])

    def prompt(self) -> Asked | None:
        return asked(self._say(type="state_request")["prompt"])

    def type(self, text: str, *, enter: bool) -> int:
        return int(self._say(type="input", text=text, enter=enter)["bytes_written"])

    def keys(self, *keys: str) -> int:
        return int(self._say(type="keys", keys=keys)["bytes_written"])

    def resize(self, cols: int, rows: int) -> None:
        with self.wire.stream("?mode=state") as stream:
            stream.say(type="resize", cols=cols, rows=rows, request_id="mine")
            reply = stream.next()
            while reply["type"] not in ("resize", "error"):
                reply = stream.next()
        if reply["type"] == "error":
            raise refusal(reply)

    def nudge(self, message: str, *, when: WhenName = "idle") -> str:
        return str(self._say(type="nudge", message=message, when=when)["receipt"]["progress"])

    def respond(self, answer: Mapping[str, object]) -> str:
        return str(self._say(type="respond", **answer)["prompt_type"])

    @contextmanager
    def events(self) -> Generator[Iterator[Seen]]:
        with self.wire.stream("?mode=state") as stream:
            yield self._seen(stream.next)

    def _seen(self, following: Any) -> Iterator[Seen]:
        while True:
            try:
                told = seen(following())
            except ConnectionClosedOK:
                return
            if told is not None:
                yield told
