"""Tmux with a client in control mode: commands go in, replies and `%output` lines come out, over one pipe."""

import contextlib
import os
import subprocess
from collections import deque
from collections.abc import Sequence

from bench.home import Home
from bench.peers.tmux import Tmux
from bench.processes import end

BLOCK = 1 << 16


class ControlTmux(Tmux):
    def __init__(self, home: Home, child: Sequence[str]) -> None:
        super().__init__(home, child)
        with contextlib.ExitStack() as undo:
            undo.callback(super().close)
            self._attach(home)
            undo.pop_all()

    def _attach(self, home: Home) -> None:
        self._client = subprocess.Popen(
            self.client("-C", "attach"), env=home.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._client.stdin is not None
        assert self._client.stdout is not None
        self._in, self._out = self._client.stdin.fileno(), self._client.stdout.fileno()
        self._rest = b""
        self._lines: deque[bytes] = deque()
        self._reply()  # the one to `attach` itself

    def _next_line(self) -> bytes:
        while not self._lines:
            self.drain()
        return self._lines.popleft()

    def _reply(self) -> list[bytes]:
        """The lines of the next reply; notifications stand before or after it, never inside."""
        while not self._next_line().startswith(b"%begin "):
            pass
        lines: list[bytes] = []
        while not (line := self._next_line()).startswith((b"%end ", b"%error ")):
            lines.append(line)
        return lines

    def text(self) -> str:
        os.write(self._in, b"capture-pane -p\n")
        return b"\n".join(self._reply()).decode()

    def press(self, char: str) -> None:
        """Char must be a letter: others come back escaped."""
        os.write(self._in, f"send-keys -l {char}\n".encode())
        self._reply()
        while not (line := self._next_line()).startswith(b"%output ") or not line.endswith(char.encode()):
            pass

    def stream(self) -> int:
        return self._out

    def drain(self) -> None:
        data = os.read(self._out, BLOCK)
        if not data:
            raise ConnectionError("tmux has gone")
        *lines, self._rest = (self._rest + data).split(b"\n")
        # What nobody waits for is not kept: a flood would fill the memory.
        self._lines.extend(lines[-1000:])
        while len(self._lines) > 2000:
            self._lines.popleft()

    def close(self) -> None:
        super().close()
        end(self._client)
