"""The WebSocket: one connection, its reader and its writer."""

import asyncio
import base64
import contextlib
import logging
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import NoReturn
from urllib.parse import parse_qs

import msgspec

from coop.errors import BadRequest, CoopError, Internal
from coop.model.commands import Command, Delivered, Done, Leased, Typed
from coop.model.events import Resized, SessionEnded
from coop.model.records import ConnectionGone
from coop.model.screen import ScreenSnapshot
from coop.server.facade import Served, unexpected
from coop.server.guard import Receive, Scope, Send, abort, peer, same_token
from coop.server.routes import nudged, responded
from coop.server.streams import BURST, FRAME, FRAME_INTERVAL, HALF_FRAME_AT_MOST, breathe
from coop.session.bus import Subscription
from coop.session.core import SessionCore
from coop.wire import ws as wire
from coop.wire.errors import CLOSE_CODE
from coop.wire.http import query as query_as

log = logging.getLogger("coop.server")

_AUTH_WITHIN = 5.0
_GOODBYE = 2.0
_INTERNAL = 1011
_BUG = "coop failed; its log says why"
_MOST_DELIVERIES = 16
"""So many nudges and answers of one connection may be under way; what comes after waits."""
_MOST_DUMPS = 16
"""So many may be asked for before the first is sent, likewise."""
_TURN = 0.001
"""So long may the messages of one connection be worked on before it is somebody else's turn: more than a keystroke takes."""
_NORMAL, _UNAUTHORIZED, _NOT_READY = 1000, CLOSE_CODE["UNAUTHORIZED"], CLOSE_CODE["NOT_READY"]


class _Closed(Exception):
    """The connection has ended, by whichever side."""


