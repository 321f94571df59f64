"""A proxy that cuts connections, each after so many bytes of the reply."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Cut:
    """Where to cut: after so many bytes, by a reset or by hanging up."""

    after: int
    reset: bool


@dataclass
class CuttingProxy:
    """TCP on loopback to a Unix socket. `plan` is asked for every connection; `None` lets it be."""

    target: str
    plan: Callable[[], Cut | None]
    made: list[Cut] = field(default_factory=list[Cut])
    """The cuts that were made: a reply that is shorter is not cut."""
    is_away: bool = False
    """Every connection is refused."""
    _open: set[asyncio.StreamWriter] = field(default_factory=set[asyncio.StreamWriter])

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[str]:
        """Its URL."""
        server = await asyncio.start_server(self._on_connection, "127.0.0.1", 0)
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            server.close()
            self.hang_up()

    def hang_up(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    def leave(self) -> None:
        self.is_away = True
        self.hang_up()

    def come_back(self, target: str) -> None:
        self.target, self.is_away = target, False

    async def _on_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        with contextlib.suppress(OSError):
            if not self.is_away:
                await self._between(reader, writer, self.plan())
        self._open.discard(writer)
        writer.transport.abort()

    async def _between(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, cut: Cut | None) -> None:
        up_reader, up_writer = await asyncio.open_unix_connection(self.target)
        try:
            up_writer.write(await reader.readuntil(b"\r\n\r\n"))
            await self._reply(up_reader, writer, cut)
        finally:
            up_writer.transport.abort()

    async def _reply(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, cut: Cut | None) -> None:
        left = cut.after if cut is not None else None
        while data := await reader.read(65536):
            writer.write(data if left is None else data[:left])
            if left is not None and cut is not None and len(data) >= left:
                await self._cut(writer, cut)
                return
            left = left - len(data) if left is not None else None
            await writer.drain()

    async def _cut(self, writer: asyncio.StreamWriter, cut: Cut) -> None:
        self.made.append(cut)
        if cut.reset:
            writer.transport.abort()
            return
        writer.close()
        await writer.wait_closed()
