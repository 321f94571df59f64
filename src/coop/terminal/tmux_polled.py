"""A pane of a tmux too old for control mode as we need it: looked at once a second."""

from coop.errors import ConfigError
from coop.model.screen import Size
from coop.terminal.drawing import drawn
from coop.terminal.tmux_server import BUFFER, Pane, TmuxServer, facts_of, picture_commands, picture_of

EVERY = 1.0


class LookedPane:
    """Passes for `Looked`."""

    def __init__(self, server: TmuxServer, pane: Pane, *, history: int) -> None:
        self._server = server
        self._pane = pane
        self._history = history

    def look(self) -> tuple[Size, bytes] | None:
        told, *captures = (self._ask(*command) for command in picture_commands(self._pane.id, self._history))
        facts = facts_of(told.removesuffix("\n")) if told else None
        if facts is None or captures[0] is None:
            return None
        rows, beneath, pending = ((each or "").removesuffix("\n").encode().split(b"\n") for each in captures)
        return facts.size, drawn(picture_of(facts, rows, beneath, pending))

    def type(self, data: bytes) -> None:
        paste = ("paste-buffer", "-d", "-r", "-b", BUFFER, "-t", self._pane.id)
        self._ask("load-buffer", "-b", BUFFER, "-", ";", *paste, given=data)

    def gone(self) -> str:
        return "the tmux pane is gone" if self._ask("list-sessions") is not None else "the tmux server is gone"

    def _ask(self, *command: str, given: bytes = b"") -> str | None:
        try:
            return self._server.ask(*command, given=given)
        except ConfigError:  # it does not answer: as good as gone
            return None
