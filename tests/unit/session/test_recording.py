import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from coop.agents import UNKNOWN
from coop.errors import CannotRecord, Exited
from coop.model.records import ChildExited, Output, OutputEnded, Started
from coop.model.screen import XTERM, Size
from coop.model.state import ExitStatus
from coop.session.core import CoreSettings, SessionCore
from coop.session.recording import About, Recording, recording_path
from coop.session.replay import agent_of, replay
from coop.session.runner import Session
from coop.terminal.ghostty import GhosttyScreen
from coop.terminal.ring import Ring
from coop.testing import ManualClock
from coop.wire.recording import Received, Recorded, read


def session() -> Session:
    screen = GhosttyScreen(Size(40, 10), XTERM, scrollback=100)
    clock = ManualClock()
    core = SessionCore(CoreSettings("e"), agent=UNKNOWN, screen=screen, ring=Ring(4096), now=clock.now)
    made = Session(core, clock=clock)
    made._loop = asyncio.get_running_loop()
    return made


def made(path: Path) -> Recording:
    return Recording(session(), About("work", 100), path, wall=lambda: 1_800_000_000.0)


def on_a_loop(test: Callable[[], None]) -> None:
    async def run() -> None:
        test()

    asyncio.run(run())


def read_file(path: Path) -> Recorded:
    return read(path.read_bytes(), source=str(path))


def test_a_recording_is_for_its_user_alone_and_replays(tmp_path: Path) -> None:
    path = tmp_path / "new" / "work.coop.jsonl"

    def record() -> None:
        recording = made(path)
        recording.start()
        recording._session.post(Started(1))
        recording._session.post(Output(b"hello"))
        assert recording.status().is_on
        recording.stop()
        assert (recording.status().is_on, recording.status().ended) == (False, "stopped")
        assert recording.status().written == path.stat().st_size

    old = os.umask(0)
    try:
        on_a_loop(record)
    finally:
        os.umask(old)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    found = read_file(path)
    assert found.header.begins == "start"
    assert replay(found, agent_of(found.header)).is_same


def test_one_that_is_being_made_can_be_read_from_the_start_and_whoever_asks_for_it_finds_all_of_it(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"

    def record() -> None:
        recording = made(path)
        recording.start()
        assert not read_file(path).lines
        recording._session.post(Started(1))
        recording._session.post(Output(b"hello"))
        assert recording.status().written == path.stat().st_size
        assert [line.item for line in read_file(path).lines if isinstance(line, Received)] == [Started(1), Output(b"hello")]

    on_a_loop(record)


def test_one_that_begins_in_the_middle_says_so_and_shows_the_screen(tmp_path: Path) -> None:
    def record() -> None:
        recording = made(tmp_path / "r.jsonl")
        recording._session.post(Started(1))
        recording._session.post(Output(b"before "))
        recording.start()
        recording._session.post(Output(b"after"))
        recording.stop()

    on_a_loop(record)
    found = read_file(tmp_path / "r.jsonl")
    again = replay(found, agent_of(found.header))
    assert (found.header.begins, again.has_same_screen, again.screen.lines[0]) == ("middle", True, "before after")


def test_one_that_begins_in_the_middle_of_a_character_has_the_whole_of_it(tmp_path: Path) -> None:
    def record() -> None:
        recording = made(tmp_path / "r.jsonl")
        for item in (Started(1), Output(b"A\xe2\x82")):
            recording._session.post(item)
        recording.start()
        recording._session.post(Output(b"\xacB"))
        recording.stop()

    on_a_loop(record)
    found = read_file(tmp_path / "r.jsonl")
    again = replay(found, agent_of(found.header))
    assert (again.is_same, again.screen.lines[0]) == (True, "A€B")


def test_the_end_of_the_session_ends_it(tmp_path: Path) -> None:
    def record() -> None:
        recording = made(tmp_path / "r.jsonl")
        recording.start()
        for item in (Started(1), ChildExited(ExitStatus(0)), OutputEnded()):
            recording._session.post(item)
        assert recording.status().ended == "the session ended"
        with pytest.raises(Exited):
            recording.start()

    on_a_loop(record)
    end = read_file(tmp_path / "r.jsonl").end
    assert end is not None
    assert end.why == "the session ended"


def test_nothing_that_is_there_is_touched_and_no_link_followed(tmp_path: Path) -> None:
    (tmp_path / "theirs.jsonl").write_text("theirs")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "elsewhere")

    def record() -> None:
        for name in ("theirs.jsonl", "link.jsonl"):
            with pytest.raises(CannotRecord, match="never overwrites"):
                made(tmp_path / name).start(only_first=True)
        recording = made(tmp_path / "theirs.jsonl")
        recording.start()
        recording.stop()
        recording.start()
        recording.stop()

    on_a_loop(record)
    assert (tmp_path / "theirs.jsonl").read_text() == "theirs"
    assert not (tmp_path / "elsewhere").exists()
    assert (tmp_path / "theirs-2.jsonl").exists()
    assert (tmp_path / "theirs-3.jsonl").exists()


def test_nothing_is_left_of_a_session_that_never_started(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"

    def record() -> None:
        for _ in range(2):
            recording = made(path)
            recording.start(only_first=True)
            assert path.exists()
            recording.close()
            assert not path.exists()
            assert recording.status().ended == "the session did not start"
        recording = made(path)
        recording.start()
        path.unlink()
        path.write_text("theirs")
        recording.close()

    on_a_loop(record)
    assert path.read_text() == "theirs"


def test_what_was_recorded_is_kept_at_the_end(tmp_path: Path) -> None:
    def record() -> None:
        recording = made(tmp_path / "r.jsonl")
        recording.start()
        recording._session.post(Started(1))
        recording.close()

    on_a_loop(record)
    assert read_file(tmp_path / "r.jsonl").end is not None


def test_what_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    def record() -> None:
        with pytest.raises(CannotRecord, match="cannot record to"):
            made(tmp_path / "file" / "r.jsonl").start()

    on_a_loop(record)


def test_without_a_recording_nothing_stands_before_the_core() -> None:
    def look() -> None:
        own = session()
        assert own.receive == own.core.receive

    on_a_loop(look)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("a.jsonl", "a.jsonl"),
        (".", "my_work-e1.coop.jsonl"),
        ("not/there/", "not/there/my_work-e1.coop.jsonl"),
        (None, "/home/me/.local/state/coop/recordings/my_work-e1.coop.jsonl"),
    ],
)
def test_where_a_recording_goes(wanted: str | None, found: str) -> None:
    path = recording_path(wanted, "my.work", "e1", {"HOME": "/home/me"})
    assert (path, path.is_absolute()) == (Path.cwd() / found, True)
