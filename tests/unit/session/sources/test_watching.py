import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio
import pytest

from coop.model.records import LogFound, LogLine, LogTold, PlanText, StatusText
from coop.session.sources.tail import LogTail, PlanWatch, StatusWatch
from coop.session.sources.watching import FileSources

pytestmark = pytest.mark.anyio


class Inbox:
    def __init__(self) -> None:
        self.records: list[LogFound | LogLine | LogTold | StatusText] = []
        self._changed = anyio.Event()

    def post(self, record: LogFound | LogLine | LogTold | StatusText) -> None:
        self.records.append(record)
        self._changed.set()
        self._changed = anyio.Event()

    async def until(self, holds: Callable[[], bool]) -> None:
        with anyio.fail_after(5):
            while not holds():
                await self._changed.wait()

    def lines(self) -> list[bytes]:
        return [record.line for record in self.records if isinstance(record, LogLine)]

    def has_last(self, text: bytes) -> bool:
        return [record.text for record in self.records if isinstance(record, StatusText)][-1:] == [text]


def sources(inbox: Inbox, status: Path | None = None) -> FileSources:
    watch = StatusWatch(status, inbox.post, lambda: 0.0) if status else None
    if watch is not None:
        watch.child = os.getpid()
    return FileSources(LogTail(inbox.post, lambda: 0.0), watch)


async def test_a_log_is_read_as_soon_as_it_is_written_even_in_a_folder_that_is_made_later(tmp_path: Path) -> None:
    inbox = Inbox()
    watching = sources(inbox)
    watching.follow(str(tmp_path / "projects/demo/a.jsonl"))
    with watching.watching():
        (tmp_path / "projects/demo").mkdir(parents=True)
        (tmp_path / "projects/demo/a.jsonl").write_bytes(b'{"a": 1}\n')
        await inbox.until(lambda: inbox.lines() == [b'{"a": 1}'])
        with (tmp_path / "projects/demo/a.jsonl").open("ab") as log:
            log.write(b'{"b": 2}\n')
        await inbox.until(lambda: inbox.lines() == [b'{"a": 1}', b'{"b": 2}'])


async def test_a_status_file_that_is_replaced_is_read(tmp_path: Path) -> None:
    inbox = Inbox()
    with sources(inbox, tmp_path).watching():
        for status in (b'{"status": "busy"}', b'{"status": "idle"}'):
            (tmp_path / "new").write_bytes(status)
            (tmp_path / "new").rename(tmp_path / f"{os.getpid()}.json")
            await inbox.until(partial(inbox.has_last, status))


async def test_a_plan_that_is_saved_anew_is_read(tmp_path: Path) -> None:
    told, changed = list[PlanText](), anyio.Event()

    def post(record: PlanText) -> None:
        told.append(record)
        changed.set()

    plan = tmp_path / "plan.md"
    plan.write_text("one")
    watching = FileSources(LogTail(lambda _: None, lambda: 0.0), None, plan=PlanWatch(post))
    with watching.watching():
        watching.follow_plan(str(plan))
        (tmp_path / "new").write_text("two")
        (tmp_path / "new").rename(plan)
        with anyio.fail_after(5):
            await changed.wait()
    assert told == [PlanText(str(plan), "two")]


async def test_another_log_is_read_at_once(tmp_path: Path) -> None:
    inbox = Inbox()
    watching = sources(inbox)
    (tmp_path / "b.jsonl").write_bytes(b'{"b": 2}\n')
    watching.follow(str(tmp_path / "b.jsonl"))
    assert inbox.lines() == [b'{"b": 2}']
    with watching.watching():
        pass
