"""gRPC: the calls of a session's clients, and the listener that serves them."""

import asyncio
import logging
import socket
from contextlib import aclosing
from functools import partial
from typing import Any

import msgspec
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpclib.const import Cardinality
from grpclib.const import Handler as Method
from grpclib.events import RecvRequest, SendTrailingMetadata, listen
from grpclib.health.check import ServiceStatus
from grpclib.health.service import Health
from grpclib.reflection.service import ServerReflection
from grpclib.server import Stream
from h2.exceptions import H2Error

from coop.errors import BadRequest, CoopError, Internal, Unauthorized
from coop.server.facade import Served
from coop.server.guard import has_token
from coop.server.http2 import Caller, Http2Server, refusal
from coop.server.rpcs import ALWAYS, COMMANDS, READS, STREAMS
from coop.v1.coop_pb2 import DESCRIPTOR
from coop.wire import grpc as wire
from coop.wire.errors import error_trailers

log = logging.getLogger("coop.server")

SERVICE = DESCRIPTOR.services_by_name["Coop"]
_Stream = Stream[Any, Any]


class Calls:
    """The service, for one caller."""

    def __init__(self, served: Served, caller: Caller, running: set[asyncio.Task[Any]]) -> None:
        self._served = served
        self._caller = caller
        self._running = running

    def __mapping__(self) -> dict[str, Method]:
        return {f"/{SERVICE.full_name}/{rpc.name}": self._method(rpc) for rpc in SERVICE.methods}

    def _method(self, rpc: MethodDescriptor) -> Method:
        cardinality = Cardinality.UNARY_STREAM if rpc.server_streaming else Cardinality.UNARY_UNARY
        return Method(partial(self._call, rpc), cardinality, GetMessageClass(rpc.input_type), GetMessageClass(rpc.output_type))

    async def _call(self, rpc: MethodDescriptor, stream: _Stream) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        try:
            await (self._stream if rpc.server_streaming else self._answer)(rpc, stream)
        except CoopError as error:
            raise refusal(error) from None
        except H2Error:
            pass  # the client has gone meanwhile
        except Exception as bug:
            log.error("a call failed", extra={"rpc": rpc.name}, exc_info=bug)
            raise refusal(Internal("coop failed to answer; its log says why")) from None
        finally:
            self._running.discard(task)

    async def _answer(self, rpc: MethodDescriptor, stream: _Stream) -> None:
        reply = await self._reply(rpc.name, await _request(stream))
        await stream.send_message(wire.encode(reply, GetMessageClass(rpc.output_type)))

    async def _reply(self, rpc: str, request: Message) -> msgspec.Struct:
        if rpc in ALWAYS:
            return ALWAYS[rpc](self._served, request)
        self._served.require_started()
        if rpc in READS:
            return READS[rpc](self._served, request)
        kind, reply = COMMANDS[rpc]
        command = wire.decode(request, kind).command()
        return reply(self._served, await self._served.ask(command, self._caller.peer))

    async def _stream(self, rpc: MethodDescriptor, stream: _Stream) -> None:
        request = await _request(stream)
        self._served.require_started()
        async with aclosing(STREAMS[rpc.name](self._served, request)) as messages:
            async for message in messages:
                await stream.send_message(message)


async def _request(stream: _Stream) -> Any:
    try:
        request = await stream.recv_message()
    except (DecodeError, NotImplementedError, AssertionError) as error:
        raise BadRequest(f"request: expected a message, whole and not compressed: {error}") from None
    if request is None:
        raise BadRequest("request: expected a message, none came")
    return request


class GrpcListener:
    """Serves a session, with reflection and the standard health service, all of it behind the token."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._running: set[asyncio.Task[Any]] = set()
        self._alive = ServiceStatus()
        self._ended: asyncio.Future[Any] | None = None
        anybody = self._calls(Caller())
        services = ServerReflection.extend([anybody, Health({anybody: [self._alive]})])
        self._server = Http2Server(services, lambda caller: self._calls(caller).__mapping__())
        listen(self._server, RecvRequest, self._on_request)
        listen(self._server, SendTrailingMetadata, _on_trailers)

    def _calls(self, caller: Caller) -> Calls:
        return Calls(self._served, caller, self._running)

    async def serve(self, listening: socket.socket) -> None:
        await self._server.start(sock=listening)
        self._alive.set(self._served.life() == "running")
        if self._served.life() == "running":
            self._ended = asyncio.ensure_future(self._served.session.wait_ended())
            self._ended.add_done_callback(lambda _: self._alive.set(False))

    def stop_accepting(self) -> None:
        self._server.stop_accepting()

    async def close(self, *, within: float) -> None:
        """Lets calls and streams under way finish, then ends every connection."""
        self.stop_accepting()
        if self._running:
            await asyncio.wait(self._running, timeout=within)
        await self._server.leave()
        if self._ended is not None:
            self._ended.cancel()

    async def _on_request(self, event: RecvRequest) -> None:
        token, given = self._served.token, str(event.metadata.get("authorization", ""))
        if token is not None and not has_token(given.encode(), token):
            required = "a token is required: send the metadata 'authorization: Bearer TOKEN'"
            raise refusal(Unauthorized("the token is wrong" if given else required))


async def _on_trailers(event: SendTrailingMetadata) -> None:
    if isinstance(event.status_details, CoopError):
        event.metadata.update(error_trailers(event.status_details)[1])
