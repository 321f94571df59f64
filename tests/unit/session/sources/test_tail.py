import os
import subprocess
from pathlib import Path

import pytest

from coop.model.records import LogFound, LogLine, LogTold, PlanText, StatusText
from coop.session.sources import tail
from coop.session.sources.tail import LogTail, PlanWatch, StatusWatch, lineage

WALL = 1_800_000_000.0


class Posted:
    """An inbox, and the time it was told."""

    def __init__(self) -> None:
        self.records: list[LogFound | LogLine | LogTold | StatusText] = []
        self.wall = WALL

    def lines(self) -> list[bytes]:
        taken = [record.line for record in self.records if isinstance(record, LogLine)]
        self.records.clear()
        return taken

    def log(self) -> LogTail:
        return LogTail(self.records.append, lambda: self.wall)


def appended(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)
    os.utime(path, (WALL + 1, WALL + 1))


def test_a_log_is_followed_line_by_line(tmp_path: Path) -> None:
    posted, log = Posted(), tmp_path / "a.jsonl"
    following = posted.log()
    following.follow(log)
    assert not following.look()
    appended(log, b'{"a": 1}\n{"b"')
    posted.wall = WALL + 5
    following.look()
    assert posted.records == [LogLine(b'{"a": 1}', WALL + 5)]
    posted.lines()
    appended(log, b": 2}\n\n")
    following.look()
    assert posted.lines() == [b'{"b": 2}']
    following.look()
    assert posted.lines() == []


def test_a_log_that_is_written_anew_is_read_from_its_start(tmp_path: Path) -> None:
    posted, log = Posted(), tmp_path / "a.jsonl"
    following = posted.log()
    following.follow(log)
    appended(log, b'{"long": "line"}\n{"torn')
    following.look()
    posted.lines()
    log.write_bytes(b'{"c": 3}\n')
    following.look()
    assert posted.lines() == [b'{"c": 3}']


@pytest.mark.parametrize("from_end", [False, True])
def test_a_longer_log_in_its_place_is_read_from_its_start(tmp_path: Path, *, from_end: bool) -> None:
    """Gemini deletes the log of another that was told nothing yet, which then makes it anew."""
    posted, log = Posted(), tmp_path / "a.jsonl"
    appended(log, b'{"a": 1}\n')
    following = posted.log()
    following.follow(log, from_end=from_end)
    following.look()
    posted.lines()
    log.unlink()
    appended(log, b'{"begun": "anew"}\n{"b": 2}\n')
    following.look()
    assert posted.lines() == [b'{"begun": "anew"}', b'{"b": 2}']


def test_a_log_that_was_copied_into_its_place_is_gone_on_with(tmp_path: Path) -> None:
    posted, log, copy = Posted(), tmp_path / "a.jsonl", tmp_path / "copy"
    appended(log, b'{"a": 1}\n{"torn')
    following = posted.log()
    following.follow(log)
    following.look()
    copy.write_bytes(log.read_bytes() + b'": 2}\n')
    copy.replace(log)
    following.look()
    assert posted.lines() == [b'{"a": 1}', b'{"torn": 2}']


def test_another_log_is_followed_from_its_own_start(tmp_path: Path) -> None:
    posted = Posted()
    following = posted.log()
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    appended(first, b'{"a": 1}\n{"torn')
    appended(second, b'{"b": 2}\n')
    following.follow(first)
    following.look()
    following.follow(second)
    following.look()
    assert posted.lines() == [b'{"a": 1}', b'{"b": 2}']
    assert following.path == second


def test_the_same_log_again_changes_nothing(tmp_path: Path) -> None:
    posted, log = Posted(), tmp_path / "a.jsonl"
    following = posted.log()
    appended(log, b'{"a": 1}\n{"b"')
    following.follow(log)
    following.look()
    following.follow(log, from_end=True)
    appended(log, b": 2}\n")
    following.look()
    assert posted.lines() == [b'{"a": 1}', b'{"b": 2}']


