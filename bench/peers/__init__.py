"""What the benchmark asks of any terminal server; each module here drives one of them through its own interface."""

from collections.abc import Callable, Sequence
from typing import Protocol

from bench.home import Home


class Terminal(Protocol):
    """A child in a terminal of 200×50, somewhere."""

    @property
    def pid(self) -> int:
        """The process that holds the screen."""
        ...

    def text(self) -> str:
        """What the screen shows now."""
        ...

    def press(self, char: str) -> None:
        """Types `char` and returns when it is seen."""
        ...

    def stream(self) -> int | None:
        """The file descriptor of what is streamed to us; `None`: nothing is."""
        ...

    def drain(self) -> None:
        """Takes some of what is there in the stream."""
        ...

    def close(self) -> None: ...


Open = Callable[[Home, Sequence[str]], Terminal]
"""Starts a peer with this child in this home."""
