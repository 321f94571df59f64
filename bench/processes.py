"""Ending and weighing processes, always by their pid."""

import os
import signal
import subprocess
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bench.waiting import TooLate, until
from coop.session.processes import beneath

GRACE = 5.0


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process of ours and reaps it."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


@contextmanager
def nobody_left(pid: int) -> Generator[None]:
    """Whoever runs beneath a process when the block begins is gone when it ends. Held by descriptors: numbers are given again."""
    held = [descriptor for each in beneath(pid) for descriptor in _held(each.pid)]
    try:
        yield
    finally:
        for descriptor in held:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            os.close(descriptor)


def _held(pid: int) -> Iterator[int]:
    with suppress(ProcessLookupError):
        yield os.pidfd_open(pid)


def end_daemon(pid: int, *, name: str = "") -> None:
    """Sees to it that a server which was told to go has gone; it is not our child, so it cannot be waited for.

    Numbers are given again: a process that is not of that name is another's.
    """
    try:
        until(lambda: is_gone(pid) or not _is_called(pid, name), within=GRACE, pause=0.01)
    except TooLate:
        os.kill(pid, signal.SIGKILL)


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def _is_called(pid: int, name: str) -> bool:
    try:
        return Path(f"/proc/{pid}/comm").read_text().startswith(name)
    except (FileNotFoundError, ProcessLookupError):
        return False


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_megabytes(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ProcessLookupError(pid)
