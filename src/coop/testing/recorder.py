"""Records what a coop's child writes as an asciicast, with its times and sizes: a live run becomes a fixture."""

import base64
import codecs
import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from coop.testing.process import CoopProcess


@contextmanager
def recording(coop: CoopProcess, path: Path) -> Generator[Path]:
    """From the first byte that is kept to the end of the block, or of the child."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as cast, connect(f"{coop.url.replace('http', 'ws')}/ws?mode=raw", max_size=None) as socket:
        socket.send(json.dumps({"type": "replay", "offset": 0}))
        writer = threading.Thread(target=_write, args=(socket, cast), daemon=True)
        writer.start()
        yield path
        socket.close()
        writer.join()


def _write(socket: ClientConnection, cast: IO[str]) -> None:
    began, decoder = time.monotonic(), codecs.getincrementaldecoder("utf-8")("replace")
    socket.send(json.dumps({"type": "screen_request"}))
    header_is_written = False
    held: list[tuple[float, str, str]] = []
    try:
        for text in socket:
            message: dict[str, Any] = json.loads(text)
            at = round(time.monotonic() - began, 6)
            match message["type"]:
                case "screen" if not header_is_written:
                    cast.write(json.dumps({"version": 2, "width": message["cols"], "height": message["rows"]}) + "\n")
                    header_is_written = True
                case "output":
                    held.append((at, "o", decoder.decode(base64.b64decode(message["data"]))))
                case "resize":
                    held.append((at, "r", f"{message['cols']}x{message['rows']}"))
                case _:
                    pass
            if header_is_written:
                cast.writelines(json.dumps(event, ensure_ascii=False) + "\n" for event in held if event[2])
                held.clear()
    except ConnectionClosed:
        pass
