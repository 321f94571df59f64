"""Files the agent writes: its session log, read line by line, its status file and its plan, read whole."""

import os
import stat
from collections.abc import Callable, Iterator
from glob import glob
from pathlib import Path

from coop.detect.jsonl import Lines
from coop.model.records import LogFound, LogLine, LogTold, PlanText, StatusText

_MOST = 4 * 1024 * 1024
"""So much is read at a time; the rest comes with the next look."""

_LONGEST_LINE = 256 * 1024
_KNOWN = 256
"""So much of what was read last must still stand where it stood: else it is another file of that name."""

Post = Callable[[LogFound | LogLine | LogTold | StatusText], None]
WallClock = Callable[[], float]


class LogTail:
    """Follows one log at a time, under `root`. What an earlier run has written is passed over."""

    def __init__(
        self,
        post: Post,
        wall: WallClock,
        *,
        root: Path | None = None,
        pattern: str | None = None,
        opened: str | None = None,
        running: bool = False,
    ) -> None:
        self._opened = opened
        """What stands in the first line of the log that is followed when the child has it open."""
        self.child: int | None = None
        self._post = post
        self._wall = wall
        self._root = root
        self._pattern = pattern
        """Until a log is told of, the first that fits is followed."""
        self._running = running
        """The child was there before us: what its first log holds already is told, once."""
        self._is_untold = False
        self._started = wall()
        self._offset = 0
        self._known = b""
        """What was read last."""
        self._lines = Lines()
        self.path: Path | None = None
        self._followed: set[Path] = set()

    def follow(self, path: Path, *, from_end: bool = False) -> None:
        """A path that is not a log's, or leads elsewhere, is left alone: hooks can be forged."""
        if not self._is_a_log(path) or (self.path is not None and _same(path, self.path)):
            return
        self.path, self._lines = path, Lines()
        self._followed.add(Path(os.path.realpath(path)))
        begins_at_end = from_end or _is_older(path, self._started)
        self._offset, self._known = 0, b""
        if begins_at_end and (last := _read(path, max(0, _size(path) - _KNOWN))) is not None:
            self._go_on_behind(*last)
        self._is_untold, self._running = self._running and begins_at_end, False

    def _go_on_behind(self, data: bytes, start: int) -> None:
        self._offset, self._known = start + len(data), (self._known + data)[-_KNOWN:]

    @property
    def is_sought(self) -> bool:
        """It has not been made yet, or nobody has told where it is."""
        return self.path is None and (self._pattern is not None or self._opened is not None)

    def seek(self) -> None:
        """Follows the newest log that the child has open, or else a process it has started."""
        if self._opened is None or self._root is None or self.child is None:
            return
        new = [path for path in _open_files(self.child, self._root) if path not in self._followed]
        found = [path for path in new if self._opened in _first_line(path)]
        if found:
            self._take(max(found, key=_modified))

    def _seek_by_name(self) -> None:
        if self.path is None and self._pattern is not None and (found := glob(self._pattern)):
            self._take(Path(min(found)))

    def _take(self, path: Path) -> None:
        self._post(LogFound(str(path)))
        self.follow(path)

    def _is_a_log(self, path: Path) -> bool:
        if self._root is None:
            return True
        try:
            return path.suffix == ".jsonl" and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(self._root))
        except (OSError, ValueError):
            return False

    def look(self) -> bool:
        """Posts what is new; whether there may be more."""
        self._seek_by_name()
        if self.path is None or (self._is_untold and self.child is None):
            return False
        if self._is_untold:
            self._tell(self.path)
        found = _read(self.path, self._offset, known=self._known)
        if found is None:
            return False
        data, start = found
        if start < self._offset:
            self._lines, self._known = Lines(), b""  # written anew
        self._go_on_behind(data, start)
        for line in self._lines.feed(data):
            self._post(LogLine(line, self._wall()))  # one by one: how late it is, is counted from when it is looked at
        return len(data) == _MOST

    def _tell(self, path: Path) -> None:
        """What was written before we came; the first line says whose log it is. A torn last one will be news."""
        self._is_untold = False
        found = _read(path, max(0, _size(path) - _MOST))
        if found is None:
            return
        data, start = found
        self._known = b""
        self._go_on_behind(data, start)
        lines = self._lines.feed(data)
        if start > 0:
            lines = [_first_line(path).encode(), *lines[1:]]
        self._post(LogTold(b"\n".join(lines), self._wall()))


