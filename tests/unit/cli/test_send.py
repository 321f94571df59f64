import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from click.testing import CliRunner, Result

from coop.cli.send import send

COMPLETE = '{"kind":"complete"}'


class Coop(HTTPServer):
    """Takes one signal, and answers as it was told to."""

    reply: tuple[int, bytes] = (200, b"{}")
    heard: tuple[str, str | None, object] | None = None


class Door(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Coop)
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.heard = (self.path, self.headers["authorization"], json.loads(body))
        status, reply = self.server.reply
        self.send_response(status)
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002  # the base class's name for it


@pytest.fixture
def coop() -> Iterator[Coop]:
    with Coop(("127.0.0.1", 0), Door) as server:
        serving = Thread(target=server.handle_request, daemon=True)
        serving.start()
        yield server


def sent(signal: str, coop: Coop | None = None, *options: str, **env: str | None) -> Result:
    url = f"http://127.0.0.1:{coop.server_port}" if coop else None
    return CliRunner().invoke(
        send, [signal, *options], prog_name="coop send", env={"COOP_URL": url, "COOP_HOOK_TOKEN": "token", **env}
    )


def test_a_signal_goes_through_the_door_of_the_hooks(coop: Coop) -> None:
    result = sent(COMPLETE, coop)
    assert (result.exit_code, result.output) == (0, "noted\n")
    assert coop.heard == ("/api/v1/stop/resolve", "Bearer token", {"kind": "complete"})


def test_the_reply_of_the_api_is_printed_where_json_is_asked_for(coop: Coop) -> None:
    result = sent(COMPLETE, coop, "--json")
    assert (result.exit_code, result.stdout) == (0, "{}\n")


def test_no_proxy_is_told(coop: Coop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urllib.request._opener", None)  # where urllib keeps what it was told of proxies the first time
    result = sent(COMPLETE, coop, http_proxy="http://127.0.0.1:9", no_proxy=None, NO_PROXY=None)
    assert (result.exit_code, result.output) == (0, "noted\n")


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_refusal_is_told_in_coops_words_and_code(coop: Coop, options: tuple[str, ...]) -> None:
    coop.reply = (401, b'{"error": {"code": "UNAUTHORIZED", "message": "send its token"}}')
    result = sent(COMPLETE, coop, *options)
    assert (result.exit_code, result.stderr) == (4, "coop send: send its token\n")
    assert result.stdout == ('{"error":{"code":"UNAUTHORIZED","message":"send its token"}}\n' if options else "")


def test_who_is_no_coop_is_told_of(coop: Coop) -> None:
    coop.reply = (502, b"<html>")
    result = sent(COMPLETE, coop)
    assert (result.exit_code, "not as coop does: <html>" in result.stderr) == (3, True)


def test_outside_of_a_session_there_is_nobody_to_tell() -> None:
    result = sent(COMPLETE)
    assert result.exit_code == 2
    assert "not inside of a session" in result.stderr


@pytest.mark.parametrize("signal", ["complete", "[]", "{}", '{"kind": 1}'])
def test_what_is_no_signal_is_refused_before_anything_is_sent(signal: str) -> None:
    result = sent(signal, COOP_URL="http://127.0.0.1:9")
    assert result.exit_code == 2
    assert "expected" in result.stderr


def test_a_coop_that_is_gone_is_told_of() -> None:
    result = sent(COMPLETE, COOP_URL="http://127.0.0.1:1")
    assert result.exit_code == 3
    assert "cannot be reached" in result.stderr
