"""Node-pty with @xterm/headless, spoken to in JSON lines over pipes."""

import base64
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from bench.home import ROOT, Home
from bench.processes import end

MODULES = ROOT / ".cache" / "node" / "node_modules"
SERVER = Path(__file__).with_name("node_server.js")


class Node:
    """`of` says when a keystroke counts as seen: when xterm's buffer shows it, or when it was read from the PTY."""

    def __init__(self, home: Home, child: Sequence[str], *, of: str = "seen") -> None:
        env = {**home.env, "NODE_MODULES": str(MODULES)}
        self._of = of
        self._streaming = False
        self._process = subprocess.Popen(("node", str(SERVER), *child), env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self._process.pid
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in = self._process.stdin
        self._out = self._process.stdout

    def _say(self, **message: object) -> None:
        self._in.write(json.dumps(message).encode() + b"\n")
        self._in.flush()

    def _hear(self, kind: str) -> dict[str, object]:
        """The next message of this kind; others are dropped."""
        for line in self._out:
            message: dict[str, object] = json.loads(line)
            if message["type"] == kind:
                return message
        raise ConnectionError("node has gone")

    def text(self) -> str:
        self._say(type="text")
        return str(self._hear("text")["text"])

    def press(self, char: str) -> None:
        if not self._streaming:
            self._say(type="stream", of=self._of)
            self._streaming = True
        self._say(type="input", text=char)
        while char.encode() not in base64.b64decode(str(self._hear("output")["data"])):
            pass

    def keystrokes(self, count: int, *, pause: float) -> list[float]:
        """Seconds from typing to seeing, all inside the node process."""
        self._say(type="keystrokes", count=count, pause=pause * 1000)
        taken = self._hear("keystrokes")["taken"]
        assert isinstance(taken, list)
        return [float(milliseconds) / 1000 for milliseconds in taken]

    def stream(self) -> int | None:
        return None

    def drain(self) -> None:
        pass

    def close(self) -> None:
        end(self._process)


def raw_node(home: Home, child: Sequence[str]) -> Node:
    return Node(home, child, of="raw")