class StatusWatch:
    """The status file of the child, or of the descendant that is the agent itself: of several, the one nearest to the child."""

    def __init__(self, directory: Path, post: Post, wall: WallClock) -> None:
        self.directory = directory
        self.child: int | None = None
        self._post = post
        self._wall = wall
        self._bound: int | None = None
        self._last = b""

    def look(self) -> bytes | None:
        """What it says now; `None` when that is nothing new."""
        if self._bound is None or not self._path(self._bound).exists():
            self._bound = self._nearest()
        found = _read(self._path(self._bound), 0) if self._bound is not None else None
        if found is not None and found[0] and found[0] != self._last:
            self._last = found[0]
            self._post(StatusText(self._last, self._wall()))
            return self._last
        return None

    def _path(self, pid: int) -> Path:
        return self.directory / f"{pid}.json"

    def _nearest(self) -> int | None:
        try:
            names = os.listdir(self.directory)
        except OSError:
            return None
        pids = [
            int(stem)
            for stem, dot, rest in (name.partition(".") for name in names)
            if dot and rest == "json" and stem.isascii() and stem.isdigit()
        ]
        distances = {pid: distance for pid in pids if (distance := _distance(pid, self.child)) is not None}
        return min(distances, key=distances.__getitem__, default=None)


class PlanWatch:
    """The file of the plan that was asked about last."""

    def __init__(self, post: Callable[[PlanText], None]) -> None:
        self.path: Path | None = None
        self._post = post
        self._last: bytes | None = None

    def follow(self, path: Path) -> None:
        """What stands there now has been told. Only the kind of file that a plan is: hooks can be forged."""
        self.path = path if path.suffix == ".md" else None
        self._last = self._text()

    def look(self) -> None:
        found = self._text()
        if found and found != self._last and self.path is not None:  # an editor may empty it before it writes
            self._last = found
            self._post(PlanText(str(self.path), found.decode(errors="replace")))

    def _text(self) -> bytes | None:
        found = _read(self.path, 0) if self.path is not None else None
        return found[0] if found is not None else None


def _distance(pid: int, ancestor: int | None) -> int | None:
    """How many parents lie between; `None` when it is no descendant."""
    for steps, each in enumerate(lineage(pid)):
        if each == ancestor:
            return steps
    return None


def lineage(pid: int | None) -> Iterator[int]:
    """The process, its parent, and so on, as far as the system tells."""
    while pid is not None and pid > 1:
        yield pid
        pid = _parent(pid)


def _open_files(pid: int, root: Path) -> Iterator[Path]:
    """Logs under `root` that the process has open; those of what it has started only where it has none itself.

    An agent may run another of its kind as a tool, whose log is begun like its own: the one nearest to the child is ours.
    """
    own = list(_logs_of(pid, root))
    yield from own
    for child in () if own else _children(pid):
        yield from _open_files(child, root)


def _logs_of(pid: int, root: Path) -> Iterator[Path]:
    for fd in _entries(f"/proc/{pid}/fd"):
        try:
            path = Path(os.readlink(f"/proc/{pid}/fd/{fd}"))
        except OSError:
            continue
        if path.suffix == ".jsonl" and path.is_relative_to(os.path.realpath(root)):
            yield path


def _children(pid: int) -> Iterator[int]:
    for task in _entries(f"/proc/{pid}/task"):
        yield from map(int, _words(f"/proc/{pid}/task/{task}/children"))


def _entries(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _words(path: str) -> list[str]:
    try:
        return Path(path).read_text().split()
    except OSError:
        return []


def _first_line(path: Path) -> str:
    found = _read(path, 0, most=_LONGEST_LINE)
    return found[0].partition(b"\n")[0].decode(errors="replace") if found else ""


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _parent(pid: int) -> int | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The name in parentheses may hold anything; the fields come after its last one.
    return int(fields.rpartition(b")")[2].split()[1])


def _read(path: Path, offset: int, *, known: bytes = b"", most: int | None = None) -> tuple[bytes, int] | None:
    """Bytes from there on, and where they begin: at 0 if what is `known` stands before them no more.

    `None` for what is not a plain file.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        os.close(fd)  # of a folder, Python would make no file, and leave it open
        return None
    with os.fdopen(fd, "rb") as file:
        file.seek(offset - len(known))
        start = offset if found.st_size >= offset and file.read(len(known)) == known else 0
        file.seek(start)
        return file.read(most or _MOST), start


def _same(path: Path, other: Path) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


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
