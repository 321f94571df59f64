"""The hook pipe: anything in the session may write JSON lines to `$COOP_HOOK_PIPE`."""

import asyncio
import contextlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

from coop.errors import ConfigError
from coop.model.records import HookRecord

MAX_LINE = 1024 * 1024
_READ = 4 * 1024
"""A flood of short lines must not keep the loop for long."""


class HookPipe:
    """Opened for reading and writing at once: then no writer ever waits for a reader, and we never see an end."""

    def __init__(self, path: Path, post: Callable[[HookRecord], None]) -> None:
        self._path = path
        self._post = post
        self._partial = bytearray()
        _make(path)
        self._fd = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)

    def listen(self) -> None:
        asyncio.get_running_loop().add_reader(self._fd, self._on_readable)

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._fd)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(self._path.lstat(), os.fstat(self._fd)):  # else a later session's
                self._path.unlink()
        os.close(self._fd)

    def _on_readable(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self.feed(os.read(self._fd, _READ))

    def feed(self, data: bytes) -> None:
        """Posts every whole line; keeps a torn one for later, but not without bound."""
        *lines, rest = (bytes(self._partial) + data).split(b"\n")
        self._partial = bytearray(rest if len(rest) <= MAX_LINE else b"")
        for line in lines:
            if line.strip():
                self._post(HookRecord(line))


def _make(path: Path) -> None:
    try:
        if stat.S_ISFIFO(path.lstat().st_mode):
            path.unlink()  # left behind by a session of this name that did not end well
    except FileNotFoundError:
        pass
    try:
        os.mkfifo(path, 0o600)
    except OSError as error:
        raise ConfigError(f"cannot make the hook pipe {path}: {error.strerror}") from None
