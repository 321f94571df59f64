"""An independent terminal beside coop's own: xterm.js draws the raw stream, and our own eyes look at it.

Nothing here comes from coop: neither its emulator nor its patterns. What an agent looks like is for each agent to say.
"""

import json
import os
import re
import subprocess
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from bench.peers.node import MODULES
from bench.processes import end

_SCRIPT = Path(__file__).with_name("screen.js")
COLS, ROWS = 120, 40


@dataclass(frozen=True, slots=True)
class Sight:
    """What a person would see. `dialog` is the state coop should then report; empty when there is none."""

    at: float
    dialog: str
    rests: bool
    """The composer stands there, and nothing spins."""
    about: str = ""
    """What is asked for, so that two dialogs one after the other are told apart."""
    lines: tuple[str, ...] = ()


def any_fits(rows: Sequence[str], pattern: "re.Pattern[str]") -> bool:
    return any(pattern.search(row) for row in rows)


Look = Callable[[float, Sequence[str]], Sight]
"""What a person makes of these lines, shown at this time."""


@dataclass
class Onlooker:
    """Everything that was seen, at the time at which the bytes that drew it were received."""

    url: str
    look: Look
    sights: list[Sight] = field(default_factory=list[Sight])
    _handed: dict[int, float] = field(default_factory=dict[int, float])

    @property
    def now(self) -> Sight:
        return self.sights[-1] if self.sights else Sight(0.0, "", rests=False)

    def _receive(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        with suppress(ConnectionClosed, OSError, ValueError), connect(self.url, max_size=None, compression=None) as socket:
            socket.send(json.dumps({"type": "replay", "offset": 0}))
            for number, text in enumerate(socket):
                self._handed[number] = time.monotonic()
                message = json.loads(text)
                if message["type"] == "output":
                    process.stdin.write(json.dumps({"at": number, "data": message["data"]}).encode() + b"\n")
                    process.stdin.flush()

    def _look(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        with suppress(ValueError):
            for line in process.stdout:
                drawn = json.loads(line)
                self.sights.append(self.look(self._handed[drawn["at"]], drawn["lines"]))


@contextmanager
def onlooking(coop_url: str, look: Look) -> Generator[Onlooker]:
    command = ["node", str(_SCRIPT), str(COLS), str(ROWS)]
    env = {**os.environ, "NODE_PATH": str(MODULES)}
    process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    onlooker = Onlooker(f"{coop_url.replace('http', 'ws')}/ws?mode=raw", look)
    threads = [threading.Thread(target=each, args=(process,), daemon=True) for each in (onlooker._receive, onlooker._look)]
    for thread in threads:
        thread.start()
    try:
        yield onlooker
    finally:
        assert process.stdin is not None
        with suppress(OSError):  # what is not drawn any more
            process.stdin.close()
        end(process)
