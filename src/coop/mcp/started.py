"""Sessions that were started by a tool: they end with the server."""

import contextlib
from collections.abc import Mapping, Sequence

from coop.client import spawn
from coop.errors import Forbidden, NoSuchSession

MOST = 16
ANY = "*"
AUTH = ("COOP_AUTH_TOKEN", "COOP_AUTH_TOKEN_FILE")
"""The variables by which every coop that is started wants a token."""


class Started:
    """`token` is that of the sessions that have one."""

    def __init__(self, programs: frozenset[str], env: Mapping[str, str], *, token: str | None = None) -> None:
        self._programs = programs
        self._env = with_token(env, token)
        self._token = token
        self._running: dict[str, contextlib.AsyncExitStack] = {}

    async def start(self, command: Sequence[str], *, agent: str, name: str | None, cwd: str | None) -> str:
        """The name of the new session. Raises `Forbidden` for a program that was not named when the server was started."""
        self._check(command)
        async with contextlib.AsyncExitStack() as stack:
            session = await stack.enter_async_context(
                spawn(command, agent=agent, name=name, cwd=cwd, env=self._env, token=self._token)
            )
            started = (await session.health()).name
            self._running[started] = stack.pop_all()
        return started

    def _check(self, command: Sequence[str]) -> None:
        program = command[0] if command else ""
        if ANY not in self._programs and program not in self._programs:
            named = ", ".join(sorted(self._programs))
            raise Forbidden(f"{program!r} may not be started here; those that may: {named} (coop mcp --program names them)")
        if len(self._running) >= MOST:
            raise Forbidden(f"{MOST} sessions were started here, and that is the most; stop one first")

    async def stop(self, name: str) -> None:
        stack = self._running.pop(name, None)
        if stack is None:
            mine = ", ".join(sorted(self._running)) or "none"
            raise NoSuchSession(f"{name!r} was not started here, and only what was can be stopped: {mine}")
        await stack.aclose()

    async def close(self) -> None:
        for name in list(self._running):
            await self.stop(name)


def with_token(env: Mapping[str, str], token: str | None) -> Mapping[str, str]:
    """Where it has sessions want a token, it is the one that our tools have."""
    if token is None or not any(env.get(name) for name in AUTH):
        return env
    return {**{name: value for name, value in env.items() if name not in AUTH}, AUTH[0]: token}
