"""Files the agent writes: its session log, read line by line, and its status file, read whole."""

import os
from collections.abc import Callable
from pathlib import Path

from coop.detect.jsonl import Lines
from coop.model.records import LogLine, StatusText

_MOST = 4 * 1024 * 1024
"""So much is read at a time; the rest comes with the next look."""

Post = Callable[[LogLine | StatusText], None]
WallClock = Callable[[], float]


class LogTail:
    """Follows one log at a time. What an earlier run has written is passed over."""

    def __init__(self, post: Post, wall: WallClock) -> None:
        self._post = post
        self._wall = wall
        self._started = wall()
        self._offset = 0
        self._lines = Lines()
        self.path: Path | None = None

    def follow(self, path: Path, *, from_end: bool = False) -> None:
        if path == self.path:
            return
        self.path, self._lines = path, Lines()
        self._offset = _size(path) if from_end or _is_older(path, self._started) else 0

    def look(self) -> bool:
        """Posts what is new; whether there may be more."""
        if self.path is None:
            return False
        try:
            with self.path.open("rb") as log:
                if os.fstat(log.fileno()).st_size < self._offset:
                    self._offset, self._lines = 0, Lines()  # written anew
                log.seek(self._offset)
                data = log.read(_MOST)
        except OSError:
            return False
        self._offset += len(data)
        wall = self._wall()
        for line in self._lines.feed(data):
            self._post(LogLine(line, wall))
        return len(data) == _MOST


class StatusWatch:
    """The status file of the child, or of whichever of its descendants is the agent itself."""

    def __init__(self, directory: Path, post: Post, wall: WallClock) -> None:
        self.directory = directory
        self.child: int | None = None
        self._post = post
        self._wall = wall
        self._last = b""

    def look(self) -> None:
        try:
            names = os.listdir(self.directory)
        except OSError:
            return
        for name in names:
            stem, dot, rest = name.partition(".")
            if dot and rest == "json" and stem.isdigit() and self._is_ours(int(stem)):
                self._read(self.directory / name)

    def _is_ours(self, pid: int) -> bool:
        return self.child is not None and descends_from(pid, self.child)

    def _read(self, path: Path) -> None:
        try:
            text = path.read_bytes()
        except OSError:
            return
        if text and text != self._last:
            self._last = text
            self._post(StatusText(text, self._wall()))


def descends_from(pid: int | None, ancestor: int) -> bool:
    """Is `ancestor` among this process and its parents? Says no where the system does not tell."""
    while pid is not None and pid > 1:
        if pid == ancestor:
            return True
        pid = _parent(pid)
    return False


def _parent(pid: int) -> int | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The name in parentheses may hold anything; the fields come after its last one.
    return int(stat.rpartition(b")")[2].split()[1])


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _is_older(path: Path, than: float) -> bool:
    try:
        return path.stat().st_mtime < than
    except OSError:
        return False
