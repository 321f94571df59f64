"""Sockets, and the protocol that serves HTTP and WebSocket on them."""

import asyncio
import contextlib
import os
import socket
import stat
from pathlib import Path
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import InvalidState

from coop.errors import ConfigError
from coop.server.guard import App
from coop.server.peers import peer_of

MAX_HEAD = 64 * 1024
_BACKLOG = 512
_GOODBYE = 0.5


class Protocol(HttpToolsProtocol):
    """Tells the application who connects, and reads no endless headers."""

    _head: int | None = None
    """How much of a request's head has come; `None` outside of one."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {**self.app_state, "peer": peer_of(transport.get_extra_info("socket"))}

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head = 0

    def on_headers_complete(self) -> None:
        self._head = None
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head is not None:
            self._head += len(data)
            if self._head > MAX_HEAD and not self.transport.is_closing():
                self.send_400_response("The request's head is too large.")


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Ends a connection that talks nonsense after it was closed; uvicorn would fail on it."""

    def data_received(self, data: bytes) -> None:
        try:
            super().data_received(data)
        except InvalidState:
            self.transport.close()


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
        state: dict[str, Any] = {}
        return Protocol(self._config, self._state, state)


def _is_closing(connection: object) -> bool:
    return isinstance(connection, WebSocketsSansIOProtocol) and connection.close_sent and not connection.disconnected


def bind_tcp(host: str, port: int) -> socket.socket:
    """A listening TCP socket. Raises `ConfigError` that says what stands in the way."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise ConfigError(f"cannot listen on {host}:{port}: {error.strerror}; choose another --port, or 0 for any") from None
    return listening


def bind_unix(path: Path) -> socket.socket:
    """A listening Unix socket only its owner can use. A stale one is replaced, a live one never."""
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
