"""A client that speaks to a coop over TCP or over its Unix socket, so that one suite can hold for both."""

import base64
import json
import ssl
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import httpx
from websockets.sync.client import ClientConnection, connect, unix_connect

from coop.testing import CoopProcess, eventually

Transport = Literal["tcp", "unix"]
WITHIN = 10.0
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Nothing here is encrypted; making a client ready for it takes longer than most requests."""


@dataclass
class Stream:
    """One WebSocket, read message by message."""

    socket: ClientConnection

    def say(self, **message: object) -> None:
        self.socket.send(json.dumps(message))

    def next(self, within: float = WITHIN) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=within))
        return message

    def until(self, kind: str, claim: Callable[[dict[str, Any]], bool] = lambda _: True) -> dict[str, Any]:
        """The next message of that kind that the claim holds for."""
        while True:
            message = self.next()
            if message["type"] == kind and claim(message):
                return message

    def output_until(self, ending: bytes) -> bytes:
        """Raw output up to `ending`, checked to be without gap or overlap."""
        output, expected = b"", None
        while ending not in output:
            message = self.until("output")
            data = base64.b64decode(message["data"])
            assert expected in (None, message["offset"]), "a gap or an overlap"
            expected = message["offset"] + len(data)
            output += data
        return output


@dataclass
class Wire:
    """Requests to one coop over one transport."""

    coop: CoopProcess
    transport: Transport
    token: str | None = None

    def client(self) -> httpx.Client:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        if self.transport == "unix":
            return httpx.Client(
                transport=httpx.HTTPTransport(uds=self.coop.socket, verify=_NO_TLS),
                base_url="http://localhost",
                headers=headers,
            )
        return httpx.Client(base_url=self.coop.url, headers=headers, verify=_NO_TLS, trust_env=False)

    def request(self, method: str, path: str, **kwargs: Any) -> httpx.Response:
        with self.client() as client:
            return client.request(method, path, timeout=WITHIN, **kwargs)

    def get(self, path: str, **kwargs: Any) -> Any:
        response = self.request("GET", path, **kwargs)
        assert response.status_code == 200, response.text
        return response.json()

    def post(self, path: str, body: object) -> Any:
        response = self.request("POST", path, json=body)
        assert response.status_code == 200, response.text
        return response.json()

    def error(self, method: str, path: str, **kwargs: Any) -> tuple[int, str]:
        """The status and code of a refusal, whose envelope must be the seed's."""
        response = self.request(method, path, **kwargs)
        body = response.json()
        assert set(body) == {"error"}, body
        assert set(body["error"]) == {"code", "message"}
        assert body["error"]["message"]
        return response.status_code, body["error"]["code"]

    @contextmanager
    def stream(self, query: str = "", **kwargs: Any) -> Generator[Stream]:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= kwargs.pop("headers", {})
        if self.transport == "unix":
            opened = unix_connect(self.coop.socket, f"ws://localhost/ws{query}", additional_headers=headers, **kwargs)
        else:
            opened = connect(f"{self.coop.url.replace('http', 'ws')}/ws{query}", additional_headers=headers, **kwargs)
        with opened as socket:
            yield Stream(socket)

    def text(self) -> str:
        return self.request("GET", "/api/v1/screen/text").text

    def shows(self, text: str) -> str:
        """Waits until the screen shows it."""
        try:
            return eventually(lambda: (shown := self.text()) and text in shown and shown, what=f"{text!r} on the screen") or ""
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.text()}") from None
