"""Waiting for a condition, with a deadline: the only place here that looks at the clock."""

import os
import select
import time
from collections.abc import Callable

_POLL = 0.005


def wait_until(condition: Callable[[], bool], deadline: float) -> None:
    """Returns when the condition holds; `TimeoutError` when it does not within `deadline` seconds."""
    end = time.monotonic() + deadline
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{condition} did not hold within {deadline} s")
        time.sleep(_POLL)


def read_until(fd: int, ending: bytes, deadline: float) -> bytes:
    """Everything read from `fd` up to `ending`; `TimeoutError` when it does not come within `deadline` seconds."""
    end, got = time.monotonic() + deadline, b""
    while not got.endswith(ending):
        ready, _, _ = select.select([fd], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise TimeoutError(f"{ending!r} did not come within {deadline} s, only {got!r}")
        got += os.read(fd, 4096)
    return got
