"""Sockets, and the protocol that serves HTTP and WebSocket on them."""

import asyncio
import contextlib
import errno
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import InvalidState
from websockets.http11 import Response
from websockets.server import ServerProtocol

from coop.errors import BadRequest, ConfigError, CoopError, Forbidden, Internal, NotAllowed
from coop.model.runtime import LONGEST_SOCKET_PATH
from coop.server.alone import alone_in
from coop.server.guard import MAX_HEAD, App
from coop.server.peers import peer_of
from coop.wire.errors import encode_error

HEAD_WITHIN = 10.0
"""A connection that has not asked for anything by then is ended."""
_BACKLOG = 512
_GOODBYE = 0.5
_REFUSALS: dict[int, type[CoopError]] = {403: Forbidden, 405: NotAllowed, 500: Internal}
"""What a handshake is refused as by its status; else it is a bad request."""


class Protocol(HttpToolsProtocol):
    """Tells the application who connects; waits for no head for ever, and reads no endless one."""

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        super().__init__(config, server_state, app_state)
        self._unparsed = 0
        """How much has come since the request last got further: a head or a trailer that never ends."""
        self._cycles: list[RequestResponseCycle] = []
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {**self.app_state, "peer": peer_of(transport.get_extra_info("socket")), "abort": transport.abort}
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._be_patient()
        for cycle in self._cycles:  # of pipelined requests, uvicorn tells the last one only
            cycle.disconnected = True
            cycle.message_event.set()

    def data_received(self, data: bytes) -> None:
        self._unparsed += len(data)
        before = self._unparsed
        if self._patience is None and self._cycles and all(cycle.response_complete for cycle in self._cycles):
            self._wait_for_head()  # of the next request: uvicorn waits only for its first byte
        super().data_received(data)
        if self._unparsed == before > MAX_HEAD and not self.transport.is_closing():
            self.send_400_response("The request's head or trailer is too large.")
            self.transport.abort()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._unparsed = 0

    def on_headers_complete(self) -> None:
        self._be_patient()
        before = self.cycle
        super().on_headers_complete()
        self._unparsed = 0
        self._cycles = [cycle for cycle in self._cycles if not cycle.response_complete]
        if self.cycle is not before:  # else it is a handshake, which is another protocol's
            self._cycles.append(self.cycle)

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._unparsed = 0

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._unparsed = 0

    def handle_websocket_upgrade(self) -> None:
        """Another protocol would take the connection from under what is still being answered on it, which then would never end."""
        if all(cycle.response_complete for cycle in self._cycles):
            super().handle_websocket_upgrade()
        else:
            self.send_400_response("A WebSocket wants a connection of its own: another request is under way on this one.")

    def send_400_response(self, msg: str) -> None:
        """What is no request at all is answered as any other that is wrong."""
        body = encode_error(BadRequest(msg))
        head = b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
        self.transport.write(head % len(body) + body)
        self.transport.close()

    def _wait_for_head(self) -> None:
        self._patience = self.loop.call_later(HEAD_WITHIN, self.transport.abort)

    def _be_patient(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


class _Handshake(ServerProtocol):
    """Refuses in the envelope, as all that is refused here."""

    def reject(self, status: int, text: str) -> Response:
        response = super().reject(status, text)
        body = encode_error(_REFUSALS.get(response.status_code, BadRequest)(text.strip()))
        for name, value in (("Content-Type", "application/json"), ("Content-Length", str(len(body)))):
            del response.headers[name]
            response.headers[name] = value
        response.body = body
        return response


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Answers what is no handshake, and ends a connection that talks nonsense after it was closed; uvicorn does neither."""

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        super().__init__(config, server_state, app_state)
        self.conn = _Handshake(max_size=config.ws_max_size, logger=self.conn.logger)

    def data_received(self, data: bytes) -> None:
        try:
            super().data_received(data)
        except InvalidState:
            self.transport.close()
        if not self.handshake_initiated:
            self._refuse_head()

    def _refuse_head(self) -> None:
        """The head comes whole and first: what has made no request of it never will, and nothing else looks at it again."""
        why = "; ".join(_reasons(self.conn.handshake_exc))
        self.handshake_complete = self.close_sent = True
        self.transport.write(self.conn.reject(400, f"Failed to open a WebSocket connection: {why}.").serialize())
        self.transport.close()

    def handle_ping(self) -> None:
        """Pongs nobody reads would pile up."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.transport.abort()


class Listeners:
    """Accepts on any number of sockets, TCP and Unix, on the running loop."""

    def __init__(self, app: App) -> None:
        self._config = Config(
            app,  # pyright: ignore[reportArgumentType]
            http=Protocol,
            ws=WebSocketProtocol,
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=75,
            ws_max_size=4 * 1024 * 1024,
            ws_per_message_deflate=False,
        )
        self._config.load()
        self._state = ServerState()
        self._servers: list[asyncio.AbstractServer] = []

    async def serve(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        create = loop.create_unix_server if listening.family == socket.AF_UNIX else loop.create_server
        self._servers.append(await create(self._protocol, sock=listening, backlog=_BACKLOG))

    def stop_accepting(self) -> None:
        for server in self._servers:
            server.close()

    async def close(self, *, within: float) -> None:
        """Lets requests and streams under way finish, then ends every connection."""
        self.stop_accepting()
        if self._state.tasks:
            _, late = await asyncio.wait(self._state.tasks, timeout=within)
            for task in late:
                task.cancel()
        await self._goodbyes()
        for connection in list(self._state.connections):
            connection.shutdown()

    async def _goodbyes(self) -> None:
        """Lets WebSocket clients say goodbye too: some lose what they have not read yet when hung up on."""
        loop = asyncio.get_running_loop()
        until = loop.time() + _GOODBYE
        # uvicorn tells nobody when a connection is gone, so we look.
        while loop.time() < until and any(_is_closing(connection) for connection in self._state.connections):  # noqa: ASYNC110
            await asyncio.sleep(0.005)

    def _protocol(self) -> asyncio.Protocol:
        return Protocol(self._config, self._state, {})


def _reasons(error: BaseException | None) -> Iterator[str]:
    while error is not None:
        yield str(error)
        error = error.__cause__


def _is_closing(connection: object) -> bool:
    return isinstance(connection, WebSocketsSansIOProtocol) and connection.close_sent and not connection.disconnected


def bind_tcp(host: str, port: int, *, option: str = "--port", host_option: str = "--host") -> socket.socket:
    """A listening TCP socket. Raises `ConfigError` that says what stands in the way."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except (OSError, UnicodeError) as error:
        listening.close()
        other = f"{host_option}: an address of this machine" if _is_of_host(error) else f"{option}, or 0 for any"
        said = error.strerror if isinstance(error, OSError) else "it is no name of a machine"
        raise ConfigError(f"cannot listen on {host}:{port}: {said}; choose another {other}") from None
    return listening


def _is_of_host(error: OSError | UnicodeError) -> bool:
    """Is it the address that stands in the way, rather than the port?"""
    return not isinstance(error, OSError) or isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL


def bind_unix(path: Path) -> socket.socket:
    """A listening Unix socket only its owner can use. A stale one is replaced, a live one never."""
    _refuse_long(path)
    # What is bound but does not listen yet looks stale: between the first look and the last step there is nobody else.
    with alone_in(path.parent):
        _remove_stale(path)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        mask = os.umask(0o177)
        try:
            listening.bind(str(path))
            listening.listen(_BACKLOG)
        except OSError as error:
            listening.close()
            raise ConfigError(f"cannot listen on {path}: {error.strerror or error}") from None
        finally:
            os.umask(mask)
    return listening


def _refuse_long(path: Path) -> None:
    """Of a Unix socket the system takes no longer one, and says so without a reason that could be told."""
    if (length := len(os.fsencode(path))) > LONGEST_SOCKET_PATH:
        raise ConfigError(
            f"cannot listen on {path}: a socket's path has {LONGEST_SOCKET_PATH} bytes at most, and this one {length}; "
            "set XDG_RUNTIME_DIR to a shorter path, or choose a shorter --name or --socket"
        )


def _remove_stale(path: Path) -> None:
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise ConfigError(f"{path} is there and is not a socket; choose another path")
    except FileNotFoundError:
        return
    probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        probe.settimeout(1.0)
        probe.connect(str(path))
    except (ConnectionRefusedError, FileNotFoundError):
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
        return
    except OSError:
        pass  # it may be alive but slow: leave it
    finally:
        probe.close()
    raise ConfigError(f"{path} is in use by a running session; choose another --name or --socket")
