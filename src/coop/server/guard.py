"""Who may come in: token, Host and Origin, and how much may be sent. Stands before everything else."""

import hmac
import ipaddress
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

from coop.errors import CoopError, Forbidden, Internal, TooLarge, Unauthorized
from coop.server.peers import NOBODY_KNOWN, Peer
from coop.wire.errors import HTTP_STATUS, encode_error

log = logging.getLogger("coop.server")

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY = 4 * 1024 * 1024
MAX_HEAD = 64 * 1024
_JSON = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})
_TOKEN_IN_QUERY = frozenset({"/ws", "/api/v1/events"})
"""Where a browser cannot set a header."""
_HAS_BODY = frozenset({b"content-length", b"transfer-encoding"})
_SAID_ONCE = (b"host", b"origin")
_FOR_BROWSERS = ((b"x-content-type-options", b"nosniff"), (b"cross-origin-resource-policy", b"same-origin"))
"""No page of somebody else's may load what is here as a script or a picture."""


class Guarded(Protocol):
    """What is behind the door: its token, if it has one, and the names it answers to beside localhost."""

    @property
    def token(self) -> str | None: ...
    @property
    def allowed_hosts(self) -> frozenset[str]: ...


class Guard:
    def __init__(self, app: App, served: Guarded, *, checks_host: bool = False) -> None:
        self._app = app
        self._served = served
        self._checks_host = checks_host
        """Even where a token is asked for."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            send = _for_browsers(send)
        try:
            self._check(scope)
            rest = await _read_ahead(scope, receive)
        except CoopError as error:
            await refuse(scope, send, error)
            return
        except Exception as bug:
            log.error("a request failed at the door", exc_info=bug)
            await refuse(scope, send, Internal("coop failed to answer; its log says why"))
            return
        if rest is not None:
            await self._app(scope, rest, send)

    def _check(self, scope: Scope) -> None:
        headers = dict[bytes, bytes](scope["headers"])
        if any(sum(name == once for name, _ in scope["headers"]) > 1 for once in _SAID_ONCE):
            raise Forbidden("expected one Host and one Origin, got several: it is not clear which of them holds")
        self._check_host(scope, headers)
        _check_origin(headers)
        if int(headers.get(b"content-length", b"0") or b"0") > MAX_BODY:
            raise _too_large()
        if sum(len(name) + len(value) for name, value in headers.items()) > MAX_HEAD:
            raise TooLarge(f"the headers are larger than {MAX_HEAD} bytes")
        if scope["type"] == "http" and not self.is_authorized(scope, headers):
            is_given = headers.get(b"authorization") or _tokens_in_query(scope)
            raise Unauthorized("the token is wrong" if is_given else "a token is required: send 'Authorization: Bearer TOKEN'")

    def _check_host(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Without a token, only names that can't be made to point here by somebody else's DNS."""
        if peer(scope).local or (self._served.token is not None and not self._checks_host):
            return
        host = _hostname(headers.get(b"host", b"").decode("latin-1"))
        if host in _LOOPBACK_NAMES or host in self._served.allowed_hosts or _is_address(host):
            return
        raise Forbidden(f"host {host!r} is not served here; reach coop as localhost, or start it with --allowed-host {host}")

    def is_authorized(self, scope: Scope, headers: dict[bytes, bytes]) -> bool:
        expected = self._served.token
        if expected is None:
            return True
        if has_token(headers.get(b"authorization", b""), expected):
            return True
        return any(same_token(given.encode(), expected) for given in _tokens_in_query(scope))


def _tokens_in_query(scope: Scope) -> list[str]:
    query = parse_qs(scope["query_string"].decode("latin-1")) if scope["path"] in _TOKEN_IN_QUERY else {}
    return query.get("token", [])


def has_token(authorization: bytes, expected: str) -> bool:
    scheme, _, token = authorization.partition(b" ")
    return scheme.lower() == b"bearer" and same_token(token.strip(), expected)


def same_token(given: bytes, expected: str) -> bool:
    return hmac.compare_digest(given, expected.encode())


def peer(scope: Scope) -> Peer:
    found = scope.get("state", {}).get("peer", NOBODY_KNOWN)
    assert isinstance(found, Peer)
    return found


def abort(scope: Scope) -> None:
    """Ends the connection without another word."""
    scope["state"]["abort"]()


async def refuse(scope: Scope, send: Send, error: CoopError) -> None:
    """Answers with the error; a WebSocket is not opened."""
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    status = HTTP_STATUS.get(error.code, 500)
    await send({"type": f"{kind}.start", "status": status, "headers": [*_JSON, (b"connection", b"close")]})
    await send({"type": f"{kind}.body", "body": encode_error(error)})


def _check_origin(headers: dict[bytes, bytes]) -> None:
    """A page may only talk to the coop it came from. What is not a browser sends no Origin."""
    origin = headers.get(b"origin")
    if origin is not None and _netloc(origin.decode("latin-1")) != headers.get(b"host", b"").decode("latin-1").lower():
        raise Forbidden("requests from pages of another origin are refused")
    is_asked_by_a_page = headers.get(b"sec-fetch-site", b"none") not in (b"none", b"same-origin")
    if is_asked_by_a_page and headers.get(b"sec-fetch-mode") != b"navigate":  # following a link is a person's doing
        raise Forbidden("requests from pages of another origin are refused")


def _netloc(origin: str) -> str | None:
    """`None` when it is no origin at all."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _hostname(host: str) -> str:
    """Without the port; an IPv6 address keeps its brackets."""
    address, bracket, port = host.rpartition("]")
    name = address + bracket if bracket and port[:1] in ("", ":") else host.partition(":")[0]
    return name.lower()


def _is_address(host: str) -> bool:
    """An address is not a name: no DNS server can lie about it."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _for_browsers(send: Send) -> Send:
    async def send_with_rules(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *_FOR_BROWSERS]}
        await send(message)

    return send_with_rules


async def _read_ahead(scope: Scope, receive: Receive) -> Receive | None:
    """The body as one message, and then what comes after it: an application of somebody else's knows no limit of ours.

    `None` when whoever asked has hung up before the end of it: nothing was asked, and nobody waits for an answer.
    """
    if scope["type"] != "http" or not _HAS_BODY.intersection(name for name, _ in scope["headers"]):
        return receive
    body = bytearray()
    message: Message = {"more_body": True}
    while message.get("more_body"):
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            raise _too_large()
    read = [{**message, "body": bytes(body)}]

    async def receive_rest() -> Message:
        return read.pop() if read else await receive()

    return receive_rest


def _too_large() -> TooLarge:
    return TooLarge(f"the body is larger than {MAX_BODY} bytes")