class Frames:
    """Encoded output messages. Frames end at fixed offsets, so that many readers of a flood share one encoding."""

    def __init__(self, core: SessionCore) -> None:
        self._ring = core.ring
        self._encoded: OrderedDict[tuple[int, int], str] = OrderedDict()

    def since(self, offset: int) -> tuple[str, int]:
        """The message that begins at `offset`, which the ring must still have, and the offset after it."""
        end = min(self._ring.total, (offset // FRAME + 1) * FRAME)
        key = (offset, end)
        if key not in self._encoded:
            self._encoded[key] = wire.output(self._ring.since(offset, end - offset).data, offset).decode()
            if len(self._encoded) > 16:
                self._encoded.popitem(last=False)
        return self._encoded[key], end


class WebSocketApp:
    def __init__(self, served: Served, is_authorized: Callable[[Scope, dict[bytes, bytes]], bool]) -> None:
        self._served = served
        self._is_authorized = is_authorized
        self._frames = Frames(served.core)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        await send({"type": "websocket.accept"})
        connection = Connection(self._served, self._frames, scope, receive, send)
        authorized = self._is_authorized(scope, dict(scope["headers"]))
        try:
            await connection.run(authorized=authorized)
        except* (_Closed, OSError):
            pass  # the client has gone, or was sent away
        except* Exception as bugs:
            log.error("a WebSocket failed", exc_info=bugs)
            with contextlib.suppress(RuntimeError, OSError):
                await send({"type": "websocket.send", "text": wire.encode(wire.error(Internal(_BUG))).decode()})
                await send({"type": "websocket.close", "code": _INTERNAL, "reason": _BUG})


class Connection:
    def __init__(self, served: Served, frames: Frames, scope: Scope, receive: Receive, send: Send) -> None:
        self._served = served
        self._frames = frames
        self._receive = receive
        self._send = send
        self._scope = scope
        self._id = served.session.new_connection()
        self._offset = 0
        self._shown: ScreenSnapshot | None = None
        self._next_frame = 0.0
        self._changed_at: float | None = None
        self._frame_timer: asyncio.TimerHandle | None = None
        self._replay_to = 0
        self._dumps_for: deque[wire.Echoed] = deque()
        self._dumps = asyncio.Semaphore(_MOST_DUMPS)
        self._deliveries = asyncio.Semaphore(_MOST_DELIVERIES)

    async def run(self, *, authorized: bool) -> None:
        if not authorized:
            await self._authenticate()
        if self._served.core.pid is None:
            await self._close(_NOT_READY, "the child has not started")
        try:
            query = _query(self._scope)
        except BadRequest as error:
            await self._say(wire.error(error))
            await self._close(_NORMAL, "bad request")
        session = self._served.session
        session.connections += 1
        try:
            with session.bus.subscribed(to_output=query.raw or query.screen) as subscription:
                await self._converse(query, subscription)
        finally:
            session.connections -= 1
            session.post(ConnectionGone(self._id))
            if self._frame_timer is not None:
                self._frame_timer.cancel()

    async def _converse(self, query: wire.StreamQuery, subscription: Subscription) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._write(query, subscription))
            tasks.create_task(self._read(query, subscription, tasks))

    # From the client

    async def _authenticate(self) -> None:
        token = self._served.token
        assert token is not None
        with contextlib.suppress(TimeoutError, BadRequest):
            async with asyncio.timeout(_AUTH_WITHIN):
                message = wire.decode(await self._next())
                if isinstance(message, wire.AuthMessage) and same_token(message.token.encode(), token):
                    return
        await self._close(_UNAUTHORIZED, "unauthorized")

    async def _next(self) -> str | bytes:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise _Closed
        text: str | None = message.get("text")
        data: bytes = message.get("bytes") or b""
        return data if text is None else text

    async def _read(self, query: wire.StreamQuery, subscription: Subscription, tasks: asyncio.TaskGroup) -> None:
        """In order; but neither whoever waits for a proof of delivery nor whoever says much at once keeps others waiting."""
        loop, busy = asyncio.get_running_loop(), 0.0
        async for text in self._messages():
            began = loop.time()
            await self._heard(text, query, subscription, tasks)
            busy += loop.time() - began
            if busy > _TURN:  # what has come already is answered without ever waiting
                busy = 0.0
                await asyncio.sleep(0)

    async def _heard(
        self, text: str | bytes, query: wire.StreamQuery, subscription: Subscription, tasks: asyncio.TaskGroup
    ) -> None:
        try:
            message = wire.decode(text)
        except BadRequest as error:
            await self._say(wire.error(error, wire.request_of(text)))
            return
        if isinstance(message, wire.NudgeMessage | wire.RespondMessage):
            await self._deliveries.acquire()
            tasks.create_task(self._deliver(message, query, subscription))
            await asyncio.sleep(0)  # it is asked for before what comes next
        else:
            await self._answered(message, query, subscription)

    async def _deliver(self, message: wire.FromClient, query: wire.StreamQuery, subscription: Subscription) -> None:
        try:
            await self._answered(message, query, subscription)
        finally:
            self._deliveries.release()

    async def _answered(self, message: wire.FromClient, query: wire.StreamQuery, subscription: Subscription) -> None:
        try:
            await self._answer(message, query, subscription)
        except CoopError as error:
            await self._say(wire.error(error, message.request_id))

    async def _messages(self) -> AsyncIterator[str | bytes]:
        while True:
            yield await self._next()

    async def _answer(self, message: wire.FromClient, query: wire.StreamQuery, subscription: Subscription) -> None:
        match message:
            case wire.PingMessage():
                await self._say(wire.PongMessage(message.request_id))
            case wire.ScreenRequestMessage():
                await self._say(wire.screen(self._served.core.screen.snapshot(), message.request_id))
            case wire.StateRequestMessage():
                await self._say(wire.state(self._served.state(), message.request_id))
            case wire.DumpRequestMessage():
                await self._dumps.acquire()
                self._dumps_for.append(message.request_id)  # from the writer, in its turn: what it sends is in order
                subscription.stir()
            case wire.ReplayMessage(offset=offset):
                await self._replay(offset, query)
                subscription.stir()
            case wire.AuthMessage():
                self._check_token(message.token)
            case wire.ResizeMessage() if query.dumps:  # a visitor's terminal, which goes with its visitor
                await self._perform(message, replace(message.command(), while_there=True))
            case _:
                await self._perform(message, message.command())

    def _check_token(self, token: str) -> None:
        """Said again after the door: harmless when right."""
        if self._served.token is not None and not same_token(token.encode(), self._served.token):
            raise BadRequest("token: this is not the token of this session")

    async def _perform(self, message: wire.CommandMessage, command: Command) -> None:
        outcome = await self._served.ask(command, peer(self._scope), self._id)
        match outcome:
            case Leased(held, expires_in):
                await self._say(wire.LockReply(held, expires_in, message.request_id))
            case Typed(count):
                if message.request_id is not None:
                    await self._say(wire.InputReply(count, message.request_id))
            case Done():
                if message.request_id is not None:
                    await self._say(wire.InputReply(0, message.request_id))
            case Delivered():
                await self._say(_delivered(outcome, message))
            case _:
                raise unexpected(outcome)

    async def _replay(self, offset: int, query: wire.StreamQuery) -> None:
        """From there on, joined to what is live: the stream simply goes back, as far as bytes are kept."""
        ring = self._served.core.ring
        self._offset = min(max(offset, ring.start), ring.total)
        self._replay_to = 0 if query.raw else ring.total
        if offset < self._offset and offset < ring.start:
            await self._say(wire.LaggedMessage(offset=offset, next_offset=self._offset))

    # To the client

    async def _write(self, query: wire.StreamQuery, subscription: Subscription) -> None:
        subscription.take()  # the snapshot has it all
        self._offset, is_over = self._served.core.ring.total, self._served.core.ended is not None
        if query.state:
            await self._say(wire.state(self._served.state()))
        if query.dumps:
            await self._say(self._dump())
        if is_over:
            await self._finish(query, subscription)
        while True:
            if await self._send_output(query) >= BURST:
                await breathe(self._served)
            if query.screen:
                await self._send_screen(query, subscription)
            await self._send_events(query, subscription)
            await subscription.wait()

    async def _send_output(self, query: wire.StreamQuery) -> int:
        """All there is to send; how much it was."""
        while self._dumps_for:
            self._dumps.release()
            await self._say(self._dump(self._dumps_for.popleft()))
        ring, sent = self._served.core.ring, 0
        while self._offset < (ring.total if query.raw else self._replay_to):
            if self._offset < ring.start:
                await self._say(self._fallen_behind())
                continue
            text, end = self._frames.since(self._offset)
            sent, self._offset = sent + end - self._offset, end
            await self._transmit(text)
        if not query.raw:
            self._replay_to = 0
        return sent

    def _fallen_behind(self) -> wire.LaggedMessage:
        """Lost bytes cannot be made up for, but the screen they drew can: go on from now."""
        core = self._served.core
        lost = self._offset
        self._offset = core.ring.total
        self._served.session.bus.lost_bytes += self._offset - lost
        dump = base64.b64encode(core.screen.dump()).decode()
        size = core.screen.size  # it may be another by now, and the event that says so come later
        return wire.LaggedMessage(offset=lost, next_offset=self._offset, dump=dump, cols=size.cols, rows=size.rows)

    def _dump(self, request_id: wire.Echoed = None) -> wire.DumpMessage:
        """The screen as it is now; output goes on from there."""
        core = self._served.core
        self._offset = core.ring.total
        return wire.dump(core.screen.dump(), self._offset, core.screen.size, request_id)

    async def _send_screen(self, query: wire.StreamQuery, subscription: Subscription, *, at_once: bool = False) -> None:
        screen, loop = self._served.core.screen, asyncio.get_running_loop()
        if self._shown is not None and self._shown.seq == screen.seq:
            return
        wait = self._frame_due(loop.time()) - loop.time()
        if wait > 0 and not at_once:
            if self._frame_timer is None:
                self._frame_timer = loop.call_later(wait, self._on_frame_time, subscription)
            return
        before, self._shown, self._changed_at = self._shown, screen.snapshot(), None
        self._next_frame = loop.time() + FRAME_INTERVAL
        await self._say(wire.screen_delta(before, self._shown) if query.delta and before else wire.screen(self._shown))

    def _frame_due(self, now: float) -> float:
        """A frame the program is still drawing is waited for, but not for ever."""
        if self._changed_at is None:
            self._changed_at = now
        if self._served.core.screen.in_synchronized_update and self._shown is not None:
            return max(self._next_frame, self._changed_at + HALF_FRAME_AT_MOST)
        return self._next_frame

    def _on_frame_time(self, subscription: Subscription) -> None:
        self._frame_timer = None
        subscription.stir()

    async def _send_events(self, query: wire.StreamQuery, subscription: Subscription) -> None:
        missed, events = subscription.take()
        if missed:
            events = tuple(event for event in events if isinstance(event.fact, SessionEnded))  # the state has the rest
            size = self._served.core.screen.size
            await self._say(wire.LaggedMessage(missed_events=missed, cols=size.cols, rows=size.rows))
            await self._say(wire.state(self._served.state()))
            if query.dumps:  # one of them may have been a new size
                await self._say(self._dump())
        for event in events:
            if isinstance(event.fact, SessionEnded):
                await self._finish(query, subscription)
                return
            if query.dumps and isinstance(event.fact, Resized):
                await self._say(self._dump())
            message = wire.event(event)
            if query.state or not isinstance(message, wire.StateChangeMessage):
                await self._say(message)

    async def _finish(self, query: wire.StreamQuery, subscription: Subscription) -> None:
        status = self._served.core.ended
        assert status is not None
        await self._send_output(query)
        if query.screen:
            await self._send_screen(query, subscription, at_once=True)
        await self._say(wire.exit_of(status))
        if not self._served.keep_alive:
            await self._close(_NORMAL, "the child has exited")

    async def _say(self, message: wire.ToClient) -> None:
        await self._transmit(wire.encode(message).decode())

    async def _transmit(self, text: str) -> None:
        try:
            await self._send({"type": "websocket.send", "text": text})
        except RuntimeError:  # uvicorn's word for a connection that was closed meanwhile
            raise _Closed from None

    async def _close(self, code: int, reason: str) -> NoReturn:
        """Says goodbye, but does not wait for ever for somebody who does not listen."""
        try:
            async with asyncio.timeout(_GOODBYE):
                await self._send({"type": "websocket.close", "code": code, "reason": reason})
        except TimeoutError:
            abort(self._scope)
        except RuntimeError:
            pass  # closed already
        raise _Closed


def _delivered(outcome: Delivered, message: wire.CommandMessage) -> wire.ToClient:
    if isinstance(message, wire.RespondMessage):
        return wire.RespondReply(**msgspec.structs.asdict(responded(outcome)), request_id=message.request_id)
    return wire.NudgeReply(**msgspec.structs.asdict(nudged(outcome)), request_id=message.request_id)


def _query(scope: Scope) -> wire.StreamQuery:
    given = {key: values[-1] for key, values in parse_qs(scope["query_string"].decode("latin-1")).items()}
    return query_as(given, wire.StreamQuery)
