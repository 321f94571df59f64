"""A session of coop, wherever it runs."""

import asyncio
import base64
import math
import os
import signal as signals
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from enum import Enum
from types import UnionType
from typing import Any, Literal, TypeAlias, TypeVar, get_args, overload
from urllib.parse import quote

import httpx

from coop.client.address import address_of
from coop.client.api import Api
from coop.client.events import PATIENCE, EventStream
from coop.client.finding import find
from coop.client.follow import Follower, Position, state_in
from coop.client.opening import Opening
from coop.errors import BadRequest
from coop.errors import Exited as ChildExited
from coop.model.commands import Answer, Receipt, When
from coop.model.prompt import Prompt
from coop.model.screen import ScreenSnapshot, Size
from coop.model.state import AgentState, Exited, Prompted
from coop.model.stop import DEFAULT_REASON, MOST_BLOCKS, StopMode
from coop.model.view import Answered, Health, OutputChunk, ProcessStatus, RecordingStatus, Snapshot, StopGate
from coop.wire import decode, http, replies

E = TypeVar("E", bound=Enum)
S = TypeVar("S", bound=AgentState | Prompt)
Kind: TypeAlias = type[S]
"""A class of states (`Idle`) or of prompts (`Permission`)."""
_RECORDING = "/api/v1/recording"
_TO_ANSWER = 5.0
"""However short a wait is to be: what is there already is found, and a coop that is only slow has an answer."""


def connect(url: str, *, token: str | None = None, transport: httpx.AsyncBaseTransport | None = None) -> Opening["Session"]:
    """The session at `unix:PATH` or `http://HOST:PORT`, or of that whole name. Raises `Unreachable` or
    `NoSuchSession` when there is none, `Unauthorized` without its token.

    `transport` is for what httpx can do beyond that: proxies, certificates of your own, a server within this process.
    """
    return Opening(_connected(url, token, transport))


@asynccontextmanager
async def _connected(url: str, token: str | None, transport: httpx.AsyncBaseTransport | None) -> AsyncGenerator["Session"]:
    session = Session(Api(address_of(await _located(url)), token, transport))
    try:
        await session.health()
        yield session
    finally:
        await session.close()


async def _located(word: str) -> str:
    """What has a colon is an address; what has none is looked for."""
    return word if ":" in word else await asyncio.to_thread(find, word, os.environ)


class NotInTime(TimeoutError):
    """What was waited for did not come."""

    def __init__(self, message: str, seen: AgentState | None) -> None:
        super().__init__(message)
        self.seen = seen
        """`None` when coop has not answered at all."""


class NotAnyMore(ChildExited):
    """What was waited for did not come, and the child has exited."""

    def __init__(self, message: str, seen: AgentState | None) -> None:
        super().__init__(message)
        self.seen = seen


