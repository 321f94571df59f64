"""One campaign: so many requests, frames and terminal streams each."""

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
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
    with running_coop(command=CHILD) as coop:
        port = int(coop.url.rpartition(":")[2])
        rows = [
            _timed("HTTP requests", count, lambda: fuzz_requests(port, seed=seed, count=count)),
            _timed("WebSocket frames", count, lambda: fuzz_frames(port, seed=seed, count=count)),
        ]
        health = httpx.get(f"{coop.url}/api/v1/health").json()
        assert (health["status"], health["pid"]) == ("running", coop.child_pid)
        assert not [line for line in coop.stderr if '"error"' in line], coop.stderr
    return [*rows, _timed("terminal streams", count, lambda: terminals(seed, count))]


def terminals(seed: int, count: int) -> Counter[str]:
    command = [sys.executable, "-m", "tests.fuzz.terminals", str(seed), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60 + count)
    assert done.returncode == 0, f"seed {seed}: died with {done.returncode} after {done.stdout.split()[-1:]}:\n{done.stderr}"
    return Counter(survived=count)


def _timed(what: str, count: int, fuzz: Callable[[], "Counter[int] | Counter[str]"]) -> Row:
    began = time.monotonic()
    seen = fuzz()
    return Row(what, count, time.monotonic() - began, ", ".join(f"{key}: {number}" for key, number in seen.most_common()))
