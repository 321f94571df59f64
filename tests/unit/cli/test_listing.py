import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import click
import httpx
import pytest

from coop.cli.listing import Row, _told, listed
from coop.cli.state import _asked
from coop.client.address import Address
from coop.client.api import Api
from coop.client.finding import Found
from coop.errors import Unauthorized, Unreachable

IDLE: dict[str, Any] = {
    "agent": "claude",
    "state": "waiting_for_input",
    "prompt": None,
    "cwd": "/home/me/work",
    "for_secs": 4.0,
    "uptime_secs": 60,
}
ASKS = {**IDLE, "state": "permission_prompt", "prompt": {"type": "permission", "tool": "Bash", "input": {"command": "ls"}}}


def row(name: str, **how: Any) -> Row:
    return Row(Found(name, Path(f"/run/{name}.sock")), 100.0, how.get("told", IDLE), how.get("error"))


def lines(*rows: Row, now: float = 101.0, width: int | None = None) -> list[str]:
    return [click.unstyle(line) for line in listed(rows, now, home="/home/me", width=width)]


def test_a_row_grows_older_without_being_looked_at() -> None:
    assert row("a").body(110.0)["for_secs"] == 14.0
    assert row("a").body(110.0)["uptime_secs"] == 70
    assert lines(row("a"), now=170.0)[1].split() == ["a", "claude", "waiting_for_input", "1m14s", "2m10s", "~/work"]


def test_what_is_asked_has_a_column_when_somebody_asks() -> None:
    assert "ASKS" not in lines(row("a"))[0]
    heading, one, two = lines(row("a", told=ASKS), row("b"))
    assert heading.endswith("CWD     ASKS")
    assert one.endswith("~/work  Bash: ls")
    assert two.endswith("~/work")


def test_lines_are_cut_to_the_terminal() -> None:
    assert all(len(line) <= 44 for line in lines(row("a", told=ASKS), width=60)[2:])
    assert len(lines(row("a"), width=50)[1]) <= 50


def test_a_session_that_does_not_tell_is_listed_all_the_same() -> None:
    assert lines(row("a", told={}, error=Unauthorized("no")))[1].split() == ["a", "needs", "a", "token"]
    assert lines(row("a", told={}, error=Unreachable("no")))[1].split() == ["a", "does", "not", "answer"]
    body = row("a", told={}, error=Unauthorized("no")).body(101.0)
    assert body == {"name": "a", "socket": "/run/a.sock", "error": {"code": "UNAUTHORIZED", "message": "no"}}


@pytest.mark.parametrize("ask", [_told, _asked])
def test_a_session_that_sends_us_away_is_asked_nothing_more(ask: Callable[[Api], Awaitable[object]]) -> None:
    """What is still under way when the connection is closed fails where nobody listens, with a traceback."""
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        return httpx.Response(401, json={"error": {"code": "UNAUTHORIZED", "message": "no token"}})

    async def told() -> None:
        await ask(Api(Address("http://coop"), None, httpx.MockTransport(answer)))

    with pytest.raises(Unauthorized):
        asyncio.run(told())
    assert len(asked) == 1