class Session:
    """What can be seen of a session, and done to it. What coop refuses is raised as one of `coop.errors`."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._streams: list[EventStream] = []

    def __repr__(self) -> str:
        return f"<Session {self.address}>"

    @property
    def address(self) -> str:
        """Where it is, as `connect` takes it."""
        return str(self._api.address)

    async def close(self) -> None:
        for stream in self._streams:
            await stream.aclose()
        await self._api.close()

    # What there is to see

    async def state(self) -> AgentState:
        """What the agent is doing."""
        return (await self.snapshot()).state

    async def snapshot(self) -> Snapshot:
        """The state, and everything that is known of the agent beside it."""
        return decode.snapshot(await self._api.get("/api/v1/agent/state"))

    async def prompt(self) -> Prompt | None:
        """What the agent asks on its screen; `None` when it asks nothing."""
        state = await self.state()
        return state.prompt if isinstance(state, Prompted) else None

    async def explain(self) -> Mapping[str, Any]:
        """Why the state is what it is said to be, for people to read."""
        return await self._api.get("/api/v1/agent/explain")

    async def screen(self, *, ansi: bool = False) -> ScreenSnapshot:
        """The screen; with `ansi` its lines have their colours."""
        return replies.screen(await self._api.get("/api/v1/screen", format="ansi" if ansi else "text"))

    async def text(self) -> str:
        """The screen, a line a row."""
        return await self._api.text("/api/v1/screen/text")

    async def scrollback(self, rows: int) -> tuple[str, ...]:
        """The last rows that scrolled away, at most so many."""
        return replies.scrollback(await self._api.get("/api/v1/screen", scrollback=rows))

    async def output(self, offset: int = 0, *, limit: int | None = None) -> OutputChunk:
        """Raw output from an offset on."""
        return replies.output(await self._api.get("/api/v1/output", offset=offset, limit=limit))

    async def health(self) -> Health:
        return replies.health(await self._api.get("/api/v1/health"))

    async def status(self) -> ProcessStatus:
        return replies.status(await self._api.get("/api/v1/status"))

    # What happens

    def events(self, *, after: Position | None = None, patience: float = PATIENCE) -> EventStream:
        """Everything that happens, from now on or `after` an event that was read before: its epoch and its seq."""
        _refuse_no_position(after)
        _refuse_nan(patience, "patience")
        stream = EventStream(self._api, Follower(after, clock=time.monotonic), patience=patience)
        self._streams = [*(each for each in self._streams if not each.is_closed), stream]
        return stream

    @overload
    async def wait_for(self, kind: Kind[S], timeout: float | None = None) -> S: ...
    @overload
    async def wait_for(self, kind: UnionType, timeout: float | None = None) -> AgentState | Prompt: ...
    async def wait_for(self, kind: Kind[S] | UnionType, timeout: float | None = None) -> AgentState | Prompt:
        """The state, or the prompt, of that kind: `Idle`, `Permission`, `Idle | Prompted`. At once when it is there, whatever the
        `timeout`: it begins when coop has said how things stand.

        Raises `NotInTime`, a `TimeoutError` that tells what was seen last, and `errors.Exited` when the child ends and it cannot come any more.
        """
        _refuse_no_kind(kind)
        _refuse_nan(timeout, "timeout")
        seen: AgentState | None = None
        patience = max(timeout, _TO_ANSWER) if timeout is not None else None
        try:
            async with asyncio.timeout(patience) as limit, self.events() as events:
                async for item in events:
                    is_first, seen = seen is None, state_in(item) or seen
                    if (found := _of_kind(seen, kind)) is not None:
                        limit.reschedule(None)  # what has come is not late, however long the hanging up takes
                        return found
                    if isinstance(seen, Exited):
                        break
                    if is_first and timeout is not None:
                        limit.reschedule(asyncio.get_running_loop().time() + timeout)
        except TimeoutError:
            late = (
                f"did not come within {timeout:g} s; last seen: {seen}"
                if seen
                else f"may have come: {self.address} does not answer"
            )
            raise NotInTime(f"{_name(kind)} {late}", seen) from None
        raise NotAnyMore(f"the child has exited while {_name(kind)} was waited for; last seen: {seen}", seen)

    # What can be done

    async def nudge(
        self,
        message: str,
        *,
        when: When | Literal["idle", "queue", "interrupt", "steer"] = When.IDLE,
        raw: bool = False,
        keep_draft: bool = False,
        wait: float = 3.0,
        key: str | None = None,
    ) -> Receipt:
        """Tells the agent something; returns when it has shown that it took the message.

        Raises `AgentBusy` when it cannot be told now, and `Unverified` when nothing has shown within `wait` seconds.
        """
        _refuse_nan(wait, "wait")
        body = http.NudgeRequest(message, _among(When, when, "when").value, raw, keep_draft, wait, key)
        reply = await self._api.say("/api/v1/agent/nudge", body, wait=wait)
        return replies.receipt(reply.get("receipt", {}))

    async def receipt(self, receipt: Receipt | str) -> Receipt:
        """What has become of a nudge."""
        identity = receipt if isinstance(receipt, str) else receipt.id
        return replies.receipt(await self._api.get(f"/api/v1/receipts/{quote(identity, safe='')}"))

    async def respond(
        self,
        accept: bool | None = None,
        *,
        option: int | None = None,
        text: str | None = None,
        answers: Sequence[Answer] = (),
        always: bool = False,
        prompt: Prompt | str | None = None,
        by_keys: bool = False,
    ) -> Answered:
        """Answers what the agent asks. With `prompt`, what was seen, nothing else is answered: `PromptChanged` is raised."""
        each = tuple(http.AnswerRequest(options=answer.options, text=answer.text) for answer in answers)
        identity = prompt if isinstance(prompt, str) or prompt is None else prompt.id
        body = http.RespondRequest(accept, option, text, each, always, identity, by_keys)
        return replies.answered(await self._api.say("/api/v1/agent/respond", body))

    async def type(self, text: str, *, enter: bool = False) -> int:
        """Types text; returns how many bytes the terminal took."""
        return replies.bytes_written(await self._api.say("/api/v1/input", http.InputRequest(text, enter)))

    async def write(self, data: bytes) -> int:
        """Writes bytes as they are; returns how many of them the terminal took."""
        body = http.RawInputRequest(base64.b64encode(data).decode())
        return replies.bytes_written(await self._api.say("/api/v1/input/raw", body))

    async def keys(self, *keys: str) -> int:
        """Presses `Enter`, `Escape`, `Up`, `F5`, `Ctrl-C`…; returns how many bytes the terminal took."""
        return replies.bytes_written(await self._api.say("/api/v1/input/keys", http.KeysRequest(keys)))

    async def resize(self, cols: int, rows: int) -> Size:
        return replies.size(await self._api.say("/api/v1/resize", http.ResizeRequest(cols, rows)))

    async def signal(self, signal: str | signals.Signals) -> None:
        """Sends `SIGINT`, `INT` or `signal.SIGINT` to the child's process group."""
        name = signal.name if isinstance(signal, signals.Signals) else signal
        await self._api.say("/api/v1/signal", http.SignalRequest(name))

    async def shut_down(self, grace: float = 10.0) -> float:
        """Ends the session, and coop with it; returns how long the child has to go by itself, which is 10 seconds at most."""
        return replies.grace(await self._api.say("/api/v1/shutdown", http.ShutdownRequest(grace)))

    async def stop_gate(
        self,
        mode: StopMode | Literal["allow", "gate"] | None = None,
        *,
        reason: str = DEFAULT_REASON,
        most_blocks: int = MOST_BLOCKS,
    ) -> StopGate:
        """Whether the agent may end its turn. With `mode` it is set so: `gate` sends it back until the work is declared done."""
        if mode is None:
            return replies.stop_gate(await self._api.get("/api/v1/config/stop"))
        body = http.StopConfigBody(_among(StopMode, mode, "mode").value, reason, most_blocks)
        return replies.stop_gate(await self._api.say("/api/v1/config/stop", body, method="PUT"))

    async def resolve_stop(self, kind: str = "complete", message: str | None = None) -> StopGate:
        """Says how the work stands: `complete` and `escalate` open the gate."""
        return replies.stop_gate(await self._api.say("/api/v1/stop/resolve", http.SignalBody(kind, message)))

    async def recording(self) -> RecordingStatus:
        """Whether the session is written down, and where."""
        return replies.recording(await self._api.get(_RECORDING))

    async def start_recording(self) -> RecordingStatus:
        """Begins to write the session down, or goes on. Raises `CannotRecord`."""
        return replies.recording(await self._api.say(_RECORDING, http.RecordingRequest(on=True), method="PUT"))

    async def stop_recording(self) -> RecordingStatus:
        return replies.recording(await self._api.say(_RECORDING, http.RecordingRequest(on=False), method="PUT"))


