"""One campaign: a third of the count each for requests, frames and terminals."""

import subprocess
import sys
import time
from dataclasses import dataclass

import httpx

from coop.testing import running_coop
from tests.fuzz.frames import fuzz_frames
from tests.fuzz.requests import fuzz_requests

CHILD = ("sh", "-c", "stty raw -echo; exec cat >/dev/null")


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    count: int
    seconds: float
    seen: str


def run(seed: int, count: int) -> list[Row]:
    """Raises `AssertionError` where something crashed, hung, or was answered with 500."""
    each = -(-count // 3)
    with running_coop(command=CHILD) as coop:
        port = int(coop.url.rpartition(":")[2])
        began = time.monotonic()
        statuses = fuzz_requests(port, seed=seed, count=each)
        rows = [Row("HTTP requests", each, time.monotonic() - began, _told(statuses))]
        began = time.monotonic()
        rows.append(Row("WebSocket frames", each, 0.0, _told(fuzz_frames(port, seed=seed, count=each))))
        rows[-1] = Row(rows[-1].what, each, time.monotonic() - began, rows[-1].seen)
        health = httpx.get(f"{coop.url}/api/v1/health").json()
        assert (health["status"], health["pid"]) == ("running", coop.child_pid)
        assert not [line for line in coop.stderr if '"error"' in line], coop.stderr
    return [*rows, terminals(seed, each)]


def terminals(seed: int, count: int) -> Row:
    began = time.monotonic()
    command = [sys.executable, "-m", "tests.fuzz.terminals", str(seed), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60 + count)
    assert done.returncode == 0, f"seed {seed}: died with {done.returncode} after {done.stdout.split()[-1:]}:\n{done.stderr}"
    return Row("terminal streams", count, time.monotonic() - began, "all survived")


def _told(seen: object) -> str:
    assert hasattr(seen, "most_common")
    return ", ".join(f"{key}: {count}" for key, count in seen.most_common())
