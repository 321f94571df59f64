"""The program behind a command hook: it hands on what it reads, prints the reply, and never stands in the way."""

import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from coop.agents.relay import relay_command, relay_file
from coop.model.launch import SessionPlaces


class Door(BaseHTTPRequestHandler):
    """A door that keeps what comes and replies what it is told to."""

    came: list[tuple[str, str | None, bytes]]
    reply: tuple[int, bytes]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        type(self).came.append((self.path, self.headers["authorization"], body))
        status, said = self.reply
        self.send_response(status)
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - so named there
        """Says nothing."""


@pytest.fixture
def door() -> Generator[HTTPServer]:
    Door.came, Door.reply = [], (200, b"{}")
    server = HTTPServer(("127.0.0.1", 0), Door)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def run(folder: Path, event: str, said: bytes, **env: str) -> subprocess.CompletedProcess[bytes]:
    places = SessionPlaces(str(folder), "http://unused", "COOP_HOOK_TOKEN", "id", python=sys.executable)
    path, source = relay_file(places)
    Path(path).write_bytes(source)
    command = shlex.split(relay_command(places, event))
    return subprocess.run(command, input=said, capture_output=True, check=False, env={"PATH": os.defpath, **env})


def test_it_hands_on_and_prints_the_reply(tmp_path: Path, door: HTTPServer) -> None:
    Door.reply = (200, b'{"decision":"block"}')
    url = f"http://127.0.0.1:{door.server_port}"
    done = run(tmp_path, "Stop", b'{"a":"\xc3\xa4"}', COOP_URL=url, COOP_HOOK_TOKEN="t")
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"decision":"block"}', b"")
    assert Door.came == [("/api/v1/hooks/Stop", "Bearer t", b'{"a":"\xc3\xa4"}')]


@pytest.mark.parametrize("reply", [(200, b"{}"), (401, b'{"error":{}}'), (500, b"oops")])
def test_nothing_is_printed_when_nothing_is_said(tmp_path: Path, door: HTTPServer, reply: tuple[int, bytes]) -> None:
    Door.reply = reply
    url = f"http://127.0.0.1:{door.server_port}"
    done = run(tmp_path, "Stop", b"{}", COOP_URL=url, COOP_HOOK_TOKEN="t")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    "env", [{}, {"COOP_URL": "http://127.0.0.1:1", "COOP_HOOK_TOKEN": "t"}, {"COOP_URL": "?", "COOP_HOOK_TOKEN": "t"}]
)
def test_without_coop_it_is_as_if_there_were_no_hook(tmp_path: Path, env: dict[str, str]) -> None:
    done = run(tmp_path, "Stop", b"{}", **env)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
