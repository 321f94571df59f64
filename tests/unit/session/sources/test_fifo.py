import os
import stat
from pathlib import Path

import anyio
import pytest

from coop.errors import ConfigError
from coop.model.records import HookRecord
from coop.session.sources.fifo import MAX_LINE, HookPipe

pytestmark = pytest.mark.anyio


async def test_lines_written_to_the_pipe_become_records(tmp_path: Path) -> None:
    records: list[HookRecord] = []
    arrived = anyio.Event()

    def post(record: HookRecord) -> None:
        records.append(record)
        if len(records) == 2:
            arrived.set()

    pipe = HookPipe(tmp_path / "hooks", post)
    pipe.listen()
    (tmp_path / "hooks").write_bytes(b'{"event":"stop"}\n\n{"event":"post_tool_use","tool":"Bash"}\n')
    with anyio.fail_after(5):
        await arrived.wait()
    assert [record.line for record in records] == [b'{"event":"stop"}', b'{"event":"post_tool_use","tool":"Bash"}']
    pipe.close()
    assert not (tmp_path / "hooks").exists()


async def test_a_torn_line_is_kept_for_later(tmp_path: Path) -> None:
    records: list[HookRecord] = []
    pipe = HookPipe(tmp_path / "hooks", records.append)
    for piece in (b'{"ev', b'ent":1', b"}\n{"):
        pipe.feed(piece)
    assert records == [HookRecord(b'{"event":1}')]
    pipe.close()


async def test_an_endless_line_does_not_fill_the_memory(tmp_path: Path) -> None:
    records: list[HookRecord] = []
    pipe = HookPipe(tmp_path / "hooks", records.append)
    pipe.feed(b"x" * (MAX_LINE + 1))
    assert len(pipe._partial) == 0
    pipe.close()


async def test_a_stale_pipe_is_replaced_and_only_its_owner_may_use_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "hooks")
    pipe = HookPipe(tmp_path / "hooks", lambda _: None)
    assert stat.S_IMODE((tmp_path / "hooks").stat().st_mode) == 0o600
    pipe.close()


async def test_a_file_in_its_place_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "hooks").write_text("mine")
    with pytest.raises(ConfigError, match="hook pipe"):
        HookPipe(tmp_path / "hooks", lambda _: None)
    assert (tmp_path / "hooks").read_text() == "mine"
