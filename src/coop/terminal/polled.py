"""A terminal that does not tell when it changes: a thread of its own looks at it, and types."""

import contextlib
import os
import select
import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

from coop.model.screen import Size
from coop.model.state import ExitStatus

_SOON = 0.02
"""How long after something was typed a program may have answered it."""


class Looked(Protocol):
    """Somebody else's terminal. May block."""

    def look(self) -> tuple[Size, bytes] | None:
        """Its size, and what draws it; `None` when it is gone."""
        ...

    def type(self, data: bytes) -> None: ...

    def gone(self) -> str:
        """Why it is, in words."""
        ...


Pace = Callable[[int], float]
"""How long to wait when the last so many looks have shown nothing new."""


class PolledTerminal:
    """Passes for a `Backend`. What it reads are drawings of the whole screen, not what the program wrote."""

    is_ours = False

    def __init__(self, terminal: Looked, *, child: int, size: Size, pace: Pace) -> None:
        self.pid = child
        self.size = size
        self.exit_fd = os.pidfd_open(child)
        self.fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._terminal = terminal
        self._pace = pace
        self._ready: deque[bytes | Size] = deque()
        self._typed: deque[bytes] = deque()
        self._wakes = threading.Event()
        self._is_closed = False
        self._status: ExitStatus | None = None
        self._thread = threading.Thread(target=self._watch, name="coop-looks", daemon=True)
        self._thread.start()

    @property
    def has_more(self) -> bool:
        return bool(self._ready)

    def read(self) -> bytes | Size | None:
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self.fd)
        found = self._ready.popleft() if self._ready else None
        if isinstance(found, Size):
            self.size = found
        return found

    def write(self, data: bytes) -> int:
        self._typed.append(data)
        self._wakes.set()
        return len(data)

    def resize(self, size: Size) -> None:
        """Theirs to do."""

    def signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(os.getpgid(self.pid), number)

    def exit_status(self) -> ExitStatus | None:
        if self._status is None and select.select([self.exit_fd], [], [], 0)[0]:
            self._status = ExitStatus(why="the program has ended; how is not known here")
        return self._status

    def stopped_by(self) -> None:
        """It goes on when those say so whose terminal it is."""

    def makes_signals(self) -> bool:
        return True

    def close(self) -> None:
        self._is_closed = True
        self._wakes.set()
        self._thread.join()
        os.close(self.fd)
        os.close(self.exit_fd)

    # In the thread

    def _watch(self) -> None:
        size, shown, same = self.size, b"", 0
        while not self._is_closed:
            has_typed = self._type()
            seen = self._terminal.look()
            if seen is None:
                self._status = ExitStatus(why=self._terminal.gone())
                self._tell(b"")
                return
            if seen[0] != size:
                self._tell(seen[0])
            same = 0 if has_typed or seen != (size, shown) else same + 1
            if seen[1] != shown:
                self._tell(seen[1])
            size, shown = seen
            self._wakes.wait(_SOON if has_typed else self._pace(same))

    def _type(self) -> bool:
        """Whether there was anything; then the program gets a moment to answer before it is looked at."""
        self._wakes.clear()
        has_typed = bool(self._typed)
        while self._typed:
            self._terminal.type(self._typed.popleft())
        return has_typed

    def _tell(self, what: bytes | Size) -> None:
        self._ready.append(what)
        os.eventfd_write(self.fd, 1)
