"""The same for scripts and notebooks: `with connect(…) as session`, and no `await`. A thread beside yours runs the loop."""

import os
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from functools import partial, wraps
from types import UnionType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, overload

from anyio.from_thread import BlockingPortal, start_blocking_portal

from coop.client import session as asynchronous
from coop.client import sidecar
from coop.client.api import closed
from coop.client.events import PATIENCE, EventStream
from coop.client.follow import Position
from coop.client.opening import BlockingOpening
from coop.client.session import Kind, S
from coop.model.prompt import Prompt
from coop.model.state import AgentState
from coop.model.view import StreamItem

P = ParamSpec("P")
T = TypeVar("T")


def connect(url: str, *, token: str | None = None) -> BlockingOpening["Session"]:
    """The session at `unix:PATH` or `http://HOST:PORT`, or of that name."""
    return BlockingOpening(_opened(lambda: asynchronous.connect(url, token=token)))


def spawn(
    command: Sequence[str],
    *,
    agent: str = "unknown",
    name: str | None = None,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    options: Sequence[str] = (),
    token: str | None = None,
) -> BlockingOpening["Session"]:
    """Runs `coop --agent AGENT OPTIONS -- COMMAND` beside this process, and ends it with the block."""
    given = partial(sidecar.spawn, command, agent=agent, name=name, cwd=cwd, env=env, options=options, token=token)
    return BlockingOpening(_opened(given))


@contextmanager
def _opened(open_session: Callable[[], AbstractAsyncContextManager[asynchronous.Session]]) -> Generator["Session"]:
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(open_session()) as inner:
        session = Session(inner, portal)
        try:
            yield session
        finally:
            session.is_closed = True


def _blocking(
    method: Callable[Concatenate[asynchronous.Session, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate["Session", P], T]:
    @wraps(method)
    def call(self: "Session", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.call(partial(method, self.session, *args, **kwargs))

    return call


class Session:
    """`coop.client.Session`, each call of which waits for its answer."""

    def __init__(self, session: asynchronous.Session, portal: BlockingPortal) -> None:
        self.session = session
        self.portal = portal
        self.is_closed = False

    def call(self, method: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What it gives back, once it has come; the thread that would bring it ends with the block."""
        if self.is_closed:
            raise closed(self.address)
        result: T = self.portal.call(method)
        return result

    state = _blocking(asynchronous.Session.state)
    snapshot = _blocking(asynchronous.Session.snapshot)
    prompt = _blocking(asynchronous.Session.prompt)
    explain = _blocking(asynchronous.Session.explain)
    screen = _blocking(asynchronous.Session.screen)
    text = _blocking(asynchronous.Session.text)
    scrollback = _blocking(asynchronous.Session.scrollback)
    output = _blocking(asynchronous.Session.output)
    health = _blocking(asynchronous.Session.health)
    status = _blocking(asynchronous.Session.status)
    nudge = _blocking(asynchronous.Session.nudge)
    receipt = _blocking(asynchronous.Session.receipt)
    respond = _blocking(asynchronous.Session.respond)
    type = _blocking(asynchronous.Session.type)
    write = _blocking(asynchronous.Session.write)
    keys = _blocking(asynchronous.Session.keys)
    resize = _blocking(asynchronous.Session.resize)
    signal = _blocking(asynchronous.Session.signal)
    shut_down = _blocking(asynchronous.Session.shut_down)
    stop_gate = _blocking(asynchronous.Session.stop_gate)
    resolve_stop = _blocking(asynchronous.Session.resolve_stop)
    recording = _blocking(asynchronous.Session.recording)
    start_recording = _blocking(asynchronous.Session.start_recording)
    stop_recording = _blocking(asynchronous.Session.stop_recording)

    def __repr__(self) -> str:
        return repr(self.session)

    @property
    def address(self) -> str:
        return self.session.address

    @overload
    def wait_for(self, kind: Kind[S], timeout: float | None = None) -> S: ...
    @overload
    def wait_for(self, kind: UnionType, timeout: float | None = None) -> AgentState | Prompt: ...
    def wait_for(self, kind: Any, timeout: float | None = None) -> AgentState | Prompt:
        """The state, or the prompt, of that kind."""
        found: AgentState | Prompt = self.call(partial(self.session.wait_for, kind, timeout))
        return found

    def events(self, *, after: Position | None = None, patience: float = PATIENCE) -> "Events":
        """`for item in session.events()`: everything that happens."""
        return Events(self.session.events(after=after, patience=patience), self)


class Events:
    def __init__(self, stream: EventStream, session: Session) -> None:
        self._stream = stream
        self._session = session

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> StreamItem:
        item = self._session.call(self._following)
        if item is None:
            raise StopIteration
        return item

    async def _following(self) -> StreamItem | None:
        return await anext(self._stream, None)

    def close(self) -> None:
        self._session.call(self._stream.aclose)
