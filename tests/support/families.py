"""Processes and what descends from them, as the system tells it."""

import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_STATE, _PARENT, _STARTED = 0, 1, 19
"""Which of the fields of `/proc/PID/stat` that come after the name."""


@dataclass(frozen=True, slots=True)
class Process:
    pid: int
    started: str
    """With it, a number that was given out again is not the same process."""

    @property
    def is_running(self) -> bool:
        """A zombie is not."""
        fields = _stat(self.pid)
        return fields is not None and fields[_STARTED] == self.started and fields[_STATE] not in "ZX"

    @property
    def command(self) -> str:
        try:
            return Path(f"/proc/{self.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            return ""

    def end(self) -> None:
        with suppress(ProcessLookupError):
            if self.is_running:
                os.kill(self.pid, signal.SIGKILL)


def family(pid: int) -> frozenset[Process]:
    """The process and all that descend from it."""
    every = {int(each.name): fields for each in Path("/proc").iterdir() if each.name.isdigit() and (fields := _stat(each.name))}
    found, fresh = set[int](), {pid} & set(every)
    while fresh:
        found |= fresh
        fresh = {child for child, fields in every.items() if int(fields[_PARENT]) in fresh} - found
    return frozenset(Process(each, every[each][_STARTED]) for each in found)


def _stat(pid: int | str) -> list[str] | None:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return None
