"""WebSocket: whatever is sent, the server lives, answers or closes, and the next client is served."""

import base64
import contextlib
import errno
import os
import random
import socket
import struct
from collections import Counter
from typing import Any

from tests.fuzz.mutations import body, noise

EXAMPLES: tuple[dict[str, Any], ...] = (
    {"type": "input", "text": "x"},
    {"type": "input_raw", "data": "aGk="},
    {"type": "keys", "keys": ["Up"]},
    {"type": "resize", "cols": 80, "rows": 24},
    {"type": "screen_request"},
    {"type": "state_request", "request_id": 3},
    {"type": "dump_request", "request_id": "x"},
    {"type": "nudge", "message": "x"},
    {"type": "respond", "option": 2},
    {"type": "replay", "offset": 0},
    {"type": "lock", "action": "release"},
    {"type": "auth", "token": "x"},
    {"type": "ping"},
)
A_CONNECTION = 200
"""So many frames are sent on one connection, if it lives so long."""


def fuzz_frames(port: int, *, seed: int, count: int) -> Counter[str]:
    """How many frames were sent and how many connections were ended by the server."""
    dice, seen = random.Random(seed), Counter[str]()
    while seen["frames"] < count:
        with opened(port) as stream:
            for _ in range(min(A_CONNECTION, count - seen["frames"])):
                seen["frames"] += 1
                if not _sent(stream, _frame(dice)):
                    seen["closed by the server"] += 1
                    break
            else:
                _hangs_up(stream)
        with opened(port) as fresh:
            assert _answers(fresh), f"seed {seed}: a fresh connection was closed"
    return seen


def opened(port: int) -> socket.socket:
    stream = socket.create_connection(("127.0.0.1", port), timeout=10)
    key = base64.b64encode(os.urandom(16)).decode()
    stream.sendall(
        "GET /ws?mode=raw HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    head = b""
    while b"\r\n\r\n" not in head:
        head += stream.recv(1)
    assert b" 101 " in head, head
    return stream


def _frame(dice: random.Random) -> bytes:
    """Most are well framed and badly filled; some are no frames at all."""
    if dice.random() < 0.02:
        return noise(dice)
    payload = body(dice, dice.choice(EXAMPLES))
    opcode = 1 if dice.random() < 0.95 else dice.randrange(16)
    first = (0x80 if dice.random() < 0.98 else dice.randrange(8) << 4) | opcode
    mask = dice.randbytes(4)
    return bytes((first,)) + _length(len(payload)) + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload))


def _length(size: int) -> bytes:
    return bytes((0x80 | size,)) if size < 126 else bytes((0x80 | 126,)) + struct.pack("!H", size)


def _sent(stream: socket.socket, frame: bytes) -> bool:
    """Sends it and throws away what has come meanwhile; false when the server has closed."""
    try:
        stream.sendall(frame)
        stream.setblocking(False)
        try:
            return stream.recv(1 << 16) != b""
        except BlockingIOError:
            return True
        finally:
            stream.settimeout(10)
    except ConnectionError:
        return False


def _hangs_up(stream: socket.socket) -> None:
    """When we have, it does too, though it may have been in the middle of a frame; else it is caught by the time limit."""
    with contextlib.suppress(ConnectionError):
        try:
            stream.shutdown(socket.SHUT_WR)
        except OSError as gone:
            if gone.errno == errno.ENOTCONN:  # it has, before we did
                return
            raise
        while stream.recv(1 << 16):
            pass


def _answers(stream: socket.socket) -> bool:
    """Does it answer a ping? False when it closes instead; a server that does neither is caught by the time limit."""
    payload = b'{"type":"ping"}'
    got = b""
    try:
        stream.sendall(bytes((0x81, 0x80 | len(payload))) + b"\0\0\0\0" + payload)
        while b'"pong"' not in got:
            chunk = stream.recv(1 << 16)
            if not chunk:
                return False
            got = got[-16:] + chunk
    except ConnectionError:
        return False
    return True
