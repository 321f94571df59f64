"""HTTP on one kept connection, with as little client in the figures as can be."""

import socket
from urllib.parse import urlsplit


def connect(url: str) -> socket.socket:
    host, _, port = urlsplit(url).netloc.partition(":")
    connection = socket.create_connection((host, int(port)), timeout=60)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


class KeepAlive:
    def __init__(self, url: str, token: str) -> None:
        self._head = f"HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\nAuthorization: Bearer {token}\r\n\r\n"
        self._socket = connect(url)

    def get(self, path: str) -> bytes:
        self._socket.sendall(f"GET {path} {self._head}".encode())
        return self._response()

    def _response(self) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more()
        head, _, body = data.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200 "):
            raise ConnectionError(head.decode(errors="replace"))
        length = content_length(head)
        while len(body) < length:
            body += self._more()
        return body

    def _more(self) -> bytes:
        data = self._socket.recv(1 << 16)
        if not data:
            raise ConnectionError("the server has closed the connection")
        return data

    def close(self) -> None:
        self._socket.close()


def content_length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    raise ValueError("a response without Content-Length")
