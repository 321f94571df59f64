"""A relay between a client and a Unix socket, which can be cut and put back, or fall silent."""

import contextlib
import select
import socket
import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager

_BLOCK = 1 << 16


class Relay:
    def __init__(self, listener: socket.socket, target: str, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self._target = target
        self._listener = listener
        self._listener.listen()
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._silent: list[tuple[socket.socket, socket.socket]] = []
        self._is_cut = False

    def cut(self) -> None:
        """Hangs up on everybody, and lets nobody in."""
        self._is_cut = True
        for pair in self._pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def fall_silent(self) -> None:
        """Carries nothing more for those who are connected, and does not tell them: as a router does that has forgotten them."""
        self._silent += self._pairs

    @property
    def url(self) -> str:
        host, port = self._listener.getsockname()
        return f"http://{host}:{port}" if self._tls is None else f"https://localhost:{port}"

    def mend(self) -> None:
        self._is_cut = False

    def run(self) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                near, _ = self._listener.accept()
                if self._is_cut:
                    near.close()
                    continue
                if self._tls is not None:
                    near = self._tls.wrap_socket(near, server_side=True)
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._target)
                self._pairs.append((near, far))
                threading.Thread(target=self._carry, args=(near, far), daemon=True).start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        with near, far, contextlib.suppress(OSError):
            while True:
                for one in select.select([near, far], [], [])[0]:
                    data = one.recv(_BLOCK)
                    while isinstance(one, ssl.SSLSocket) and one.pending():
                        data += one.recv(_BLOCK)
                    if not data:
                        return
                    if (near, far) not in self._silent:
                        (far if one is near else near).sendall(data)


@contextmanager
def relay(path: str, target: str) -> Generator[Relay]:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    with _running(Relay(listener, target)) as made:
        yield made


@contextmanager
def relay_by_tcp(target: str, tls: ssl.SSLContext | None = None) -> Generator[Relay]:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    with _running(Relay(listener, target, tls)) as made:
        yield made


@contextmanager
def _running(made: Relay) -> Generator[Relay]:
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.close()
        thread.join()
