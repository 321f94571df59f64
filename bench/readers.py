"""A process of many raw subscribers, some of them slow, that keeps account of what each was sent.

`python -m bench.readers URL FAST SLOW` prints `ready`, reads until it is told on stdin how many bytes the stream had,
gives everybody time to come to its end, and prints what became of them.
"""

import json
import selectors
import sys
import time

from bench.ledger import Ledger
from bench.peers.coop import RAW
from bench.websocket import WebSocket

SIP, SIP_EVERY = 1 << 15, 0.1
"""A slow reader takes 32 KB ten times a second."""
CATCH_UP_WITHIN = 30.0


class Reader:
    def __init__(self, url: str) -> None:
        self.websocket = WebSocket(url, RAW)
        self.ledger = Ledger()

    def read(self, limit: int | None = None) -> None:
        for start, end in self.websocket.receive(limit):
            self.ledger.receive(self.websocket.frames.buffer, start, end)


def read_along(fast: list[Reader], slow: list[Reader]) -> int:
    """Returns what stdin says when the flood is over: its size."""
    selector = selectors.DefaultSelector()
    for reader in fast:
        selector.register(reader.websocket.socket, selectors.EVENT_READ, reader)
    selector.register(sys.stdin, selectors.EVENT_READ)
    next_sip = time.monotonic()
    while True:
        for key, _ in selector.select(max(0.0, next_sip - time.monotonic())):
            if key.data is None:
                return int(sys.stdin.readline())
            key.data.read()
        if time.monotonic() >= next_sip:
            take_sips(slow)
            next_sip = time.monotonic() + SIP_EVERY


def take_sips(slow: list[Reader]) -> None:
    selector = selectors.DefaultSelector()
    for reader in slow:
        selector.register(reader.websocket.socket, selectors.EVENT_READ, reader)
    for key, _ in selector.select(0):
        key.data.read(SIP)
    selector.close()


def catch_up(readers: list[Reader], size: int) -> int:
    """Everybody reads on as fast as they can; returns how many do not reach the end of the stream."""
    selector = selectors.DefaultSelector()
    for reader in readers:
        selector.register(reader.websocket.socket, selectors.EVENT_READ, reader)
    deadline = time.monotonic() + CATCH_UP_WITHIN
    while (behind := count_behind(readers, size)) and time.monotonic() < deadline:
        for key, _ in selector.select(1.0):
            key.data.read()
    return behind


def count_behind(readers: list[Reader], size: int) -> int:
    first = min(reader.ledger.first_offset or 0 for reader in readers)
    return sum((reader.ledger.next_offset or 0) < first + size for reader in readers)


def describe(fast: list[Reader], slow: list[Reader], *, size: int, behind: int) -> dict[str, int]:
    return {
        "fast whole": sum(reader.ledger.received == size for reader in fast),
        "fast told lagged": sum(reader.ledger.lagged > 0 for reader in fast),
        "slow told lagged": sum(reader.ledger.lagged > 0 for reader in slow),
        "silent gaps": sum(reader.ledger.silent_gaps for reader in fast + slow),
        "stale at the end": behind,
    }


def main(url: str, fast_count: int, slow_count: int) -> None:
    fast = [Reader(url) for _ in range(fast_count)]
    slow = [Reader(url) for _ in range(slow_count)]
    print("ready", flush=True)
    size = read_along(fast, slow)
    behind = catch_up(fast + slow, size)
    print(json.dumps(describe(fast, slow, size=size, behind=behind)))
    for reader in fast + slow:
        reader.websocket.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
