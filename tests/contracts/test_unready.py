"""Rows of seed 001's error table that need a session whose child has not started, or that is broken."""

import json
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect, unix_connect
from websockets.exceptions import ConnectionClosed

from coop.agents import UNKNOWN
from coop.model.screen import XTERM, Size
from coop.server.app import application
from coop.server.facade import Served
from coop.server.health import health_application
from coop.server.listen import Listeners, bind_tcp, bind_unix
from coop.session.core import CoreSettings, SessionCore
from coop.session.runner import Session
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.ring import Ring
from coop.testing import ManualClock

pytestmark = pytest.mark.anyio


def unstarted() -> Served:
    clock = ManualClock()
    core = SessionCore(
        CoreSettings("e"), agent=UNKNOWN, screen=GhosttyScreen(Size(80, 24), XTERM), ring=Ring(64), now=clock.now
    )
    return Served(Session(core, clock=clock), "it")


@asynccontextmanager
async def listening(path: Path, served: Served | None = None) -> AsyncGenerator[tuple[str, str]]:
    listeners = Listeners(application(served or unstarted()))
    sockets = (bind_tcp("127.0.0.1", 0), bind_unix(path / "sock"))
    for each in sockets:
        await listeners.serve(each)
    try:
        yield f"127.0.0.1:{sockets[0].getsockname()[1]}", str(path / "sock")
    finally:
        await listeners.close(within=1.0)


@pytest.mark.parametrize("transport", ["tcp", "unix"])
async def test_nothing_is_served_before_the_child_has_started(transport: str, tmp_path: Path) -> None:
    async with listening(tmp_path) as (address, path):
        kwargs: dict[str, Any] = {"transport": httpx.AsyncHTTPTransport(uds=path)} if transport == "unix" else {}
        async with httpx.AsyncClient(base_url=f"http://{address}", **kwargs) as client:
            for route in ("screen", "screen/text", "output", "agent/state", "events"):
                response = await client.get(f"/api/v1/{route}")
                assert (response.status_code, response.json()["error"]["code"]) == (503, "NOT_READY")
            response = await client.post("/api/v1/input", json={"text": "x"})
            assert (response.status_code, response.json()["error"]["code"]) == (503, "NOT_READY")
            assert (await client.get("/api/v1/health")).json()["status"] == "starting"
        opened = unix_connect(path, "ws://localhost/ws") if transport == "unix" else connect(f"ws://{address}/ws")
        async with opened as stream:
            with pytest.raises(ConnectionClosed) as closed:
                await stream.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4503


async def test_a_bug_is_internal_and_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    logging.getLogger("coop").propagate = True
    served = unstarted()
    served.core.pid = 1
    served.core.screen.snapshot = broken  # type: ignore[method-assign, assignment]
    async with listening(tmp_path, served) as (address, path):
        for kwargs in ({}, {"transport": httpx.AsyncHTTPTransport(uds=path)}):
            async with httpx.AsyncClient(base_url=f"http://{address}", **kwargs) as client:  # type: ignore[arg-type]
                response = await client.get("/api/v1/screen")
            assert (response.status_code, response.json()["error"]["code"]) == (500, "INTERNAL")
        for opened in (connect(f"ws://{address}/ws?mode=screen"), unix_connect(path, "ws://localhost/ws?mode=screen")):
            async with opened as stream:
                assert json.loads(await stream.recv())["code"] == "INTERNAL"
                with pytest.raises(ConnectionClosed):
                    await stream.recv()
    assert "a WebSocket failed" in caplog.text
    assert "a request failed" in caplog.text


async def test_probes_tell_alive_from_ready() -> None:
    listeners, socket = Listeners(health_application(unstarted())), bind_tcp("127.0.0.1", 0)
    await listeners.serve(socket)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{socket.getsockname()[1]}") as client:
        assert (await client.get("/livez")).status_code == 200
        assert (await client.get("/readyz")).status_code == 503
        assert (await client.get("/healthz")).text == "starting\n"
        assert (await client.get("/nope")).status_code == 404
    await listeners.close(within=1.0)
