"""The hooks' own door: what the child is given, what can be done with it, and what cannot."""

import json
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from coop.agents.relay import SOURCE
from coop.testing import eventually, running_coop
from tests.support.wire import Wire

SHELL = ("sh", "-c", 'printf "%s %s\\n" "$COOP_URL" "$COOP_HOOK_TOKEN"; while read line; do eval "$line"; done')
SEND = f"{sys.executable} -m coop.cli.main send"


@pytest.fixture(scope="module")
def wire() -> Generator[Wire]:
    with running_coop("--auth-token", "s3cret", command=SHELL) as coop:
        yield Wire(coop, "tcp", token="s3cret")


@pytest.fixture(scope="module")
def door(wire: Wire) -> tuple[str, str]:
    """Its address and its token, as the child sees them."""
    line = eventually(lambda: next((line for line in wire.text().splitlines() if line.startswith("http://")), None)) or ""
    url, token = line.split()
    return url, token


def post(door: tuple[str, str], path: str, body: object, token: str | None = None, **headers: str) -> httpx.Response:
    url, own = door
    headers["authorization"] = f"Bearer {own if token is None else token}"
    return httpx.post(f"{url}{path}", json=body, headers=headers)


def test_it_is_not_the_door_of_the_api(wire: Wire, door: tuple[str, str]) -> None:
    assert door[0] != wire.coop.url
    assert door[1] != "s3cret"
    assert httpx.get(f"{wire.coop.url}/api/v1/status", headers={"authorization": f"Bearer {door[1]}"}).status_code == 401
    for path in ("/api/v1/agent/respond", "/api/v1/input", "/api/v1/config/stop", "/ws", "/api/v1/screen", "/"):
        assert post(door, path, {}).status_code == 404, path


def test_a_hook_is_taken_with_the_token_only(door: tuple[str, str]) -> None:
    assert post(door, "/api/v1/hooks/PreToolUse", {}).json() == {}
    assert post(door, "/api/v1/hooks/PreToolUse", {}, token="wrong").status_code == 401
    assert post(door, "/api/v1/hooks/PreToolUse", {}, origin="http://evil.example").status_code == 401
    assert httpx.get(f"{door[0]}/api/v1/hooks/Stop", headers={"authorization": f"Bearer {door[1]}"}).status_code == 404
    assert post(door, "/api/v1/hooks/../agent/respond", {}).status_code == 404


def test_what_is_no_json_is_taken_and_says_nothing(door: tuple[str, str]) -> None:
    url, token = door
    reply = httpx.post(f"{url}/api/v1/hooks/Stop", content=b"\xff{", headers={"authorization": f"Bearer {token}"})
    assert (reply.status_code, reply.content) == (200, b"{}")


def test_the_relay_gets_the_reply_as_it_is(door: tuple[str, str], tmp_path: Path) -> None:
    """It speaks HTTP/1.0, and would print whatever else came with it."""
    (tmp_path / "hook.py").write_bytes(SOURCE)
    url, token = door
    done = subprocess.run(
        [sys.executable, "-IS", tmp_path / "hook.py", "SessionStart"],
        input=b"{}",
        capture_output=True,
        env={"COOP_URL": url, "COOP_HOOK_TOKEN": token},
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"", b"")


def test_too_much_is_refused(door: tuple[str, str]) -> None:
    url, token = door
    reply = httpx.post(f"{url}/api/v1/hooks/Stop", content=b"x" * 5_000_000, headers={"authorization": f"Bearer {token}"})
    assert reply.status_code == 413


def test_the_word_that_it_is_done_comes_from_inside(wire: Wire) -> None:
    wire.post("/api/v1/input", {"text": f"{SEND} '{json.dumps({'kind': 'complete', 'message': 'all of it'})}'", "enter": True})
    eventually(lambda: wire.get("/api/v1/config/stop")["signal"] == {"kind": "complete", "message": "all of it"})


@pytest.mark.parametrize("word", ["complete", '{"message":"x"}', "[]"])
def test_a_word_that_is_none_is_refused_and_says_what_is_one(wire: Wire, word: str) -> None:
    wire.post("/api/v1/input", {"text": f"clear; {SEND} '{word}'; echo code {len(word)}:$?", "enter": True})
    assert "expected" in wire.shows(f"code {len(word)}:2")


def test_an_agent_that_cannot_be_gated_says_so(wire: Wire) -> None:
    assert wire.error("PUT", "/api/v1/config/stop", json={"mode": "gate"}) == (404, "NO_DRIVER")
    assert wire.error("PUT", "/api/v1/config/stop", json={"mode": "closed"}) == (400, "BAD_REQUEST")
    assert wire.get("/api/v1/config/stop")["mode"] == "allow"


def test_a_receipt_that_is_not_there_says_so(wire: Wire) -> None:
    assert wire.error("GET", "/api/v1/receipts/r99") == (404, "NOT_FOUND")


def test_what_is_known_of_nothing_explains_itself() -> None:
    with running_coop(command=("cat",)) as coop:
        told = Wire(coop, "tcp").get("/api/v1/agent/explain")
    assert (told["state"], told["rule"]) == ("unknown", "nothing has been said yet")
    assert [word["tier"] for word in told["tiers"]] == ["hooks", "process"]
