"""Ids as Codex makes them: they begin with the time, so that they sort."""

import os
import time
from uuid import UUID


def new_id() -> str:
    """A UUID of version 7."""
    stamp = (time.time_ns() // 1_000_000) << 80
    random = int.from_bytes(os.urandom(10), "big")
    number = stamp | random & ~(0xF << 76) & ~(0b11 << 62) | 0x7 << 76 | 0b10 << 62
    return str(UUID(int=number))
