"""The seam to the terminal emulator: what a session asks of any engine."""

from typing import Protocol

from coop.model.screen import Cell, ScreenSnapshot, Size


class Screen(Protocol):
    """A terminal without glass. `feed` it bytes, ask what it shows; it does no I/O and reads no clock."""

    @property
    def seq(self) -> int:
        """Grows with every feed and resize."""
        ...

    @property
    def size(self) -> Size: ...

    @property
    def in_synchronized_update(self) -> bool:
        """Is the program in the middle of drawing a frame (mode 2026)?"""
        ...

    def feed(self, data: bytes) -> None: ...

    def take_replies(self) -> bytes:
        """What the terminal has answered to the program's queries since last asked."""
        ...

    def resize(self, size: Size) -> None: ...

    def snapshot(self) -> ScreenSnapshot: ...

    def ansi_lines(self) -> tuple[str, ...]:
        """The rows with their colours and attributes as SGR sequences; each row stands alone."""
        ...

    def scrollback(self, count: int) -> tuple[str, ...]:
        """The last `count` rows that scrolled off the top, oldest first."""
        ...

    def cells(self) -> tuple[tuple[Cell, ...], ...]: ...

    def modes(self) -> frozenset[str]:
        """The modes that are set: `"?2004"` is bracketed paste, `"4"` is insert mode."""
        ...

    def dump(self) -> bytes:
        """Bytes that make an empty terminal of the same size look and behave like this one."""
        ...
