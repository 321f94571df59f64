"""Where a terminal comes from: a child of our own, or a pane of somebody else's."""

from typing import Protocol

from coop.model.screen import Size
from coop.model.state import ExitStatus


class Backend(Protocol):
    """A terminal with a program on it. Never blocks."""

    pid: int
    fd: int
    """Readable when there is output. Another one after a read that had to connect anew."""
    exit_fd: int
    """Readable when the child has exited."""

    @property
    def is_ours(self) -> bool:
        """It was made for this session: its size, the answers to its program's queries, and its end are ours to see to."""
        ...

    @property
    def size(self) -> Size: ...

    @property
    def has_more(self) -> bool:
        """There is more to read than `fd` tells of."""
        ...

    def read(self) -> bytes | Size | None:
        """What the program wrote, or the size the terminal has from there on.

        `None` when there is nothing now, `b""` when there will be nothing more.
        """
        ...

    def write(self, data: bytes) -> int:
        """How many bytes were taken; fewer than given when the program does not read."""
        ...

    def resize(self, size: Size) -> None:
        """Of a terminal that is ours."""
        ...

    def signal(self, number: int) -> None:
        """To the whole process group."""
        ...

    def exit_status(self) -> ExitStatus | None:
        """How the child ended; `None` while it runs."""
        ...

    def stopped_by(self) -> int | None:
        """The signal that has stopped the child since this was last asked; `None` where none has, or others see to it."""
        ...

    def makes_signals(self) -> bool:
        """Ctrl-C and Ctrl-Z are signals to the program, as it finds them; else it has made keys of them. True where others see to it."""
        ...

    def close(self) -> None:
        """A terminal that is not ours goes on without us."""
        ...
