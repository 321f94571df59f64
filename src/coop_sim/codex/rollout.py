"""The session log, the rollout: one line for each thing that happened, in a file that stays open."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from coop_sim.codex.ids import new_id
from coop_sim.shapes import Table, as_number, as_table, read_table


def timestamp() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class Rollout:
    """The file is made with the first line."""

    path: Path
    thread: str
    began: str = field(default_factory=timestamp)
    tears: bool = False
    """Is every line written in two halves, with a pause between?"""
    _count: int = 0
    _file: TextIO | None = None

    @property
    def is_empty(self) -> bool:
        return self._count == 0

    def write(self, kind: str, payload: Table, metadata: Table | None = None) -> None:
        line: Table = {"timestamp": timestamp(), "ordinal": self._count, "type": kind, "payload": payload}
        line |= {"metadata": metadata} if metadata else {}
        self._count += 1
        self._put(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n")

    def _put(self, line: str) -> None:
        file = self._open()
        half = len(line) // 2 if self.tears else 0
        if half:
            file.write(line[:half])
            file.flush()
            time.sleep(0.05)
        file.write(line[half:])
        file.flush()

    def _open(self) -> TextIO:
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a")
        return self._file

    def go_on(self) -> None:
        """After the lines that are there."""
        self._count = 1 + int(max((as_number(line.get("ordinal"), 0.0) for line in lines(self.path)), default=-1.0))


def new_rollout(home: Path) -> Rollout:
    thread, now = new_id(), datetime.now(UTC).astimezone()
    folder = home / "sessions" / now.strftime("%Y/%m/%d")
    return Rollout(folder / f"rollout-{now.strftime('%Y-%m-%dT%H-%M-%S')}-{thread}.jsonl", thread)


def lines(path: Path) -> Iterator[Table]:
    with path.open() as file:
        for line in file:
            yield read_table(line)


def find_rollout(home: Path, session: str | None, cwd: Path) -> Path | None:
    """By its id, or the last one of this folder; `None` when there is none."""
    found = sorted((home / "sessions").glob(f"*/*/*/rollout-*{session or ''}.jsonl"), key=lambda path: path.stat().st_mtime)
    if session is not None:
        return found[-1] if found else None
    here = [path for path in found if first_of(path).get("cwd") == str(cwd)]
    return here[-1] if here else None


def first_of(path: Path) -> Table:
    """What its first line tells of the session."""
    return next((as_table(line.get("payload")) for line in lines(path)), dict[str, object]())
