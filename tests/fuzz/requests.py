"""HTTP: whatever is sent, it is answered, in time, by a status of the table and never by 500."""

import http.client
import random
from collections import Counter
from typing import Any
from urllib.parse import quote

from tests.fuzz.mutations import body, noise

EXAMPLES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/v1/input", {"text": "hello", "enter": True}),
    ("/api/v1/input/raw", {"data": "aGVsbG8="}),
    ("/api/v1/input/keys", {"keys": ["Up", "Ctrl-A"]}),
    ("/api/v1/resize", {"cols": 80, "rows": 24}),
    ("/api/v1/signal", {"signal": "SIGWINCH"}),
    ("/api/v1/agent/nudge", {"message": "x"}),
    ("/api/v1/agent/respond", {"accept": True, "option": 1, "text": "x"}),
)
QUERIES = (
    "/api/v1/screen?format=",
    "/api/v1/screen?cursor=",
    "/api/v1/screen?scrollback=",
    "/api/v1/output?offset=",
    "/api/v1/output?limit=",
)
EXPECTED = {200, 400, 403, 404, 405, 409, 413}


def fuzz_requests(port: int, *, seed: int, count: int) -> Counter[int]:
    """How often each status came. Raises `AssertionError` with the request that was answered badly."""
    dice, seen = random.Random(seed), Counter[int]()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    for number in range(count):
        method, path, content = _request(dice)
        try:
            connection.request(method, path, content)
            response = connection.getresponse()
            text = response.read()
        except (http.client.HTTPException, OSError):
            connection.close()  # refused in the middle of it: allowed, as long as the next one is answered
            seen[0] += 1
            continue
        seen[response.status] += 1
        assert response.status in EXPECTED, (
            f"seed {seed}, number {number}: {method} {path} {content!r}: {response.status} {text!r}"
        )
        if response.status == 400:
            assert b'"code":"BAD_REQUEST"' in text
    connection.close()
    return seen


def _request(dice: random.Random) -> tuple[str, str, bytes]:
    if dice.random() < 0.15:
        return "GET", dice.choice(QUERIES) + quote(noise(dice, 12)), b""
    path, example = dice.choice(EXAMPLES)
    if dice.random() < 0.03:
        return dice.choice(("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "GET")), path, b""
    content = body(dice, example)
    # A real signal would end the child and with it the campaign.
    return "POST", path, content if b'"signal"' not in content or b"WINCH" in content else b"{}"
