"""An application on loopback, served from a thread of its own: what all pretend models stand on."""

import asyncio
import contextlib
import threading
from collections.abc import Generator
from contextlib import contextmanager

from starlette.applications import Starlette

from coop.server.listen import Listeners, bind_tcp


@contextmanager
def served(app: Starlette) -> Generator[str]:
    """Its address, for as long as the block lasts."""
    thread = _ServerThread(app)
    thread.start()
    thread.ready.wait()
    try:
        yield thread.url
    finally:
        thread.stop()
        thread.join()


class _ServerThread(threading.Thread):
    def __init__(self, app: Starlette) -> None:
        super().__init__(name="pretend-model", daemon=True)
        self._app = app
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self.url = ""
        self.ready = threading.Event()

    def run(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        listeners, listening = Listeners(self._app), bind_tcp("127.0.0.1", 0)
        await listeners.serve(listening)
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self.ready.set()
        await self._stopping.wait()
        await listeners.close(within=0.2)

    def stop(self) -> None:
        assert self._loop is not None
        assert self._stopping is not None
        self._loop.call_soon_threadsafe(self._stopping.set)
