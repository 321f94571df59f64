"""What `coop ls` tells of every session: all that is known of it, and how that looks in a list."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coop.cli.looks import DIM, PLAIN, STATES, Cell, age, cut, harmless, one_line, place, table
from coop.cli.prompts import summary
from coop.client.address import Address
from coop.client.api import Api
from coop.client.finding import Found
from coop.errors import CoopError, Unreachable
from coop.wire.decode import Body, prompt

ANSWERS_WITHIN = 2.0
"""One session that hangs does not keep the others from being told of."""
_OF_HEALTH = ("pid", "uptime_secs", "labels", "version")
_LONGEST_PLACE = 40


@dataclass(frozen=True, slots=True)
class Row:
    """One session, as it was `at` that time of ours."""

    found: Found
    at: float
    told: Mapping[str, Any]
    error: CoopError | None = None
    """Why nothing is told of it."""

    def body(self, now: float) -> dict[str, Any]:
        """With the names of the API, and as old as it is now."""
        body: dict[str, Any] = {"name": self.found.name, "socket": str(self.found.socket)}
        if self.error is not None:
            return {**body, "error": {"code": self.error.code, "message": self.error.message}}
        grown = {key: self.told[key] + now - self.at for key in ("for_secs", "uptime_secs")}
        return {**body, **self.told, "for_secs": round(grown["for_secs"], 1), "uptime_secs": int(grown["uptime_secs"])}


async def look(found: Found, token: str | None, now: float) -> Row:
    """Never raises for what is the matter with the session."""
    api = Api(Address("http://localhost", str(found.socket)), token, None)
    try:
        async with asyncio.timeout(ANSWERS_WITHIN):
            return Row(found, now, await _told(api))
    except TimeoutError:
        return Row(found, now, {}, Unreachable(f"it has not answered within {ANSWERS_WITHIN:g} s"))
    except CoopError as error:
        return Row(found, now, {}, error)
    finally:
        await api.close()


async def _told(api: Api) -> dict[str, Any]:
    """One after the other: who is sent away at the first has nothing under way when it hangs up."""
    paths = ("/api/v1/health", "/api/v1/agent/state", "/api/v1/agent/explain")
    health, state, why = [await api.get(path) for path in paths]
    of_health = {key: health[key] for key in _OF_HEALTH}
    return {**state, **of_health, "for_secs": why["for_secs"], "cwd": state.get("cwd") or _cwd(health["pid"])}


def _cwd(pid: int | None) -> str | None:
    """Where the child is, when its agent does not say so itself and the system does."""
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return None


def listed(rows: Sequence[Row], now: float, *, home: str | None, width: int | None) -> list[str]:
    """A line each, under a heading. The column of what is asked is there when somebody asks."""
    bodies = [row.body(now) for row in rows]
    asks = any(body.get("prompt") for body in bodies)
    heading: list[Cell] = [(word, DIM) for word in ("NAME", "AGENT", "STATE", "FOR", "UP", "CWD", *(("ASKS",) if asks else ()))]
    return table([heading, *(_cells(body, home, asks=asks) for body in bodies)], width=width)


def _cells(body: Body, home: str | None, *, asks: bool) -> list[Cell]:
    last: list[Cell] = [(_asked(body), PLAIN)] if asks else []
    if "error" in body:
        state = "needs a token" if body["error"]["code"] == "UNAUTHORIZED" else "does not answer"
        return [(body["name"], PLAIN), ("", DIM), (state, STATES["error"]), ("", DIM), ("", DIM), ("", DIM), *last]
    return [
        (body["name"], PLAIN),
        (one_line(body["agent"]), PLAIN),
        (harmless(body["state"]), STATES.get(body["state"], PLAIN)),
        (age(body["for_secs"]), PLAIN),
        (age(body["uptime_secs"]), PLAIN),
        (cut(one_line(place(body.get("cwd") or "", home)), _LONGEST_PLACE if asks else None), DIM),
        *last,
    ]


def _asked(body: Body) -> str:
    asked = prompt(body.get("prompt"))
    return summary(asked) if asked is not None else ""
