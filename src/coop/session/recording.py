"""Writes down what comes into a session and what it publishes: one file, for nobody but its user."""

import asyncio
import contextlib
import errno
import logging
import os
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2s
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path

import msgspec

from coop import __version__
from coop.errors import CannotRecord, Exited
from coop.model.events import SessionEnded
from coop.model.readings import Learned
from coop.model.records import Item, Output
from coop.model.screen import ScreenSnapshot
from coop.session.core import SessionCore
from coop.session.effects import Effect, Publish
from coop.session.runner import Session
from coop.wire.recording import Begins, Ended, Header, end_line, event_line, header_line, item_line

FLUSH_AT = 256 * 1024
FLUSH_AFTER = 0.25
"""What a crash can cost, in seconds."""
SUFFIX = ".coop.jsonl"
_ENGINE = "pyghostty"

log = logging.getLogger("coop.recording")


def engine() -> str:
    """The terminal emulator, and its version."""
    try:
        return f"{_ENGINE} {version(_ENGINE)}"
    except PackageNotFoundError:
        return _ENGINE


def digest(screen: ScreenSnapshot) -> str:
    """Of what is on a screen: equal for equal screens."""
    shown = (screen.lines, screen.cursor, screen.alt_screen, screen.title)
    return blake2s(msgspec.json.encode(shown), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class About:
    """What the core itself does not know of its session."""

    session: str
    scrollback: int


def header_of(core: SessionCore, about: About, *, now: float, wall: float) -> Header:
    begins: Begins = "start" if core.pid is None else "middle"
    known = {each.name: getattr(core.insight.known, each.name) for each in fields(Learned)}
    return Header(
        coop=__version__,
        engine=engine(),
        agent=core.agent.name,
        dialogs=dict(core.agent.dialogs) if core.agent.dialogs is not None else None,
        holds_hooks=core.agent.holds_hooks,
        session=about.session,
        size=core.screen.size,
        scrollback=about.scrollback,
        identity=core.agent.identity,
        settings=msgspec.to_builtins(core.settings),
        learned=Learned(**known),
        now=core.started_at if begins == "start" else now,
        wall=wall,
        begins=begins,
        screen=_shown(core)[0] if begins == "middle" else None,
    )


def _shown(core: SessionCore) -> tuple[str, bytes]:
    """The screen; and bytes of a character that has only half come, which text cannot hold: what is read next ends it."""
    decoder = getincrementaldecoder("utf-8")("replace")
    return decoder.decode(core.screen.dump()), decoder.getstate()[0]


class Scribe:
    """Stands before a core's door and writes down, in `put`, what goes in and what is published."""

    def __init__(self, core: SessionCore, put: Callable[[bytes], None], finish: Callable[[str, float], None]) -> None:
        self._core = core
        self._put = put
        self._finish = finish

    def receive(self, item: Item, now: float) -> Sequence[Effect]:
        self._put(item_line(item, now))  # first, so that what breaks the core is in it
        effects = self._core.receive(item, now)
        for effect in effects:
            if type(effect) is Publish:
                self._put(event_line(effect.event))
                if isinstance(effect.event.fact, SessionEnded):
                    self._finish("the session ended", now)
        return effects


class _File:
    """Takes lines and writes them in a moment, many at once. What cannot be written is told to `fail`, once."""

    def __init__(self, path: Path, fail: Callable[[OSError], None]) -> None:
        self.path = path
        self.written = 0
        self._fail = fail
        self._loop = asyncio.get_running_loop()
        self._fd = new_file(path)
        self._buffer = bytearray()
        self._timer: asyncio.TimerHandle | None = None

    def put(self, line: bytes) -> None:
        self._buffer += line
        if len(self._buffer) >= FLUSH_AT:
            self.flush()
        elif self._timer is None:
            self._timer = self._loop.call_later(FLUSH_AFTER, self.flush)

    def flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        data, self._buffer = bytes(self._buffer), bytearray()
        try:
            while data and self._fd >= 0:
                taken = os.write(self._fd, data)
                self.written, data = self.written + taken, data[taken:]
        except OSError as error:
            self.close()
            self._fail(error)

    def discard(self) -> None:
        """As if it had never been, unless something else has taken its place."""
        with contextlib.suppress(OSError):
            if self._fd >= 0 and os.path.samestat(os.fstat(self._fd), os.lstat(self.path)):
                os.unlink(self.path)
        self.close()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._fd >= 0:
            with contextlib.suppress(OSError):
                os.close(self._fd)
        self._fd = -1


def new_file(path: Path) -> int:
    """A file that was not there before, which nobody else can read. A link is not followed. Raises `OSError`."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_APPEND | os.O_CLOEXEC
    fd = os.open(path, flags, 0o600)
    os.fchmod(fd, 0o600)
    return fd


@dataclass(frozen=True, slots=True)
class RecordingStatus:
    path: Path | None = None
    """The last one, when none is being made."""
    is_on: bool = False
    written: int = 0
    begins: Begins | None = None
    ended: str | None = None
    """Why it is over."""


class Recording:
    """Whether a session is written down, and where to. Lives on the session's loop."""

    def __init__(self, session: Session, about: About, first: Path, *, wall: Callable[[], float]) -> None:
        self._session = session
        self._about = about
        self._paths = _numbered(first)
        self._wall = wall
        self._file: _File | None = None
        self._last = RecordingStatus()

    def status(self) -> RecordingStatus:
        """Whoever asks may read the file next: all that was put down until now is in it."""
        if self._file is not None:
            self._file.flush()
        if self._file is None:
            return self._last
        return RecordingStatus(self._file.path, True, self._file.written, self._last.begins)

    def start(self, *, only_first: bool = False) -> None:
        """Goes on, if it is on already. A file that is there is never touched. Raises `CannotRecord` and `Exited`."""
        core = self._session.core
        if self._file is not None:
            return
        if core.ended is not None:
            raise Exited("the child has exited; there is nothing more to record")
        file = self._file = self._new_file(only_first)
        header = header_of(core, self._about, now=self._session.now, wall=self._wall())
        self._last = RecordingStatus(file.path, begins=header.begins)
        file.put(header_line(header))
        if header.screen is not None and (half := _shown(core)[1]):
            file.put(item_line(Output(half), header.now))
        self._session.receive = Scribe(core, file.put, self._finish).receive
        file.flush()

    def stop(self, why: str = "stopped") -> None:
        if self._file is not None:
            self._finish(why, self._session.now)

    def close(self) -> None:
        """Stops; what was begun for a session that never started is not left in the way of the next try."""
        if self._file is not None and self._session.core.pid is None:
            self._file.discard()
            self._end(self._file, "the session did not start")
        self.stop()

    def _new_file(self, only_first: bool) -> _File:
        for path in self._paths:
            try:
                return self._file_at(path)
            except FileExistsError as error:
                if only_first:
                    raise CannotRecord(_refusal(path, error)) from None
            except OSError as error:
                raise CannotRecord(_refusal(path, error)) from None
        raise AssertionError("there is always another name")

    def _file_at(self, path: Path) -> _File:
        if not path.parent.exists():
            path.parent.mkdir(mode=0o700, parents=True)
        return _File(path, self._on_failure)

    def _finish(self, why: str, now: float) -> None:
        file, core = self._file, self._session.core
        if file is None:
            return
        file.put(end_line(Ended(now, why, digest(core.screen.snapshot()), core.insight.known.version)))
        file.flush()
        if self._file is not None:
            file.close()
            self._end(file, why)

    def _on_failure(self, error: OSError) -> None:
        """A full disk ends the recording, not the session."""
        if self._file is None:
            return
        log.error("the recording ended", extra={"path": str(self._file.path), "why": error.strerror})
        self._end(self._file, f"it could not be written: {error.strerror}")

    def _end(self, file: _File, why: str) -> None:
        self._session.receive = self._session.core.receive
        self._last = RecordingStatus(file.path, False, file.written, self._last.begins, why)
        self._file = None


def _refusal(path: Path, error: OSError) -> str:
    if error.errno == errno.EEXIST:
        return f"{path} is there already, and a recording never overwrites: choose another name, or a directory"
    return f"cannot record to {path}: {error.strerror}"


def _numbered(first: Path) -> Iterator[Path]:
    """`work.coop.jsonl`, `work-2.coop.jsonl`…"""
    yield first
    stem, dot, rest = first.name.partition(".")
    for number in count(2):
        yield first.with_name(f"{stem}-{number}{dot}{rest}")


def recording_path(wanted: str | None, session: str, epoch: str, env: Mapping[str, str]) -> Path:
    """What was asked for; in a directory, or where nothing was asked for, a name of its own. Whoever asks may be in another folder."""
    name = f"{session.replace('.', '_')}-{epoch}{SUFFIX}"
    if wanted is None:
        return (_state_directory(env) / name).absolute()
    return (Path(wanted, name) if wanted.endswith(os.sep) or os.path.isdir(wanted) else Path(wanted)).absolute()


def _state_directory(env: Mapping[str, str]) -> Path:
    state = env.get("XDG_STATE_HOME") or os.path.join(env.get("HOME", "."), ".local", "state")
    return Path(state, "coop", "recordings")
