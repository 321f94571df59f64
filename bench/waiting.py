"""Waiting for a condition with a deadline."""

import time
from collections.abc import Callable


class TooLate(Exception):
    """What was waited for did not come."""


def until(condition: Callable[[], bool], *, within: float, pause: float, what: str = "the condition") -> float:
    """Returns the moment at which `condition` was seen to hold."""
    deadline = time.monotonic() + within
    while not condition():
        if time.monotonic() > deadline:
            raise TooLate(f"{what} did not come within {within:g} s")
        time.sleep(pause)
    return time.monotonic()
