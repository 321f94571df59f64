"""A server for http hooks: keeps what it is told, and answers what a test says."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

EVENTS = (
    "UserPromptSubmit PreToolUse PermissionRequest PostToolUse PostToolUseFailure Stop StopFailure SessionStart SessionEnd"
).split()


@dataclass
class HookServer:
    url: str
    told: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    answers: dict[str, list[dict[str, Any] | threading.Event]] = field(
        default_factory=dict[str, list[dict[str, Any] | threading.Event]]
    )
    """By event, one after the other; an `Event` is not answered until it is set."""
    hung_up: threading.Event = field(default_factory=threading.Event)
    """A connection was closed before it was answered."""

    def events(self) -> list[str]:
        return [str(one["hook_event_name"]) for one in self.told]

    def settings(self) -> str:
        hook = {"type": "http", "url": self.url, "headers": {"x-token": "Bearer $TOKEN $OTHER"}, "allowedEnvVars": ["TOKEN"]}
        return json.dumps({"hooks": {event: [{"matcher": "", "hooks": [hook | {"timeout": 20}]}] for event in EVENTS}})


@contextmanager
def hook_server() -> Generator[HookServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            state.told.append(body)
            state.headers.append(dict(self.headers.items()))
            waiting = state.answers.get(body["hook_event_name"]) or [{}]
            answer = waiting.pop(0)
            if isinstance(answer, threading.Event):
                self._hold(answer)
                answer = {}
            self._reply(json.dumps(answer).encode())

        def _hold(self, until: threading.Event) -> None:
            self.connection.settimeout(0.02)
            while not until.is_set():
                try:
                    if self.connection.recv(1) == b"":
                        state.hung_up.set()
                        return
                except TimeoutError:
                    continue

        def _reply(self, body: bytes) -> None:
            try:
                self.send_response(200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except OSError:
                state.hung_up.set()

        def log_message(self, format: str, *args: Any) -> None: ...  # noqa: A002

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state = HookServer(f"http://127.0.0.1:{server.server_address[1]}/hook")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
