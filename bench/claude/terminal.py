"""An independent terminal beside coop's own: xterm.js draws the raw stream, and our own eyes look at it.

Nothing here comes from coop: neither its emulator nor its patterns.
"""

import json
import os
import re
import subprocess
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from bench.claude.place import COLS, ROWS
from bench.peers.node import MODULES
from bench.processes import end

_SCRIPT = Path(__file__).with_name("screen.js")
_SPINS = re.compile(r"^\s*[·✢✳✶✻✽*∗] (\S.*…|.*Retrying in )")
_COMPOSER = re.compile(r"^[❯!]\xa0")
_RULER = re.compile(r"^─{20,}")
_DIALOGS = (
    ("plan_prompt", re.compile(r"^\s*❯? ?3?\.? ?Tell Claude what to change"), re.compile(r"^\s*ctrl\+g to edit in")),
    (
        "ask_user",
        re.compile(r"^\s*❯? ?\d\. (Chat about this|Submit answers|\S)"),
        re.compile(r"Enter to select ·|^\s+2\. Cancel"),
    ),
    ("permission_prompt", re.compile(r"^\s*Do you want to (proceed|create|make this edit)"), re.compile(r"^\s*Esc to cancel")),
    ("ask_user", re.compile(r"^\s*Auto mode can't check actions"), re.compile(r"Enter to stay in auto mode")),
    (
        "setup_prompt",
        re.compile(r"Yes, I trust this folder|Yes, I accept|No \(recommended\)"),
        re.compile(r"^\s*Enter to confirm"),
    ),
)
_ABOUT = re.compile(
    r"^[ │]*(touch \S+|sleep \S+|\S+\.txt|made-\S+|Read\(\S+\)|npm test|Auto mode's safety .*|The (?:other )?plan)\s*$",
    re.MULTILINE,
)
LOOK = 30
"""So many rows from below are looked at."""


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


def look(at: float, lines: Sequence[str]) -> Sight:
    rows = [line for line in lines if line.strip()][-LOOK:]
    composer = any(_RULER.match(above) and _COMPOSER.match(line) for above, line in pairwise(rows))
    spins = any(_SPINS.match(line) for line in rows[-20:])
    tail = rows[-2:]
    dialog = "" if composer else next((kind for kind, body, foot in _DIALOGS if _has(rows, body) and _has(tail, foot)), "")
    about = _ABOUT.findall("\n".join(rows))[-1:] if dialog in ("permission_prompt", "plan_prompt") else ()
    return Sight(at, dialog, composer and not spins, "".join(about), tuple(rows))


def _has(rows: Sequence[str], pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(row) for row in rows)


@dataclass
class Onlooker:
    """Everything that was seen, at the time at which the bytes that drew it were received."""

    url: str
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
                self.sights.append(look(self._handed[drawn["at"]], drawn["lines"]))


@contextmanager
def onlooking(coop_url: str) -> Generator[Onlooker]:
    command = ["node", str(_SCRIPT), str(COLS), str(ROWS)]
    env = {**os.environ, "NODE_PATH": str(MODULES)}
    process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    onlooker = Onlooker(f"{coop_url.replace('http', 'ws')}/ws?mode=raw")
    threads = [threading.Thread(target=each, args=(process,), daemon=True) for each in (onlooker._receive, onlooker._look)]
    for thread in threads:
        thread.start()
    try:
        yield onlooker
    finally:
        end(process)
