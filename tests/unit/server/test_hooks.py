import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio
import pytest

from coop.agents.claude import claude
from coop.agents.claude.replies import NO_WORD
from coop.model.commands import Respond
from coop.model.screen import XTERM, Size
from coop.model.state import Idle, Prompted
from coop.model.stop import StopConfig, StopMode, StopSignal
from coop.server.facade import Served
from coop.server.guard import MAX_BODY
from coop.server.hooks import PREFIX, RESOLVE, hooks_application
from coop.session.core import CoreSettings, SessionCore
from coop.session.runner import Session
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.ring import Ring
from coop.testing import ManualClock

pytestmark = pytest.mark.anyio

TOKEN = "the token of the child"
PERMISSION = {"tool_name": "Bash", "tool_input": {"command": "ls"}}


class Door:
    """The hooks' door of a session whose child is Claude Code."""

    def __init__(self) -> None:
        clock = ManualClock()
        screen = GhosttyScreen(Size(80, 24), XTERM)
        self.core = SessionCore(CoreSettings("e"), agent=claude(), screen=screen, ring=Ring(4096), now=clock.now)
        self.session = Session(self.core, clock=clock)
        self.session._loop = asyncio.get_running_loop()  # as if it had a child
        self._application = hooks_application(Served(self.session, "it"), TOKEN)

    async def post(self, event: str, body: object = None, **request: Any) -> tuple[int, bytes] | None:
        return await self.ask(f"{PREFIX}{event}", json.dumps(body or {}).encode(), **request)

    async def ask(
        self,
        path: str,
        *pieces: bytes,
        token: str | None = f"Bearer {TOKEN}",
        method: str = "POST",
        headers: tuple[tuple[bytes, bytes], ...] = (),
        leaves: anyio.Event | None = None,
    ) -> tuple[int, bytes] | None:
        """Status and body of the answer; `None` when there was none, as whoever asked had left."""
        authorization = ((b"authorization", token.encode()),) if token is not None else ()
        scope = {"type": "http", "method": method, "path": path, "headers": [*authorization, *headers], "query_string": b""}
        messages = _messages(pieces, leaves)
        answer: list[dict[str, Any]] = []

        async def send(message: Any) -> None:
            answer.append(message)

        await self._application(scope, lambda: anext(messages), send)
        if not answer:
            return None
        return answer[0]["status"], b"".join(message.get("body", b"") for message in answer[1:])

    async def until(self, holds: Callable[[], bool]) -> None:
        with anyio.fail_after(5):
            while not holds():  # noqa: ASYNC110  # nobody tells
                await asyncio.sleep(0)


async def _messages(pieces: tuple[bytes, ...], leaves: anyio.Event | None) -> AsyncIterator[dict[str, Any]]:
    for n, piece in enumerate(pieces, 1):
        yield {"type": "http.request", "body": piece, "more_body": n < len(pieces)}
    if leaves is not None:
        await leaves.wait()
        yield {"type": "http.disconnect"}
    await asyncio.Event().wait()


def status(answer: tuple[int, bytes] | None) -> int:
    assert answer is not None
    return answer[0]


async def test_a_hook_that_only_tells_is_answered_with_nothing_to_say() -> None:
    door = Door()
    assert await door.post("UserPromptSubmit", {"prompt": "fix it"}) == (200, NO_WORD)
    assert door.core.counters.hook_records == 1


@pytest.mark.parametrize(
    ("token", "headers"),
    [
        (None, ()),
        ("Bearer wrong", ()),
        (TOKEN, ()),
        (f"Basic {TOKEN}", ()),
        ("Bearer ", ()),
        (f"Bearer {TOKEN}", ((b"origin", b"http://evil"),)),
    ],
)
async def test_only_whoever_has_the_token_is_heard(token: str | None, headers: tuple[tuple[bytes, bytes], ...]) -> None:
    door = Door()
    assert status(await door.post("Stop", token=token, headers=headers)) == 401
    assert door.core.counters.hook_records == 0


async def test_the_scheme_may_be_written_in_any_case() -> None:
    assert status(await Door().post("Stop", token=f"bearer {TOKEN}")) == 200


@pytest.mark.parametrize(
    "path", ["/", "/api/v1/input", "/api/v1/agent/nudge", PREFIX, f"{PREFIX}../input", f"{PREFIX}a/b", "/api/v1/hooks"]
)
async def test_the_token_opens_nothing_but_the_hooks(path: str) -> None:
    door = Door()
    assert status(await door.ask(path, b"{}")) == 404
    assert door.core.counters.hook_records == 0


async def test_hooks_are_posted() -> None:
    assert status(await Door().post("Stop", method="GET")) == 404


async def test_a_body_may_come_in_pieces_and_be_no_json() -> None:
    door = Door()
    assert await door.ask(f"{PREFIX}UserPromptSubmit", b'{"prompt"', b': "x"}') == (200, NO_WORD)
    assert await door.ask(f"{PREFIX}UserPromptSubmit", b"\xff not json") == (200, NO_WORD)
    assert door.core.counters.hook_records == 2


async def test_a_body_without_end_is_refused() -> None:
    assert status(await Door().ask(f"{PREFIX}Stop", b"x" * MAX_BODY, b"x")) == 413


async def test_a_permission_is_held_until_it_is_answered() -> None:
    door = Door()
    door.core.pid = 42
    async with asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(door.post("PermissionRequest", PERMISSION))
        await door.until(lambda: isinstance(door.core.belief.state, Prompted))
        assert not asked.done()
        waiting = asyncio.ensure_future(door.session.ask(Respond(accept=True)))
        await door.until(asked.done)
        waiting.cancel()
    answer = asked.result()
    assert answer is not None
    assert json.loads(answer[1])["hookSpecificOutput"]["decision"] == {"behavior": "allow"}


async def test_whoever_leaves_asks_no_more() -> None:
    door, leaves = Door(), anyio.Event()
    async with asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(door.post("PermissionRequest", PERMISSION, leaves=leaves))
        await door.until(lambda: bool(door.core.insight.hooks))
        leaves.set()
        await door.until(asked.done)
    assert asked.result() is None
    assert not door.core.insight.hooks
    assert not isinstance(door.core.belief.state, Prompted)


async def test_a_stop_is_blocked_by_a_closed_gate_under_either_name() -> None:
    door = Door()
    door.core.gate.configure(StopConfig(StopMode.GATE, "not yet"))
    for event in ("Stop", "stop"):
        answer = await door.post(event)
        assert answer is not None
        assert json.loads(answer[1]) == {"decision": "block", "reason": "not yet"}
    assert door.core.gate.blocks == 2
    assert door.core.belief.state != Idle()


async def test_the_agent_can_say_that_it_is_done() -> None:
    door = Door()
    door.core.gate.configure(StopConfig(StopMode.GATE, "not yet"))
    assert await door.ask(RESOLVE, b'{"kind": "complete"}') == (200, b"{}")
    assert door.core.gate.signal == StopSignal("complete")
    assert await door.post("Stop") == (200, NO_WORD)
    assert await door.post("stop") == (200, b"{}"), "whoever asks with curl hands it on as a command's output"


async def test_a_word_that_is_none_is_refused() -> None:
    assert status(await Door().ask(RESOLVE, b"[]")) == 400
