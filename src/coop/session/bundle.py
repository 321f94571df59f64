"""A bug report in one file: a redacted recording, what was believed at its end, and with which versions."""

import io
import platform
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from coop import __version__
from coop.errors import BadRecording
from coop.model.records import ChildExited, ShuttingDown
from coop.session.recording import engine
from coop.wire.recording import Received, Recorded, read
from coop.wire.states import StateName

RECORDING, ABOUT, EXPLAIN, SCREEN = "recording.coop.jsonl", "report.json", "explain.json", "screen.txt"
_LARGEST = 512 * 1024 * 1024
_TEST = '''\
"""From a bug report: {at!r} s after the beginning coop said {said}, where {expected} was right."""

from pathlib import Path

from coop.testing.replaying import rerun

RECORDING = Path(__file__).with_name({recording!r})
NOTE = {note!r}


def test_the_state_is_the_one_that_was_expected() -> None:
    assert rerun(RECORDING).state_at({at!r}) == {expected!r}, NOTE
'''


class Report(msgspec.Struct, kw_only=True):
    """What the reporter says, and what can be said of the machine."""

    coop: str = __version__
    engine: str = msgspec.field(default_factory=engine)
    python: str = msgspec.field(default_factory=platform.python_version)
    system: str = msgspec.field(default_factory=lambda: f"{platform.system()} {platform.release()} {platform.machine()}")
    agent: str
    agent_version: str | None = None
    state: str
    """What coop said."""
    at: float
    """So many seconds after the recording began."""
    expected: StateName | None = None
    """What would have been right."""
    note: str | None = None
    replays: bool | None = None
    """Did the recording give the same events once more, where the report was made?"""
    replayable: bool | None = None
    removed: dict[str, int] = {}


@dataclass(frozen=True, slots=True)
class Bundle:
    report: Report
    recording: Recorded | None


def moment(recorded: Recorded) -> float:
    """Where a recording has come to when nothing more is said: its end, but before the session was ended."""
    last = recorded.header.now
    for line in recorded.lines:
        if isinstance(line, Received):
            if isinstance(line.item, ShuttingDown | ChildExited):
                break
            last = line.now
    return last - recorded.header.now


def length(recorded: Recorded) -> float:
    """From its beginning to its last line."""
    times = (line.now if isinstance(line, Received) else line.at for line in recorded.lines)
    return max(times, default=recorded.header.now) - recorded.header.now


def pack(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o600
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


def failing_test(report: Report, *, recording: str, said: StateName, expected: StateName, at: float) -> str:
    """Python that fails while coop says that. A report comes from a stranger: whatever it says is a literal in it, not source."""
    return _TEST.format(at=round(at, 3), said=said, expected=expected, recording=recording, note=report.note or "")


def unpack(data: bytes, *, source: str) -> Bundle:
    """Raises `BadRecording`."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
            about, recording = _member(archive, ABOUT), _member(archive, RECORDING)
        report = msgspec.json.decode(about or b"", type=Report)
    except (tarfile.TarError, OSError, EOFError, UnicodeDecodeError, msgspec.MsgspecError) as error:
        raise BadRecording(f"{source}: not a report of coop: {error}") from None
    return Bundle(report, read(recording, source=f"{source}: {RECORDING}") if recording is not None else None)


def _member(archive: tarfile.TarFile, name: str) -> bytes | None:
    """`None` when it is not there. Raises `TarError` for what is no file: a link may lead to itself."""
    try:
        member = archive.getmember(name)
    except KeyError:
        return None
    found = archive.extractfile(member) if member.isreg() else None
    if found is None:
        raise tarfile.TarError(f"{name} is not a file")
    return found.read(_LARGEST)
