"""HTTP: whatever is sent, it is answered, in time, by a status of the table and never by 500."""

import http.client
import random
from collections import Counter
from typing import Any
from urllib.parse import quote

from coop.errors import BadRequest
from coop.wire import http as wire
from tests.fuzz.handshakes import fuzz_handshake
from tests.fuzz.mutations import body, noise

TYPES: dict[str, type[Any]] = {
    "/api/v1/input": wire.InputRequest,
    "/api/v1/input/raw": wire.RawInputRequest,
    "/api/v1/input/keys": wire.KeysRequest,
    "/api/v1/resize": wire.ResizeRequest,
    "/api/v1/signal": wire.SignalRequest,
    "/api/v1/agent/nudge": wire.NudgeRequest,
    "/api/v1/agent/respond": wire.RespondRequest,
    "/api/v1/config/stop": wire.StopConfigBody,
    "/api/v1/stop/resolve": wire.SignalBody,
}
METHOD = {"/api/v1/config/stop": "PUT"}
"""Of those that are not posted."""
EXAMPLES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/v1/input", {"text": "hello", "enter": True}),
    ("/api/v1/input/raw", {"data": "aGVsbG8="}),
    ("/api/v1/input/keys", {"keys": ["Up", "Ctrl-A"]}),
    ("/api/v1/resize", {"cols": 80, "rows": 24}),
    ("/api/v1/signal", {"signal": "SIGWINCH"}),
    ("/api/v1/agent/nudge", {"message": "x"}),
    ("/api/v1/agent/respond", {"accept": True, "option": 1, "text": "x"}),
    ("/api/v1/config/stop", {"mode": "gate", "reason": "not yet", "most_blocks": 3}),
    ("/api/v1/stop/resolve", {"kind": "complete", "message": "x"}),
)
QUERIES = (
    "/api/v1/screen?format=",
    "/api/v1/screen?cursor=",
    "/api/v1/screen?scrollback=",
    "/api/v1/output?offset=",
    "/api/v1/output?limit=",
)
EXPECTED = {200, 400, 403, 404, 405, 409, 413}


HEADERS = ("Origin", "Last-Event-ID", "Authorization", "Content-Type", "Accept", "X-Anything")
WORDS = ("http://[", "null", "x-" + "9" * 5000, "Bearer ", "\x7f", "é", "[", "a" * 3000, "http://127.0.0.1:1", "-1", "²")


def fuzz_requests(port: int, *, seed: int, count: int) -> Counter[int]:
    """How often each status came. Raises `AssertionError` with the request that was answered badly, `TimeoutError` for a hang."""
    dice, seen = random.Random(seed), Counter[int]()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    for number in range(count):
        if dice.random() < 0.02:
            status = fuzz_handshake(port, dice)
            seen[status] += 1
            assert status in EXPECTED, f"seed {seed}, number {number}: a handshake: {status}"
            continue
        method, path, content = _request(dice)
        headers = {dice.choice(HEADERS): dice.choice(WORDS)} if dice.random() < 0.1 else {}
        said = f"seed {seed}, number {number}: {method} {path} {content!r} {headers}"
        connection.request(
            method, path, content, {name: value.encode("utf-8").decode("latin-1") for name, value in headers.items()}
        )
        response = connection.getresponse()
        text = response.read()
        seen[response.status] += 1
        assert response.status in EXPECTED, f"{said}: {response.status} {text!r}"
        if method == METHOD.get(path, "POST") and not headers and _is_malformed(path, content):
            assert (response.status, b'"code":"BAD_REQUEST"' in text) == (400, True), f"{said}: {response.status} {text!r}"
    connection.close()
    return seen


def _is_malformed(path: str, content: bytes) -> bool:
    """By the very type that documents the route."""
    try:
        wire.decode(content, TYPES[path]).command()
    except BadRequest:
        return True
    return False


def _request(dice: random.Random) -> tuple[str, str, bytes]:
    if dice.random() < 0.15:
        return "GET", dice.choice(QUERIES) + quote(noise(dice, 12)), b""
    path, example = dice.choice(EXAMPLES)
    method = METHOD.get(path, "POST")
    if dice.random() < 0.03:
        others = [each for each in ("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "GET") if each != method]
        return dice.choice(others), path, b""
    content = body(dice, example)
    # A real signal would end the child and with it the campaign.
    return method, path, content if b'"signal"' not in content or b"WINCH" in content else b"{}"
