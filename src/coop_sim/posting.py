"""One POST of JSON over HTTP/1.1. Cancelled, it closes the connection: that is how a server learns it is too late."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

_PIECE = 65536


@dataclass(frozen=True, slots=True)
class Posted:
    status: int
    body: str


@dataclass(frozen=True, slots=True)
class Answering:
    """The head of an answer; its body is still coming."""

    status: int
    headers: Mapping[str, str]
    reader: asyncio.StreamReader

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes. Raises `EOFError` when it ends too soon."""
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            while size := int((await self.reader.readline()).split(b";")[0] or b"x", 16):
                yield await self.reader.readexactly(size)
                await self.reader.readline()
        elif "content-length" in self.headers:
            yield await self.reader.readexactly(int(self.headers["content-length"]))
        else:
            while piece := await self.reader.read(_PIECE):
                yield piece

    async def text(self) -> str:
        return b"".join([piece async for piece in self.pieces()]).decode(errors="replace")


async def post(url: str, headers: Mapping[str, str], body: bytes) -> Posted:
    """Raises `OSError` when nobody listens, `ValueError` when what listens does not speak HTTP."""
    async with posting(url, headers, body) as answer:
        return Posted(answer.status, await answer.text())


@asynccontextmanager
async def posting(url: str, headers: Mapping[str, str], body: bytes) -> AsyncGenerator[Answering]:
    """As `post`, with the body still to be read."""
    parts = urlsplit(url)
    is_secret = parts.scheme == "https"
    reader, writer = await asyncio.open_connection(
        parts.hostname, parts.port or (443 if is_secret else 80), ssl=is_secret or None
    )
    try:
        writer.write(_request(parts.netloc, parts.path or "/", parts.query, headers, len(body)) + body)
        await writer.drain()
        yield await _head(reader)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def _request(host: str, path: str, query: str, headers: Mapping[str, str], length: int) -> bytes:
    target = f"{path}?{query}" if query else path
    sent = {"Host": host, "Content-Type": "application/json", "Content-Length": str(length), "Connection": "close", **headers}
    return "\r\n".join([f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]).encode()


async def _head(reader: asyncio.StreamReader) -> Answering:
    status = int((await reader.readline()).split()[1:2][0] or b"0")
    headers: dict[str, str] = {}
    while line := (await reader.readline()).decode("latin-1").strip():
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return Answering(status, headers, reader)