def test_what_an_earlier_run_has_written_is_passed_over(tmp_path: Path) -> None:
    posted, log = Posted(), tmp_path / "a.jsonl"
    log.write_bytes(b'{"old": 1}\n')
    os.utime(log, (WALL - 1, WALL - 1))
    following = posted.log()
    following.follow(log)
    following.look()
    assert posted.lines() == []
    appended(log, b'{"new": 1}\n')
    following.look()
    assert posted.lines() == [b'{"new": 1}']


def test_a_log_that_is_gone_on_with_is_followed_from_its_end(tmp_path: Path) -> None:
    posted, log = Posted(), tmp_path / "a.jsonl"
    appended(log, b'{"old": 1}\n')
    following = posted.log()
    following.follow(log, from_end=True)
    appended(log, b'{"new": 1}\n')
    following.look()
    assert posted.lines() == [b'{"new": 1}']


def test_a_log_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    posted = Posted()
    following = posted.log()
    assert not following.look()
    following.follow(tmp_path / "nowhere/a.jsonl", from_end=True)
    assert not following.look()
    (tmp_path / "nowhere").mkdir()
    appended(tmp_path / "nowhere/a.jsonl", b"{}\n")
    following.look()
    assert posted.lines() == [b"{}"]


def test_a_long_log_is_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tail, "_MOST", 8)
    posted, log = Posted(), tmp_path / "a.jsonl"
    appended(log, b'{"a": 1}\n{"b": 2}\n')
    following = posted.log()
    following.follow(log)
    looks = 1
    while following.look():
        looks += 1
    assert posted.lines() == [b'{"a": 1}', b'{"b": 2}']
    assert looks == 3


# The status file


def test_the_status_file_of_the_child_is_read_whole_when_it_changes(tmp_path: Path) -> None:
    posted, me = Posted(), os.getpid()
    watch = StatusWatch(tmp_path, posted.records.append, lambda: posted.wall)
    (tmp_path / f"{me}.json").write_bytes(b'{"status": "idle"}')
    watch.look()
    assert posted.records == []
    watch.child = me
    watch.look()
    watch.look()
    assert posted.records == [StatusText(b'{"status": "idle"}', WALL)]
    (tmp_path / f"{me}.json").write_bytes(b'{"status": "busy"}')
    watch.look()
    assert posted.records[1:] == [StatusText(b'{"status": "busy"}', WALL)]


def test_other_files_are_none_of_ours(tmp_path: Path) -> None:
    posted, me = Posted(), os.getpid()
    watch = StatusWatch(tmp_path, posted.records.append, lambda: WALL)
    watch.child = me
    for name in (f"{me}.key", f"{me}.0123.json", "1.json", "x.json", "².json", f"{me}.json.tmp"):
        (tmp_path / name).write_bytes(b"{}")
    (tmp_path / f"{me}.json").write_bytes(b"")
    watch.look()
    assert posted.records == []


def test_a_plan_is_told_when_somebody_has_changed_it(tmp_path: Path) -> None:
    posted: list[PlanText] = []
    watch, plan = PlanWatch(posted.append), tmp_path / "plan.md"
    watch.look()
    plan.write_text("one")
    watch.follow(plan)
    watch.look()
    assert posted == []
    plan.write_text("")  # in the middle of being saved
    watch.look()
    plan.write_text("two")
    watch.look()
    watch.look()
    assert posted == [PlanText(str(plan), "two")]


def test_only_what_could_be_a_plan_is_read(tmp_path: Path) -> None:
    posted: list[PlanText] = []
    watch, secret = PlanWatch(posted.append), tmp_path / "secret"
    watch.follow(secret)
    secret.write_text("two")
    watch.look()
    assert posted == []


def test_a_folder_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    watch = StatusWatch(tmp_path / "nowhere", lambda _: None, lambda: WALL)
    watch.child = os.getpid()
    watch.look()


def test_the_lineage_of_a_process_begins_with_itself_and_its_parent() -> None:
    assert list(lineage(os.getpid()))[:2] == [os.getpid(), os.getppid()]
    assert list(lineage(2**30)) == [2**30]
    assert list(lineage(None)) == []


