"""A session behind the five methods that orchestrators have for tmux: what was a pane is a coop."""

from contextlib import ExitStack
from typing import Self

from coop.client import blocking
from coop.errors import Unreachable
from coop.model.state import Exited
from coop.model.view import Snapshot


class CoopBackend:
    """One coop. The `session` its methods are given is the caller's name for it, and is not looked at."""

    def __init__(self, base_url: str, token: str | None = None) -> None:
        self._base_url = base_url
        self._token = token
        self._open = ExitStack()
        self._connected: blocking.Session | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connected = None
        self._open.close()

    def has_session(self, session: str) -> bool:
        """Is it there, and its child alive?"""
        try:
            return not isinstance(self.agent_state().state, Exited)
        except Unreachable:
            return False

    def capture_pane(self, session: str, lines: int) -> str:
        """The last lines of the screen and of what scrolled away, without the empty ones below."""
        rows = [*self._session.scrollback(lines), *self._session.text().splitlines()]
        return "\n".join("\n".join(rows).rstrip().split("\n")[-lines:])

    def nudge_session(self, session: str, message: str) -> None:
        """Raises `AgentBusy` when the agent does not wait for input."""
        self._session.nudge(message)

    def respond_to_prompt(self, *, accept: bool) -> None:
        """Raises `NoPrompt` when the agent asks nothing."""
        self._session.respond(accept)

    def agent_state(self) -> Snapshot:
        return self._session.snapshot()

    @property
    def _session(self) -> blocking.Session:
        if self._connected is None:
            self._connected = self._open.enter_context(blocking.connect(self._base_url, token=self._token))
        return self._connected
