"""The tools: what another agent can see of a session, and do to it."""

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Union

import msgspec
from mcp.server.mcpserver import Context
from mcp.types import CallToolResult
from pydantic import BaseModel, Field
from starlette.requests import Request

from coop.client import Answer, Found, Session, connect, find, sessions
from coop.errors import BadRequest, CoopError, SelfAnswer, Unauthorized, Unreachable
from coop.mcp.callers import Caller, caller_at
from coop.mcp.results import MOST_ITEMS, done, last_of, told
from coop.mcp.scopes import Scope
from coop.mcp.seen import REASONS, reason_of, screen_text, session_of, state_of
from coop.mcp.started import Started
from coop.wire.http import receipt_body

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
LONGEST_WAIT = 600.0
Reason = Literal["idle", "prompt", "error", "exit"]
Name = Annotated[str, Field(description="The session's name, as list_sessions tells it")]


class AnswerGiven(BaseModel):
    """To one of several questions: options by number or label, or words."""

    options: tuple[int | str, ...] = ()
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool, and what a caller must be allowed to use it."""

    scope: Scope
    call: Callable[..., Any]


class Tools:
    def __init__(
        self,
        env: Mapping[str, str],
        started: Started,
        *,
        token: str | None,
        ours: Caller,
        fence: Callable[[], str],
        is_alone: bool = True,
    ) -> None:
        self._env = env
        self._started = started
        self._token = token
        """Of the sessions that have one."""
        self._ours = ours
        """The session we run in ourselves, if any."""
        self._fence = fence
        self._is_alone = is_alone
        """Whoever has started us is our only caller."""

    def offers(self) -> tuple[Offer, ...]:
        reading = (self.list_sessions, self.read_screen, self.get_state, self.explain_state, self.wait_for)
        return (
            *(Offer(Scope.READ, each) for each in reading),
            Offer(Scope.NUDGE, self.nudge),
            Offer(Scope.RESPOND, self.respond),
            Offer(Scope.START, self.start_session),
            Offer(Scope.START, self.stop_session),
        )

    # What there is to see

    async def list_sessions(self, ctx: Context[Any, Any]) -> CallToolResult:
        """Every session of this user on this machine: its name, agent, state, directory and age; is_own: you run in it."""
        found, caller = await asyncio.to_thread(sessions, self._env), self._caller(ctx)
        async with asyncio.TaskGroup() as asking:
            asked = [asking.create_task(self._summary(each, caller)) for each in found[:MOST_ITEMS]]
        return self._told(f"Sessions: {len(found)}.", {"sessions": [each.result() for each in asked], "count": len(found)})

    async def read_screen(
        self, session: Name, scrollback: Annotated[int, Field(ge=0, le=1000, description="Rows above the screen")] = 0
    ) -> CallToolResult:
        """What the session's terminal shows now."""
        async with self._opened(session) as (name, opened):
            screen = await opened.screen()
            before = await opened.scrollback(scrollback) if scrollback else ()
        text, left_out = last_of(screen_text(screen, before))
        value = {
            "session": name,
            "screen": text,
            "cols": screen.size.cols,
            "rows": screen.size.rows,
            "cursor": {"row": screen.cursor.row, "col": screen.cursor.col},
            "title": screen.title,
            "characters_left_out": left_out,
        }
        result = self._told(f"The screen of {name}.", value, text=text)
        assert result.structured_content is not None
        result.structured_content["screen"] = text  # it has a bound of its own
        return result

    async def get_state(self, session: Name) -> CallToolResult:
        """What the agent is doing, and everything it asks: a prompt has its id, tool, input and options."""
        async with self._opened(session) as (name, opened):
            return self._told(f"The state of {name}.", state_of(name, await opened.snapshot()))

    async def explain_state(self, session: Name) -> CallToolResult:
        """Why the state is what it is said to be: what every source last said, and which rule decided."""
        async with self._opened(session) as (name, opened):
            return self._told(f"Why {name} is said to be so.", await opened.explain())

    async def wait_for(
        self,
        session: Name,
        until: Annotated[
            tuple[Reason, ...], Field(min_length=1, description="Any of these ends the wait, and exit always does")
        ] = ("idle", "prompt", "error"),
        timeout_secs: Annotated[float, Field(gt=0, le=LONGEST_WAIT)] = 45.0,
    ) -> CallToolResult:
        """Waits until the agent rests, asks, fails or ends; tells which it was, and the state. A timeout is an answer, too."""
        kinds: Any = Union[tuple(REASONS[reason] for reason in (*until, "exit"))]  # noqa: UP007 - they are known only now
        async with self._opened(session) as (name, opened):
            snapshot, found = await opened.snapshot(), None
            with contextlib.suppress(TimeoutError):
                found = await opened.wait_for(kinds, timeout_secs)
            with contextlib.suppress(Unreachable):  # it may have ended with its child
                snapshot = await opened.snapshot()
        snapshot = snapshot if found is None else replace(snapshot, state=found)
        value = {"reached": reason_of(snapshot.state) if found is not None else None, "timed_out": found is None}
        return self._told(f"Waited for {name}.", value | state_of(name, snapshot))

    # What can be done

    async def nudge(
        self,
        session: Name,
        message: Annotated[str, Field(min_length=1)],
        ctx: Context[Any, Any],
        when: Annotated[
            Literal["idle", "queue", "interrupt", "steer"],
            Field(
                description="idle: only when it waits for input; queue: for the end of its turn; interrupt: stop it first; "
                "steer: in the middle of its turn"
            ),
        ] = "idle",
        clear_draft: Annotated[bool, Field(description="Clear what somebody has begun to type, rather than refuse")] = False,
        wait_secs: Annotated[float, Field(ge=0, le=60, description="How long the agent has to show that it heard")] = 5.0,
        key: Annotated[str | None, Field(description="The same key again does not say it twice")] = None,
    ) -> CallToolResult:
        """Tells the agent something, and answers when it has shown that it heard."""
        async with self._opened(session) as (name, opened):
            await self._refuse_self(name, opened, ctx)
            receipt = await opened.nudge(message, when=when, keep_draft=not clear_draft, wait=wait_secs, key=key)
        value = {"session": name, "delivered": True, "receipt": msgspec.to_builtins(receipt_body(receipt))}
        return self._told(f"{name} was told.", value)

    async def respond(
        self,
        session: Name,
        prompt_id: Annotated[str, Field(min_length=1, description="The id of the prompt, as get_state told it")],
        ctx: Context[Any, Any],
        accept: Annotated[bool | None, Field(description="Yes, as far as it is asked; false ends the turn")] = None,
        option: Annotated[int | None, Field(ge=1, description="By its number among the prompt's options")] = None,
        text: Annotated[str | None, Field(description="An answer in words, or why not")] = None,
        answers: Annotated[tuple[AnswerGiven, ...], Field(description="One for each of several questions")] = (),
    ) -> CallToolResult:
        """Answers that prompt and no other: one that is gone is PROMPT_CHANGED, and nothing is typed."""
        each = tuple(Answer(answer.options, answer.text) for answer in answers)
        async with self._opened(session) as (name, opened):
            await self._refuse_self(name, opened, ctx)
            given = await opened.respond(accept, option=option, text=text, answers=each, prompt=prompt_id)
        value = {"session": name, "prompt_type": given.prompt_type, "effect": given.effect, "via": given.via}
        return done(f"{name} was answered: {given.effect}.", value)

    async def start_session(
        self,
        command: Annotated[list[str], Field(min_length=1, description="The program and its arguments")],
        agent: Annotated[str, Field(description="claude, codex, gemini…, unknown, or auto")] = "auto",
        name: str | None = None,
        cwd: str | None = None,
    ) -> CallToolResult:
        """Starts a program in a session of its own, which ends with this server or by stop_session."""
        started = await self._started.start(command, agent=agent, name=name, cwd=cwd)
        return done(f"{started} was started.", {"session": started})

    async def stop_session(self, session: Annotated[str, Field(description="As start_session named it")]) -> CallToolResult:
        """Ends a session that start_session has started."""
        await self._started.stop(session)
        return done(f"{session} has ended.", {"session": session})

    # How it is done

    def _told(self, about: str, value: Mapping[str, object], text: str | None = None) -> CallToolResult:
        return told(about, value, fence=self._fence(), text=text)

    @asynccontextmanager
    async def _opened(self, word: str) -> AsyncGenerator[tuple[str, Session]]:
        """A session of this machine, by name only: no caller chooses what else we connect to."""
        if not _NAME.fullmatch(word):
            raise BadRequest(f"session: expected a name, as list_sessions tells it, got {word!r}")
        url = await asyncio.to_thread(find, word, self._env)
        try:
            async with connect(url, token=self._token) as session:
                yield (await session.health()).name, session
        except Unauthorized:
            wants = "has a token" if self._token is None else "has another token than that of --session-token-file"
            raise Unauthorized(
                f"{word} {wants}; start coop mcp with --session-token-file PATH, a file with its token"
            ) from None

    def _caller(self, ctx: Context[Any, Any]) -> Caller:
        return self._ours | (Caller() if self._is_alone else _caller_of(ctx))

    async def _refuse_self(self, name: str, session: Session, ctx: Context[Any, Any]) -> None:
        caller = self._caller(ctx)
        if caller.is_hidden:
            raise SelfAnswer(
                "it cannot be told which process asks, and an agent may not answer itself; "
                "keep the connection open until the answer comes, or use the server by stdio"
            )
        if caller.is_within((await session.health()).pid, session.address.removeprefix("unix:")):
            raise SelfAnswer(f"you run in {name} yourself, and nobody may answer or nudge itself")

    async def _summary(self, found: Found, caller: Caller) -> dict[str, object]:
        try:
            async with connect(found.url, token=self._token) as session:
                health, snapshot = await session.health(), await session.snapshot()
        except CoopError as error:
            return {"name": found.name, "error": error.code}
        return session_of(health, snapshot, is_own=caller.is_within(health.pid, str(found.socket)))


def _caller_of(ctx: Context[Any, Any]) -> Caller:
    request = ctx.request_context.request
    if not isinstance(request, Request) or request.client is None:
        return Caller(is_hidden=True)
    host, port = request.scope["server"]
    return caller_at((request.client.host, request.client.port), (host, port))
