"""One WebSocket to a session, for a loop that waits for several things at once. No task, no thread, no queue."""

import socket
import ssl
import time
from contextlib import suppress
from urllib.parse import urlsplit

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from coop.client.address import Address, bearer, trouble
from coop.errors import CoopError, NotReady, Silent, Unauthorized, Unreachable
from coop.wire import ws
from coop.wire.errors import CLOSE_CODE

_BLOCK = 1 << 18
_MOST = 1 << 28
"""No message of coop's is longer."""
_PORTS = {"http": 80, "https": 443}


class Channel:
    """Connects, or raises `Unreachable`; from then on nothing here waits. `fileno` says when there is something to receive."""

    def __init__(self, address: Address, token: str | None, path: str, *, within: float) -> None:
        self._address = address
        self._has_token = token is not None
        self._parts: list[bytes] = []
        self._unsent = b""
        self._protocol = ClientProtocol(parse_uri(_url(address) + path), max_size=_MOST)
        try:
            self._socket = _connected(address, within)
        except OSError as error:
            raise Unreachable(f"{address} cannot be reached: {trouble(address, error)}") from None
        try:
            self._first = self._shake_hands(token, time.monotonic() + within)
        except BaseException:
            self.close()
            raise
        self._socket.setblocking(False)

    def fileno(self) -> int:
        return self._socket.fileno()

    @property
    def is_behind(self) -> bool:
        """There is something that the connection has not taken yet."""
        return bool(self._unsent)

    def send(self, text: bytes) -> None:
        """Raises `Unreachable` when the connection is gone."""
        if self._protocol.state is not State.OPEN:
            raise self._lost()
        self._protocol.send_text(text)
        self.flush()

    def flush(self) -> None:
        data = b"".join((self._unsent, *self._protocol.data_to_send()))
        try:
            self._unsent = data[self._socket.send(data) :] if data else b""
        except (BlockingIOError, ssl.SSLWantWriteError):
            self._unsent = data
        except OSError:
            raise self._lost() from None

    def receive(self) -> list[bytes]:
        """The messages that have come. Raises `Unreachable` when none will come any more, `Unauthorized` when we were sent away."""
        messages, self._first = self._first, []
        while (data := self._read()) is not None:
            if data:
                self._protocol.receive_data(data)
            else:
                self._protocol.receive_eof()
            messages += self._taken()
            if not data or (len(data) < _BLOCK and not isinstance(self._socket, ssl.SSLSocket)):
                break  # TLS may hold back more than it gave, until it says that it wants more; but its end is told for ever
        self.flush()  # an answer to a ping
        if not messages and self._protocol.state is not State.OPEN:
            raise self._lost()
        return messages

    def close(self) -> None:
        with suppress(OSError, CoopError):
            if self._protocol.state is State.OPEN:
                self._protocol.send_close(1000)
                self.flush()
        self._socket.close()

    def _read(self) -> bytes | None:
        try:
            return self._socket.recv(_BLOCK)
        except (BlockingIOError, ssl.SSLWantReadError):
            return None
        except OSError:
            return b""

    def _taken(self) -> list[bytes]:
        """Whole messages, put together from their parts."""
        messages: list[bytes] = []
        for event in self._protocol.events_received():
            if isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                self._parts.append(bytes(event.data))
                if event.fin:
                    messages.append(b"".join(self._parts))
                    self._parts.clear()
        return messages

    def _shake_hands(self, token: str | None, until: float) -> list[bytes]:
        """The first messages: who is not let in is sent away instead."""
        request = self._protocol.connect()
        if token is not None:
            request.headers["Authorization"] = bearer(token)
        self._protocol.send_request(request)
        self.flush()
        while self._protocol.state is State.CONNECTING:
            self._wait(until)
            if self._protocol.handshake_exc is not None:
                raise Unreachable(f"{self._address} does not speak as coop does: {self._protocol.handshake_exc}")
        messages = self._taken()
        self.send(ws.encode(ws.AuthMessage(token=token or "")))  # else coop would wait for it
        while not messages and self._protocol.state is State.OPEN:
            self._wait(until)
            messages = self._taken()
        if not messages:
            raise self._lost()
        return messages

    def _wait(self, until: float) -> None:
        self._socket.settimeout(max(0.01, until - time.monotonic()))
        try:
            data = self._socket.recv(_BLOCK)
        except OSError:
            raise Silent(f"{self._address} does not answer", self._address.socket) from None
        if not data:
            raise Unreachable(f"{self._address} has hung up")
        self._protocol.receive_data(data)

    def _lost(self) -> CoopError:
        code = self._protocol.close_rcvd.code if self._protocol.close_rcvd is not None else None
        if code == CLOSE_CODE["UNAUTHORIZED"]:
            wants = "wants another token" if self._has_token else "wants its token"
            return Unauthorized(f"{self._address} {wants}")
        if code == CLOSE_CODE["NOT_READY"]:
            return NotReady(f"{self._address}: the child has not started")
        return Unreachable(f"the connection to {self._address} was cut")


def _url(address: Address) -> str:
    return "ws" + address.url.removeprefix("http")


def _connected(address: Address, within: float) -> socket.socket:
    if address.socket is not None:
        plain = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        plain.settimeout(within)
        plain.connect(address.socket)
        return plain
    parts = urlsplit(address.url)
    host = parts.hostname or "localhost"
    plain = socket.create_connection((host, parts.port or _PORTS[parts.scheme]), timeout=within)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if parts.scheme == "https":
        return ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    return plain
