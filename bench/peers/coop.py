"""Coop as a user has it: token on, spoken to over HTTP and WebSocket."""

import contextlib
import json
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bench.home import COLS, ROOT, ROWS, Home
from bench.http import KeepAlive
from bench.ledger import Ledger
from bench.processes import end
from bench.websocket import WebSocket

PROGRAM = ROOT / ".venv" / "bin" / "coop"
TOKEN = "bench-token"
RAW = f"/ws?mode=raw&token={TOKEN}"


class Output(msgspec.Struct):
    type: str
    data: bytes = b""


class Coop:
    """No subscriber; the screen is asked for over HTTP, and typing opens a raw WebSocket."""

    def __init__(self, home: Home, child: Sequence[str], *options: str) -> None:
        """No child is for `--attach`."""
        size = ("--cols", str(COLS), "--rows", str(ROWS))
        words = ("--", *child) if child else ()
        command = (str(PROGRAM), "--port", "0", "--auth-token", TOKEN, *size, "--log-format", "json", *options, *words)
        # A file and not a pipe: nobody reads along, and a full pipe would stop coop.
        log = home.path / "coop.log"
        with log.open("wb") as stderr:
            self._process = subprocess.Popen(command, env=home.env, stdin=subprocess.DEVNULL, stdout=stderr, stderr=stderr)
        self.pid = self._process.pid
        self._typist: WebSocket | None = None
        try:
            self.url = self._wait_for_url(log)
            self.http = KeepAlive(self.url, TOKEN)
        except BaseException:
            end(self._process)
            raise

    def _wait_for_url(self, log: Path) -> str:
        while (url := find_url(log.read_bytes())) is None:
            if self._process.poll() is not None:
                raise ConnectionError("coop did not come up:\n" + log.read_text(errors="replace"))
            time.sleep(0.0005)
        return url

    def text(self) -> str:
        return self.http.get("/api/v1/screen/text").decode()

    def press(self, char: str) -> None:
        if self._typist is None:
            self._typist = WebSocket(self.url, RAW)
        self._typist.send(json.dumps({"type": "input", "text": char}))
        while not is_seen(char.encode(), self._typist):
            pass

    def stream(self) -> int | None:
        return None

    def drain(self) -> None:
        pass

    def close(self) -> None:
        if self._typist is not None:
            self._typist.close()
        self.http.close()
        end(self._process)


class SubscribedCoop(Coop):
    """With one raw subscriber that reads along and keeps account of every byte."""

    def __init__(self, home: Home, child: Sequence[str]) -> None:
        super().__init__(home, child)
        self.ledger = Ledger()
        with contextlib.ExitStack() as undo:
            undo.callback(super().close)
            self.subscriber = WebSocket(self.url, RAW)
            undo.pop_all()

    def stream(self) -> int:
        return self.subscriber.socket.fileno()

    def drain(self) -> None:
        for start, end_ in self.subscriber.receive():
            self.ledger.receive(self.subscriber.frames.buffer, start, end_)

    def close(self) -> None:
        self.subscriber.close()
        super().close()


def find_url(log: bytes) -> str | None:
    """Where coop says it listens; `None` when it has not said so yet."""
    for line in log.splitlines(keepends=True):
        if line.startswith(b"{") and line.endswith(b"\n"):
            match msgspec.json.decode(line):
                case {"event": "listening", "url": str(url)}:
                    return url
    return None


def is_seen(char: bytes, typist: WebSocket) -> bool:
    """Reads once: did `char` come back?"""
    buffer = typist.frames.buffer
    messages = [msgspec.json.decode(buffer[start:end_], type=Output) for start, end_ in typist.receive()]
    return any(message.type == "output" and char in message.data for message in messages)
