"""A blocking WebSocket client, just enough to read a stream quickly and to type."""

import base64
import os
from collections.abc import Iterator
from urllib.parse import urlsplit

from bench.frames import CLOSE, PING, PONG, TEXT, Frames, client_frame
from bench.http import connect


class WebSocket:
    def __init__(self, url: str, path: str) -> None:
        self.socket = connect(url)
        self.frames = Frames()
        self._shake_hands(urlsplit(url).netloc, path)

    def _shake_hands(self, host: str, path: str) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = b""
        # Byte by byte: what follows the head belongs to the frames.
        while not head.endswith(b"\r\n\r\n"):
            byte = self.socket.recv(1)
            if not byte:
                break
            head += byte
        if not head.startswith(b"HTTP/1.1 101 "):
            raise ConnectionError(head.decode(errors="replace"))

    def send(self, text: str) -> None:
        self.socket.sendall(client_frame(TEXT, text.encode()))

    def receive(self, limit: int | None = None) -> Iterator[tuple[int, int]]:
        """Reads once, at most `limit` bytes; yields where in `frames.buffer` each message lies that is now whole."""
        space = self.frames.space()
        count = self.socket.recv_into(space[:limit])
        space.release()
        if not count:
            raise ConnectionError("the server has closed the connection")
        for opcode, start, end in self.frames.took(count):
            if opcode == PING:
                self.socket.sendall(client_frame(PONG, bytes(self.frames.buffer[start:end])))
            elif opcode == CLOSE:
                raise ConnectionError("the server has said goodbye")
            else:
                yield start, end

    def close(self) -> None:
        self.socket.close()
