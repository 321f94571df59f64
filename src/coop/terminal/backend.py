"""Where a terminal comes from: a child of our own, or (later) a pane of somebody else's."""

from typing import Protocol

from coop.model.screen import Size
from coop.model.state import ExitStatus


class Backend(Protocol):
    """A terminal with a program on it. Never blocks."""

    pid: int
    fd: int
    """Readable when there is output."""
    exit_fd: int
    """Readable when the child has exited."""

    def read(self) -> bytes | None:
        """What the program wrote; `None` when there is nothing now, `b""` when there will be nothing more."""
        ...

    def write(self, data: bytes) -> int:
        """How many bytes were taken; fewer than given when the program does not read."""
        ...

    def resize(self, size: Size) -> None: ...

    def signal(self, number: int) -> None:
        """To the whole process group."""
        ...

    def exit_status(self) -> ExitStatus | None:
        """How the child ended; `None` while it runs."""
        ...

    def close(self) -> None: ...