def test_of_several_status_files_the_one_nearest_to_the_child_is_read(tmp_path: Path) -> None:
    """A nested agent has one too."""
    posted: list[LogFound | LogLine | LogTold | StatusText] = []
    watch = StatusWatch(tmp_path, posted.append, lambda: 0.0)
    watch.child = os.getppid()
    (tmp_path / f"{os.getppid()}.json").write_bytes(b"ours")
    (tmp_path / f"{os.getpid()}.json").write_bytes(b"nested")
    for _ in range(3):
        watch.look()
    assert posted == [StatusText(b"ours", 0.0)]


def test_a_log_that_leads_elsewhere_is_not_read(tmp_path: Path) -> None:
    posted: list[LogFound | LogLine | LogTold | StatusText] = []
    tail = LogTail(posted.append, lambda: 0.0, root=tmp_path / "projects")
    (tmp_path / "other.jsonl").write_bytes(b"{}\n")
    for path in (tmp_path / "other.jsonl", Path("/dev/zero"), Path("/dev/null\0.jsonl"), tmp_path / "projects/../other.jsonl"):
        tail.follow(path)
        assert tail.path is None


def test_what_is_no_plain_file_is_not_read(tmp_path: Path) -> None:
    posted: list[LogFound | LogLine | LogTold | StatusText] = []
    os.mkfifo(tmp_path / "a.jsonl")
    tail = LogTail(posted.append, lambda: 0.0)
    tail.follow(tmp_path / "a.jsonl")
    assert not tail.look()
    watch = StatusWatch(tmp_path, posted.append, lambda: 0.0)
    watch.child = os.getpid()
    os.mkfifo(tmp_path / f"{os.getpid()}.json")
    watch.look()
    assert posted == []


def test_a_folder_in_the_place_of_a_file_is_not_read_and_costs_nothing(tmp_path: Path) -> None:
    posted: list[LogFound | LogLine | LogTold | StatusText] = []
    (tmp_path / "a.jsonl").mkdir()
    (tmp_path / f"{os.getpid()}.json").mkdir()
    tail = LogTail(posted.append, lambda: 0.0)
    tail.follow(tmp_path / "a.jsonl")
    watch = StatusWatch(tmp_path, posted.append, lambda: 0.0)
    watch.child = os.getpid()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        assert not tail.look()
        watch.look()
    assert (posted, len(os.listdir("/proc/self/fd"))) == ([], before)


def own_log(posted: Posted, root: Path) -> LogTail:
    following = LogTail(posted.records.append, lambda: posted.wall, root=root, opened='"own"')
    following.child = os.getpid()
    return following


def test_the_log_that_the_child_has_open_is_followed(tmp_path: Path) -> None:
    posted, folder = Posted(), tmp_path / "2026/11"
    folder.mkdir(parents=True)
    following = own_log(posted, tmp_path)
    assert following.is_sought
    for name, first in (("a", '{"thread":"own"}'), ("b", '{"thread":"another"}'), ("c", '{"thread":"own"}')):
        (folder / f"{name}.jsonl").write_text(f"{first}\n")
    following.seek()
    assert following.is_sought, "none of them is open"
    with (folder / "b.jsonl").open("a"), (folder / "a.jsonl").open("a"):
        following.seek()
    assert following.path == folder / "a.jsonl"
    assert not following.is_sought


def test_a_log_that_is_opened_later_is_followed_and_none_twice(tmp_path: Path) -> None:
    posted, following = Posted(), own_log(Posted(), tmp_path)
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    first.write_text('{"own"}\n')
    with first.open("a"):
        following.seek()
        second.write_text('{"own"}\n')
        with second.open("a"):
            following.seek()
            assert following.path == second
            os.utime(first, (WALL + 9, WALL + 9))
            following.seek()
    assert following.path == second
    assert not posted.records


