"""The connections of gRPC: who is at the other end, how much is read and kept for it, and how it ends."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from grpclib.config import Configuration
from grpclib.const import Handler as Method
from grpclib.const import Status
from grpclib.encoding.proto import ProtoCodec
from grpclib.exceptions import GRPCError
from grpclib.protocol import Connection, EventsProcessor, H2Protocol
from grpclib.server import Handler, Server
from h2.config import H2Configuration
from h2.events import DataReceived, RemoteSettingsChanged
from h2.events import Event as Http2Event
from h2.exceptions import H2Error
from hpack.exceptions import HPACKError
from hyperframe.exceptions import HyperframeError
from hyperframe.frame import GoAwayFrame

from coop.errors import CoopError, TooLarge
from coop.server.guard import MAX_BODY
from coop.server.listen import HEAD_WITHIN
from coop.server.peers import NOBODY_KNOWN, Peer, peer_of
from coop.wire.errors import GRPC_STATUS, error_trailers

log = logging.getLogger("coop.server")

_WINDOW = 1024 * 1024
"""So much of one request is read ahead."""
_MOST_UNREAD = 8 * 1024 * 1024
"""Whoever asks on while so much that was sent to it lies unread is hung up on."""
_NONSENSE = (H2Error, HyperframeError, HPACKError, UnicodeDecodeError)
"""Of a client that speaks no HTTP/2: it could fill the log."""
_GOODBYE = 0.5
_IDLE = 75.0
"""A connection on which nothing is asked for so long is ended, as over HTTP; a client makes it anew when it needs it."""
_ANY_STREAM = 2**31 - 1


def refusal(error: CoopError) -> GRPCError:
    """The status an error is; `details` is the error itself, from which the trailing metadata are made."""
    return GRPCError(Status[GRPC_STATUS.get(error.code, "INTERNAL")], error_trailers(error)[0], details=error)


@dataclass(slots=True)
class Caller:
    """Who is at the other end of a connection: known when it is made."""

    peer: Peer = NOBODY_KNOWN


class _Reading(EventsProcessor):
    """Passes over what is none of our business, and ends a request that is too large."""

    def __init__(self, handler: Handler, connection: Connection, on_greeting: Callable[[], None]) -> None:
        super().__init__(handler, connection)
        self._on_greeting = on_greeting

    def process(self, event: Http2Event) -> None:
        with contextlib.suppress(NotImplementedError):
            super().process(event)

    def process_remote_settings_changed(self, event: RemoteSettingsChanged) -> None:
        super().process_remote_settings_changed(event)
        self._on_greeting()

    def process_data_received(self, event: DataReceived) -> None:
        super().process_data_received(event)
        stream = self.streams.get(event.stream_id)
        if stream is not None and stream.data_received > MAX_BODY and stream.wrapper is not None:
            stream.wrapper.cancel(refusal(TooLarge(f"the request is larger than {MAX_BODY} bytes")))


class Http2Protocol(H2Protocol):
    handler: Handler

    def __init__(
        self, handler: Handler, config: Configuration, h2: H2Configuration, caller: Caller, others: set["Http2Protocol"]
    ) -> None:
        super().__init__(handler, config, h2)
        self._caller = caller
        self._others = others

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._transport = transport
        self._caller.peer = peer_of(transport.get_extra_info("socket"))
        self._wait(HEAD_WITHIN)
        self.processor = _Reading(self.handler, self.connection, self._on_greeting)
        self._others.add(self)

    def _wait(self, seconds: float) -> None:
        self._patience = asyncio.get_running_loop().call_later(seconds, self._on_silence)

    def _on_greeting(self) -> None:
        self._patience.cancel()
        self._wait(_IDLE)

    def _on_silence(self) -> None:
        """Nobody has greeted, or nothing was asked for a while: unless something still is."""
        if self.processor.streams:
            self._wait(_IDLE)
            return
        self.say_goodbye()
        self._transport.close()
        self._patience = asyncio.get_running_loop().call_later(_GOODBYE, self._transport.abort)

    def data_received(self, data: bytes) -> None:
        if self._transport.get_write_buffer_size() > _MOST_UNREAD:
            self._transport.abort()
            return
        try:
            super().data_received(data)
        except _NONSENSE as nonsense:
            log.debug("a gRPC connection failed", exc_info=nonsense)
            self._transport.abort()
        except Exception as bug:  # nobody else is to suffer from it
            log.error("a gRPC connection failed", exc_info=bug)
            self._transport.abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        super().connection_lost(exc)
        self._patience.cancel()
        self._others.discard(self)

    def say_goodbye(self) -> None:
        """Asks the client to hang up when it has read everything."""
        if not self._transport.is_closing():
            self._transport.write(GoAwayFrame(stream_id=0, last_stream_id=_ANY_STREAM).serialize())

    def hang_up(self) -> None:
        self._transport.abort()


class Http2Server(Server):
    """Serves `services`; for those that must know their caller, `methods` makes what a caller gets."""

    def __init__(self, services: Collection[Any], methods: Callable[[Caller], Mapping[str, Method]]) -> None:
        super().__init__(services, codec=ProtoCodec(), config=Configuration(http2_stream_window_size=_WINDOW))
        self._methods = methods
        self._connections: set[Http2Protocol] = set()

    def _protocol_factory(self) -> H2Protocol:
        caller = Caller()
        methods = {**self._mapping, **self._methods(caller)}
        handler = Handler(methods, self._codec, None, self.__dispatch__)
        return Http2Protocol(handler, self._config, self._h2_config, caller, self._connections)

    def stop_accepting(self) -> None:
        if self._server is not None:
            self._server.close()

    async def leave(self) -> None:
        """Lets clients read what was sent to them, then ends every connection."""
        for connection in tuple(self._connections):
            connection.say_goodbye()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE):
                while self._connections:  # noqa: ASYNC110 - they go one by one, and nobody else asks
                    await asyncio.sleep(0.005)
        for connection in tuple(self._connections):
            connection.hang_up()
