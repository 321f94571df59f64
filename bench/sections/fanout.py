"""E: do a hundred readers slow the child down, and does any of them lose a byte without being told?"""

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Mapping

from bench.control import Control, Written
from bench.figures import Round, Row
from bench.home import ROOT, temporary_home
from bench.peers.coop import Coop
from bench.plan import Plan
from bench.processes import cpu_seconds, end

FAST, SLOW = 90, 10
RATE = 20e6
FOREVER = 100_000


def measure(plan: Plan, number: int) -> Round:
    return {"coop, no reader": flood_alone(plan), "coop, 100 readers": flood_readers(plan)}


def flood_alone(plan: Plan) -> Row:
    with temporary_home() as home, Control(home) as control, contextlib.closing(Coop(home, control.argv)) as coop:
        control.accept()
        return flood(plan, control, {"coop": coop.pid})[1]


def flood_readers(plan: Plan) -> Row:
    with temporary_home() as home, Control(home) as control, contextlib.closing(Coop(home, control.argv)) as coop:
        control.accept()
        readers = start_readers(coop.url)
        try:
            written, figures = flood(plan, control, {"coop": coop.pid, "readers": readers.pid})
            report, _ = readers.communicate(f"{written.as_seen}\n".encode(), timeout=120)
        finally:
            end(readers)
    account: dict[str, float] = json.loads(report)
    return {**figures, **account}


def start_readers(url: str) -> subprocess.Popen[bytes]:
    command = (sys.executable, "-m", "bench.readers", url, str(FAST), str(SLOW))
    readers = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert readers.stdout is not None
    if readers.stdout.readline() != b"ready\n":
        end(readers)
        raise ConnectionError("the readers could not all connect")
    return readers


def flood(plan: Plan, control: Control, pids: Mapping[str, int]) -> tuple[Written, Row]:
    """By time and not by size: a child that is held up must not hold up the benchmark."""
    before = {name: cpu_seconds(pid) for name, pid in pids.items()}
    control.order(plan.payload("plain"), times=FOREVER, rate=RATE)
    time.sleep(plan.fanout_seconds)
    written = control.stop()
    taken = written.end - written.start
    cores = {f"{name}, cores": (cpu_seconds(pid) - before[name]) / taken for name, pid in pids.items()}
    return written, {"MB/s": written.written / 1e6 / taken, **cores}