def test_a_log_that_another_program_of_the_childs_has_open_is_found(tmp_path: Path) -> None:
    following, log = own_log(Posted(), tmp_path), tmp_path / "1.jsonl"
    log.write_text('{"own"}\n')
    with log.open() as given:
        child = subprocess.Popen(["sleep", "60"], stdin=given)
    try:
        following.seek()
        assert following.path == log
    finally:
        child.kill()
        child.wait()


def test_a_log_that_a_tool_of_the_agents_has_open_is_not_the_agents(tmp_path: Path) -> None:
    """`codex exec` as a tool of Codex begins a log just like Codex's own, and later."""
    following, own, nested = own_log(Posted(), tmp_path), tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    for log in (own, nested):
        log.write_text('{"own"}\n')
    with own.open("a"):
        following.seek()
        with nested.open() as given:
            tool = subprocess.Popen(["sleep", "60"], stdin=given)
        try:
            following.seek()
            assert following.path == own
        finally:
            tool.kill()
            tool.wait()


def test_nothing_is_sought_where_nobody_asked_for_it(tmp_path: Path) -> None:
    following = LogTail(Posted().records.append, lambda: WALL, root=tmp_path)
    following.child = os.getpid()
    following.seek()
    assert not following.is_sought
    assert following.path is None


def test_a_log_of_which_a_part_of_the_name_is_known_is_found_when_it_is_made(tmp_path: Path) -> None:
    posted = Posted()
    following = LogTail(
        posted.records.append, lambda: posted.wall, root=tmp_path, pattern=str(tmp_path / "*/chats/s-*-1234.jsonl")
    )
    assert not following.look()
    before = following.is_sought
    log = tmp_path / "slug/chats/s-now-1234.jsonl"
    log.parent.mkdir(parents=True)
    appended(log.with_name("s-now-9999.jsonl"), b'{"other": 1}\n')
    appended(log, b'{"a": 1}\n')
    following.look()
    assert (before, following.is_sought) == (True, False)
    assert posted.records == [LogFound(str(log)), LogLine(b'{"a": 1}', WALL)]


# A log that was there before us


def running_log(posted: Posted, *, child: int | None = None) -> LogTail:
    following = LogTail(posted.records.append, lambda: posted.wall, running=True)
    following.child = child
    return following


def test_what_was_written_before_we_came_is_told_at_once_and_no_news(tmp_path: Path) -> None:
    posted, log = Posted(), tmp_path / "a.jsonl"
    appended(log, b'{"a": 1}\n{"b": 2}\n{"torn": ')
    following = running_log(posted)
    following.follow(log, from_end=True)
    following.look()
    assert posted.records == [], "nobody knows yet whose it is"
    following.child = os.getpid()
    following.look()
    following.look()
    assert posted.records == [LogTold(b'{"a": 1}\n{"b": 2}', WALL)]
    posted.records.clear()
    appended(log, b"3}\n")
    following.look()
    assert posted.records == [LogLine(b'{"torn": 3}', WALL)]


def test_of_a_long_log_the_first_line_and_the_last_ones_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tail, "_MOST", 12)
    posted, log = Posted(), tmp_path / "a.jsonl"
    appended(log, b'{"first": 1}\n{"b": 2}\n{"c": 3}\n')
    following = running_log(posted, child=1)
    following.follow(log, from_end=True)
    following.look()
    assert posted.records == [LogTold(b'{"first": 1}\n{"c": 3}', WALL)]


def test_only_what_the_first_log_held_is_told(tmp_path: Path) -> None:
    posted, first, second = Posted(), tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    appended(first, b'{"a": 1}\n')
    appended(second, b'{"b": 2}\n')
    following = running_log(posted, child=1)
    for log in (first, second):
        following.follow(log, from_end=True)
        following.look()
    assert posted.records == [LogTold(b'{"a": 1}', WALL)]


def test_a_log_that_is_made_after_we_came_is_all_news(tmp_path: Path) -> None:
    posted, log = Posted(), tmp_path / "a.jsonl"
    following = running_log(posted, child=1)
    appended(log, b'{"a": 1}\n')
    following.follow(log)
    following.look()
    assert posted.records == [LogLine(b'{"a": 1}', WALL)]
