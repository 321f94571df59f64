"""Five ways to run the same Claude Code: with coop's hooks, under coop without any, on a bare PTY with hooks that do
nothing, with commands that are not even waited for, and on a bare PTY without any."""

import base64
import json
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Protocol

from bench.agents.model import Model
from bench.agents.plain import BarePty, started_plain
from bench.agents.session import Session, started
from bench.agents.subject import Place
from bench.claude.subject import CLAUDE, setting
from coop.agents.claude.replies import NO_WORD
from coop.testing import eventually

ON, OFF, EMPTY, ASYNC, BARE = (
    "coop",
    "coop, no hooks",
    "bare PTY, empty HTTP hooks",
    "bare PTY, asynchronous commands",
    "bare PTY",
)
ARMS = (ON, OFF, EMPTY, ASYNC, BARE)
AWAITED = ("UserPromptSubmit", "Stop")
READY_WITHIN = 30.0


Served = tuple[float, float]
"""When a hook had come, and when it was answered, on our clock."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Nothing)
        self.served: list[Served] = []


class _Nothing(BaseHTTPRequestHandler):
    """The least an HTTP hook can be: an answer without a thought."""

    server: _Server

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        came = time.monotonic()
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(NO_WORD)
        self.wfile.write(head + NO_WORD)
        self.server.served.append((came, time.monotonic()))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002, its own name
        pass


@contextmanager
def _empty_hooks() -> Generator[tuple[str, list[Served]]]:
    """Settings whose hooks are awaited as ours are, and do nothing; and each that came."""
    server = _Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hook = {"type": "http", "url": f"http://127.0.0.1:{server.server_port}/", "timeout": 5}
    try:
        yield _settings(hook), server.served
    finally:
        server.shutdown()
        server.server_close()


def _settings(hook: Mapping[str, object]) -> str:
    return json.dumps({"hooks": {event: [{"matcher": "", "hooks": [hook]}] for event in AWAITED}})


UNAWAITED = {"type": "command", "command": "cat >/dev/null", "async": True}
"""Claude starts it and goes on: no answer could be given this way."""


class Keyboard(Protocol):
    def write(self, data: bytes) -> None: ...


@dataclass
class Wired:
    """Through coop's own door for raw bytes."""

    session: Session

    def write(self, data: bytes) -> None:
        self.session.post("input/raw", data=base64.b64encode(data).decode())


@dataclass
class Arm:
    name: str
    model: Model
    place: Place
    keyboard: Keyboard
    served: list[Served] = field(default_factory=list[Served])
    """The hooks that were answered, where that was us."""

    def status(self) -> tuple[str, float]:
        """What Claude says of itself, and since when, on our clock."""
        for path in (self.place.home / ".claude" / "sessions").glob("*.json"):
            with suppress(OSError, ValueError, KeyError):
                found = json.loads(path.read_text())
                return str(found["status"]), found["statusUpdatedAt"] / 1000 - _clocks_apart()
        return "", 0.0

    def until_idle(self, since: float = 0.0) -> float:
        """When it became so, after `since`."""

        def idle() -> float:
            status, at = self.status()
            return at if status == "idle" and at >= since else 0.0

        return eventually(idle, within=READY_WITHIN, what=f"{self.name} idle")


def _clocks_apart() -> float:
    return time.clock_gettime(time.CLOCK_REALTIME) - time.monotonic()


@contextmanager
def started_arms(version: str) -> Generator[dict[str, Arm]]:
    with ExitStack() as stack:
        usual = setting(version, "")
        on = stack.enter_context(started(CLAUDE, usual))
        off = stack.enter_context(started(CLAUDE, usual, driver="unknown"))
        settings, served = stack.enter_context(_empty_hooks())
        empty = stack.enter_context(started_plain(CLAUDE, usual, BarePty, "--settings", settings))
        unawaited = stack.enter_context(started_plain(CLAUDE, usual, BarePty, "--settings", _settings(UNAWAITED)))
        bare = stack.enter_context(started_plain(CLAUDE, usual, BarePty))
        arms = {
            ON: Arm(ON, on.model, on.place, Wired(on)),
            OFF: Arm(OFF, off.model, off.place, Wired(off)),
            EMPTY: Arm(EMPTY, empty.model, empty.place, empty.typist, served),
            ASYNC: Arm(ASYNC, unawaited.model, unawaited.place, unawaited.typist),
            BARE: Arm(BARE, bare.model, bare.place, bare.typist),
        }
        for arm in arms.values():
            Path(arm.place.workspace, "notes.txt").write_text("a few words\n")
            arm.until_idle()
        yield arms
