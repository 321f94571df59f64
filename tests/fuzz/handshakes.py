"""WebSocket handshakes with one thing wrong: each is refused in the envelope, and its connection ended."""

import json
import random
import socket
from typing import Any

FAULTS: dict[str, tuple[bytes, bytes]] = {
    "a header line beyond 8 KiB": (b"", b"Cookie: " + b"a" * 9000),
    "an address beyond 8 KiB": (b"GET /ws?x=" + b"a" * 9000, b""),
    "more than 128 headers": (b"", b"\r\n".join([b"X-A: a"] * 200)),
    "a body": (b"", b"Content-Length: 5"),
    "a body in chunks": (b"", b"Transfer-Encoding: chunked"),
    "a body that is posted": (b"POST /api/v1/input", b"Content-Length: 5"),
    "a method of its own": (b"DELETE /ws", b""),
    "a second key": (b"", b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="),
    "a second version": (b"", b"Sec-WebSocket-Version: 12"),
    "a connection that is none": (b"", b"Connection: upgrade, @"),
}
"""By name: the request line where it is another one, and what is said beside the usual."""
_USUAL = b"""Host: localhost\r
Upgrade: websocket\r
Connection: Upgrade\r
Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
Sec-WebSocket-Version: 13\r
"""


def handshake(fault: str, noise: bytes = b"") -> bytes:
    """`noise` is the value of a header that nobody knows."""
    request, more = FAULTS[fault]
    heading = (request or b"GET /ws") + b" HTTP/1.1\r\n"
    known = b"".join(line + b"\r\n" for line in (more, b"X-Noise: " + noise) if line)
    return heading + _USUAL + known + b"\r\n"


def refusal(connection: socket.socket) -> tuple[int, dict[str, Any]]:
    """Status and error of the answer, after which there is nothing. Raises `TimeoutError` where the connection stays open."""
    head, _, body = connection.makefile("rb").read().partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]


def fuzz_handshake(port: int, dice: random.Random) -> int:
    """The status of the answer to a random one."""
    noise = bytes(byte for byte in dice.randbytes(dice.randrange(40)) if byte >= 0x20 and byte != 0x7F)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(handshake(dice.choice([*FAULTS]), noise))
        status, _ = refusal(connection)
    return status
