"""Waiting for a condition, never for a time."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_POLL = 0.005


def eventually(condition: Callable[[], T], *, within: float = 10.0, what: str = "the condition") -> T:
    """The first true value of `condition`. Raises `AssertionError` with the last one when none comes in time."""
    deadline = time.monotonic() + within
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= deadline:
            raise AssertionError(f"{what} did not come true within {within} s; last: {value!r}")
        time.sleep(_POLL)
