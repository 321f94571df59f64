"""Looks at the agent's files whenever their folders change, and every now and then in any case."""

import asyncio
import contextlib
import os
from collections.abc import Callable, Generator, Iterable, Mapping
from pathlib import Path
from typing import Any

from coop.detect.jsonl import record_of
from coop.session.sources.tail import LogTail, PlanWatch, StatusWatch

LogOfStatus = Callable[[Mapping[str, object]], str | None]
"""The log that a status file leads to."""
POLL = 2.0
"""Folders on some file systems do not tell."""
POLL_ALONE = 0.05
"""Where no folder can."""
POLL_SOUGHT = 0.2
"""Until the agent has a log."""


class FileSources:
    def __init__(
        self,
        log: LogTail,
        status: StatusWatch | None,
        *,
        plan: PlanWatch | None = None,
        log_of: LogOfStatus | None = None,
    ) -> None:
        self._log = log
        self._status = status
        self._plan = plan
        self._log_of = log_of
        self._notices: Any = _notices()
        self._timer: asyncio.TimerHandle | None = None

    def bind(self, child: int | None) -> None:
        """Whose files they are."""
        self._log.child = child
        if self._status is not None:
            self._status.child = child
        self.look()

    def follow(self, path: str) -> None:
        self._log.follow(Path(path))
        self.look()

    def follow_plan(self, path: str) -> None:
        if self._plan is not None:
            self._plan.follow(Path(path))
            self._watch_folders()

    @contextlib.contextmanager
    def watching(self) -> Generator[None]:
        """Looks on the running loop, for as long as it lasts."""
        loop = asyncio.get_running_loop()
        if self._notices is not None:
            loop.add_reader(self._notices.fd, self._on_notice)
        self._on_time()
        try:
            yield
        finally:
            assert self._timer is not None
            self._timer.cancel()
            if self._notices is not None:
                loop.remove_reader(self._notices.fd)
                self._notices.close()
                self._notices = None

    def _on_time(self) -> None:
        try:
            self._log.seek()
            self.look()
        finally:  # a file that we fail on is in the log; the others are looked at all the same
            seconds = POLL_ALONE if self._notices is None else POLL_SOUGHT if self._log.is_sought else POLL
            self._timer = asyncio.get_running_loop().call_later(seconds, self._on_time)

    def look(self) -> None:
        self._watch_folders()
        if self._status is not None and (said := self._status.look()) is not None and self._log_of is not None:
            log = self._log_of(record_of(said) or {})
            if log is not None:
                self._log.follow(Path(log))
        if self._plan is not None:
            self._plan.look()
        was_sought = self._log.is_sought
        there_is_more = self._log.look()
        if was_sought and not self._log.is_sought:
            self._watch_folders()
            there_is_more = True  # written since it was read, and before it was watched
        if there_is_more:  # others first
            asyncio.get_running_loop().call_soon(self.look)

    def _on_notice(self) -> None:
        """Which file it was does not matter: there are few, and all are looked at."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._notices.fd, 64 * 1024)
        self.look()

    def _watch_folders(self) -> None:
        if self._notices is None:
            return
        from asyncinotify import Mask

        mask = Mask.CREATE | Mask.MODIFY | Mask.MOVED_TO | Mask.CLOSE_WRITE
        known = {watch.path for watch in self._notices.watches}
        for folder in self._folders() - known:
            with contextlib.suppress(OSError, ValueError):
                self._notices.add_watch(folder, mask)

    def _folders(self) -> set[Path]:
        paths: Iterable[Path | None] = (
            self._log.path.parent if self._log.path else None,
            self._status.directory if self._status else None,
            self._plan.path.parent if self._plan and self._plan.path else None,
        )
        return {_existing(path) for path in paths if path is not None}


def _existing(path: Path) -> Path:
    """The folder itself, or the nearest above it that is there: it will tell when the next one is made."""
    with contextlib.suppress(OSError, ValueError):
        while not path.is_dir() and path != path.parent:
            path = path.parent
    return path


def _notices() -> Any:
    """`None` where there is no inotify."""
    try:
        from asyncinotify import Inotify

        return Inotify()
    except (ImportError, OSError):
        return None
