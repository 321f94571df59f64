"""`coop mcp`, driven by the official client over stdio or HTTP."""

import os
import re
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Literal

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

COMMAND = (sys.executable, "-m", "coop.cli.main", "mcp")
TOKEN = "made-up-token"
Transport = Literal["stdio", "http"]


def environment(home: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(home), "XDG_RUNTIME_DIR": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", **more}


class Failed(Exception):
    """What a tool refused, by its code."""

    def __init__(self, error: Mapping[str, Any], text: str) -> None:
        super().__init__(text)
        self.code = error["code"]
        self.error = error


class Caller:
    """The official client, whose refusals are raised."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __call__(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        result = await self.client.call_tool(tool, arguments)
        told: dict[str, Any] = result.structured_content or {}
        if result.is_error:
            raise Failed(told["error"], getattr(result.content[0], "text", ""))
        return told

    async def text(self, tool: str, /, **arguments: Any) -> str:
        """As a model reads it."""
        (content,) = (await self.client.call_tool(tool, arguments)).content
        return str(getattr(content, "text", ""))

    async def tools(self) -> set[str]:
        return {tool.name for tool in (await self.client.list_tools()).tools}


@asynccontextmanager
async def mcp_client(transport: Transport, *options: str, env: dict[str, str]) -> AsyncGenerator[Caller]:
    if transport == "stdio":
        server = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], *options], env=env)
        async with Client(server) as client:
            yield Caller(client)
        return
    with serving(*options, env=env) as url:
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {TOKEN}"}, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            yield Caller(client)


@contextmanager
def serving(*options: str, env: dict[str, str], log: Path | None = None) -> Generator[str]:
    """Where a `coop mcp` listens; what else it said is in the log, when it has ended."""
    command = (*COMMAND, "--http-port", "0", *options)
    process = subprocess.Popen(command, env={"COOP_MCP_TOKEN": TOKEN, **env}, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"{line}{process.stderr.read()}"
        yield found[0]
    finally:
        process.terminate()
        process.wait(30)
        if log is not None:
            log.write_text(process.stderr.read())
        process.stderr.close()
