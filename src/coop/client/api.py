"""Requests to one coop over TCP or its Unix socket; what it refuses is raised as what it is."""

from collections.abc import Mapping
from typing import Any

import httpx
import msgspec

from coop.client.address import Address, bearer, trouble
from coop.errors import ConfigError, CoopError, Silent, Unreachable
from coop.wire.decode import Body
from coop.wire.errors import decode_error

ANSWER_WITHIN = 15.0
"""How long a request may take beyond what it asks coop to wait for."""
SILENCE = 40.0
"""A stream that says nothing for so long is dead: a live one says so every 15 s."""


class Api:
    def __init__(self, address: Address, token: str | None, transport: httpx.AsyncBaseTransport | None) -> None:
        self.address = address
        headers = {b"authorization": bearer(token).encode()} if token is not None else {}
        try:
            self._client = httpx.AsyncClient(
                base_url=address.url,
                headers=headers,
                transport=transport or _transport(address),
                timeout=ANSWER_WITHIN,
            )
        except httpx.InvalidURL as error:
            raise ConfigError(f"expected unix:PATH or http://HOST:PORT, got {address.url!r}: {error}") from None

    async def close(self) -> None:
        await self._client.aclose()

    async def get(self, path: str, **query: object) -> Body:
        given = {key: str(value).lower() for key, value in query.items() if value is not None}
        return _json(await self._send(self._client.build_request("GET", path, params=given)))

    async def text(self, path: str) -> str:
        return (await self._send(self._client.build_request("GET", path))).text

    async def say(self, path: str, body: msgspec.Struct, *, method: str = "POST", wait: float = 0.0) -> Body:
        """Sends a request body, and gives coop `wait` seconds more to answer."""
        content, headers = msgspec.json.encode(body), {"content-type": "application/json"}
        request = self._client.build_request(method, path, content=content, headers=headers, timeout=ANSWER_WITHIN + wait)
        return _json(await self._send(request))

    async def stream(self, path: str, headers: Mapping[str, str]) -> httpx.Response:
        """A reply that is read as it comes; to be closed by the caller."""
        timeout = httpx.Timeout(ANSWER_WITHIN, read=SILENCE)
        return await self._send(self._client.build_request("GET", path, headers=headers, timeout=timeout), stream=True)

    async def _send(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response:
        if self._client.is_closed:
            raise closed(self.address)
        try:
            response = await self._client.send(request, stream=stream)
            if response.is_error:
                await response.aread()
        except httpx.TimeoutException:
            silence = f"{self.address} does not answer {request.method} {request.url.path}"
            raise Silent(silence, self.address.socket) from None
        except httpx.TransportError as error:
            raise Unreachable(f"{self.address} cannot be reached: {trouble(self.address, error)}") from None
        if response.is_error:
            raise self._error(response)
        return response

    def _error(self, response: httpx.Response) -> CoopError:
        try:
            error = decode_error(msgspec.json.decode(response.content))
        except msgspec.DecodeError:
            error = None
        return error or Unreachable(f"{self.address} answered {response.status_code}, and not as coop does; is it coop?")


def closed(address: Address | str) -> Unreachable:
    return Unreachable(f"the session at {address} was closed with its `with` block; use it inside, or connect again")


def _transport(address: Address) -> httpx.AsyncHTTPTransport:
    """One that makes itself ready for TLS only where it is used: that takes longer than most requests."""
    return httpx.AsyncHTTPTransport(uds=address.socket, verify=address.url.startswith("https:"))


def _json(response: httpx.Response) -> dict[str, Any]:
    try:
        return msgspec.json.decode(response.content, type=dict[str, Any])
    except msgspec.DecodeError:
        raise Unreachable(f"{response.url} did not answer with a JSON object; is it coop?") from None
