"""The session log: one JSON line per event, chained by uuid, written a moment late as the real one is."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from coop_sim.shapes import Table, as_text, read_table

LATE = 0.1
"""How long lines are gathered before they are written."""
TORN = 0.3
"""How long a torn line stays torn."""


def timestamp() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class SessionLog:
    path: Path
    common: Mapping[str, object]
    """The fields every chained line ends with: cwd, version and the like."""
    on_line: Callable[[Table], None] = lambda _: None
    tears: bool = False
    leaf: str | None = None
    count: int = 0
    is_sidechain: bool = False
    owner: str | None = None
    """The session a subagent works for; `None` for a session's own log, which is named after it."""
    _pending: list[str] = field(default_factory=list[str])
    _timer: asyncio.TimerHandle | None = None

    @property
    def session_id(self) -> str:
        return self.owner or self.path.stem

    def note(self, line: Table) -> None:
        """A line outside the chain."""
        self._put(line | {"sessionId": self.session_id})

    def chain(self, line: Table) -> str:
        """A line that follows the one before; returns its uuid."""
        uuid = str(uuid4())
        links: Table = {"parentUuid": self.leaf, "isSidechain": self.is_sidechain}
        self.leaf, self.count = uuid, self.count + 1
        whole = links | line | {"uuid": uuid, "timestamp": timestamp()} | dict(self.common) | {"sessionId": self.session_id}
        self._put(whole)
        self.on_line(whole)
        return uuid

    def _put(self, line: Table) -> None:
        self._pending.append(json.dumps(line, ensure_ascii=False) + "\n")
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LATE, self.flush)

    def flush(self) -> None:
        """Writes all that is gathered; with `tears`, the last line in two halves."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        text, self._pending = "".join(self._pending), []
        if self.tears and len(text) > 1:
            self.tears = False
            half = len(text) - len(text.rstrip("\n").rpartition("\n")[2]) // 2 - 1
            text, self._pending = text[:half], [text[half:]]
            self._timer = asyncio.get_running_loop().call_later(TORN, self.flush)
        self._append(text)

    def _append(self, text: str) -> None:
        if text:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a") as file:
                file.write(text)


def read_lines(path: Path) -> list[Table]:
    try:
        return [read_table(line) for line in path.read_text().splitlines()]
    except (OSError, UnicodeDecodeError):
        return []


def last_uuid(lines: list[Table]) -> str | None:
    return next((as_text(line["uuid"]) for line in reversed(lines) if "uuid" in line), None)
