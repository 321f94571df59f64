"""One at a time in a directory, among processes."""

import contextlib
import fcntl
import os
import time
from collections.abc import Generator
from pathlib import Path

WITHIN = 5.0
"""Somebody who keeps a directory for longer is stopped, or means to keep us from starting."""
_AGAIN = 0.002


@contextlib.contextmanager
def alone_in(directory: Path) -> Generator[None]:
    """Whoever else does this there waits for us. Where that cannot be had, we go on without.

    The directory itself is locked: nothing is left in it, and the kernel unlocks it when we end, however we do. No child
    inherits what it was opened by.
    """
    try:
        opened = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:  # may not be listed, or is not there: making something in it will say what is wrong, if anything
        yield
        return
    try:
        _lock(opened)
        yield
    finally:
        os.close(opened)


def _lock(opened: int) -> None:
    until = time.monotonic() + WITHIN
    while time.monotonic() < until:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_AGAIN)
        except OSError:  # not every file system can
            return
        else:
            return