def _of_kind(state: AgentState | None, kind: Any) -> AgentState | Prompt | None:
    """The state if it is one of that kind, or else what it asks."""
    candidates: tuple[AgentState | Prompt | None, ...] = (state, state.prompt if isinstance(state, Prompted) else None)
    return next((each for each in candidates if isinstance(each, kind)), None)


def _name(kind: Any) -> str:
    return " | ".join(each.__name__ for each in get_args(kind) or (kind,))


def _refuse_no_kind(kind: Any) -> None:
    known = (*get_args(AgentState), *get_args(Prompt))
    for each in get_args(kind) or (kind,):
        if each not in known:
            names = ", ".join(one.__name__ for one in known)
            raise BadRequest(
                f"wait_for: expected a class of coop.client, or several as in Idle | Permission, got {each!r}: {names}"
            )


def _refuse_nan(seconds: float | None, name: str) -> None:
    """It is neither more nor less than any time, so nothing would ever come too late, or in time."""
    if seconds is not None and math.isnan(seconds):
        raise BadRequest(f"{name}: expected a number of seconds, got {seconds}")


def _refuse_no_position(after: object) -> None:
    match after:
        case None | (str(), int()):
            pass
        case _:
            raise BadRequest(f"after: expected an epoch and a seq, as in (event.epoch, event.seq), got {after!r}")


def _among(kind: type[E], word: E | str, name: str) -> E:
    try:
        return kind(word)
    except ValueError:
        raise BadRequest(f"{name}: expected one of {', '.join(each.value for each in kind)}, got {word!r}") from None
