"""The harness's end of the writer: orders a flood and hears when its last byte was taken."""

import json
import select
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

from bench.home import Home
from bench.peers import Terminal

START_WITHIN = 20.0
FLOOD_WITHIN = 300.0


class Written(NamedTuple):
    """`start` and `end` are moments of the monotonic clock, which all processes share."""

    start: float
    end: float
    written: int
    lines: int

    @property
    def as_seen(self) -> int:
        """How many bytes come out of the terminal: it turns every newline into two."""
        return self.written + self.lines


class Control:
    """Listens for one writer. `argv` starts it, in whatever terminal; then `accept` it."""

    def __init__(self, home: Home) -> None:
        self._address = str(home.path / "control")
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self._address)
        self._listener.listen(1)
        self._listener.settimeout(START_WITHIN)
        self._writer: socket.socket | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        if self._writer is not None:
            self._writer.close()

    @property
    def argv(self) -> Sequence[str]:
        program = Path(__file__).with_name("writer.py")
        return (sys.executable, "-S", "-E", str(program), self._address)

    @property
    def writer(self) -> socket.socket:
        assert self._writer is not None, "no writer was accepted"
        return self._writer

    def accept(self) -> None:
        self._writer, _ = self._listener.accept()
        self._writer.settimeout(FLOOD_WITHIN)

    def order(self, payload: Path, *, times: int = 1, rate: float | None = None, marker: str = "") -> None:
        order = {"path": str(payload), "times": times, "rate": rate, "marker": marker}
        self.writer.sendall(json.dumps(order).encode() + b"\n")

    def stop(self) -> Written:
        """Ends the flood early."""
        self.writer.sendall(b"null\n")
        return self.reply()

    def reply(self) -> Written:
        line = self.writer.makefile("rb").readline()
        if not line:
            raise ConnectionError("the writer died")
        return Written(**json.loads(line))

    def finish(self, terminal: Terminal) -> Written:
        """Waits for the last byte while draining what the terminal streams, as a client that keeps up would."""
        stream = terminal.stream()
        word = self.writer.fileno()
        watched = [word] if stream is None else [word, stream]
        while True:
            ready, _, _ = select.select(watched, [], [], FLOOD_WITHIN)
            if not ready:
                raise TimeoutError("the flood does not end")
            if stream in ready:
                terminal.drain()
            if word in ready:
                return self.reply()
