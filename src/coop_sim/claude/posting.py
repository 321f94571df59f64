"""One POST of JSON over HTTP/1.1. Cancelled, it closes the connection: that is how a server learns it is too late."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Posted:
    status: int
    body: str


async def post(url: str, headers: Mapping[str, str], body: bytes) -> Posted:
    """Raises `OSError` when nobody listens, `ValueError` when what listens does not speak HTTP."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port or 80)
    try:
        writer.write(_request(parts.netloc, parts.path or "/", parts.query, headers, len(body)) + body)
        await writer.drain()
        return await _response(reader)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def _request(host: str, path: str, query: str, headers: Mapping[str, str], length: int) -> bytes:
    target = f"{path}?{query}" if query else path
    sent = {"Host": host, "Content-Type": "application/json", "Content-Length": str(length), "Connection": "close", **headers}
    return "\r\n".join([f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]).encode()


async def _response(reader: asyncio.StreamReader) -> Posted:
    status = int((await reader.readline()).split()[1:2][0] or b"0")
    headers: dict[str, str] = {}
    while line := (await reader.readline()).decode("latin-1").strip():
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return Posted(status, (await _body(reader, headers)).decode(errors="replace"))


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return await _chunks(reader)
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    return await reader.read()


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int((await reader.readline()).split(b";")[0] or b"0", 16):
        body += await reader.readexactly(size)
        await reader.readline()
    return body
