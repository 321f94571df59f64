"""C: does a flood make `GET /api/v1/screen` slow?"""

import contextlib
import time
from collections.abc import Sequence

from bench.control import Control
from bench.figures import Round, Row, percentile
from bench.home import temporary_home
from bench.peers.coop import Coop
from bench.plan import Plan

PATH = "/api/v1/screen"
WARM_UP = 100
FOREVER = 100_000


def measure(plan: Plan, number: int) -> Round:
    with temporary_home() as home, Control(home) as control, contextlib.closing(Coop(home, control.argv)) as coop:
        control.accept()
        # One screenful first: an empty screen would be cheaper to send than the flood's.
        control.order(plan.payload("colour"))
        control.finish(coop)
        time.sleep(0.2)
        idle = describe("idle", ask(coop, plan.requests))
        control.order(plan.payload("colour"), times=FOREVER)
        flooded = describe("flood", ask(coop, plan.requests))
        control.stop()
    return {"coop": {**idle, **flooded}}


def ask(coop: Coop, count: int) -> list[float]:
    taken: list[float] = []
    for _ in range(WARM_UP + count):
        start = time.perf_counter()
        coop.http.get(PATH)
        taken.append(time.perf_counter() - start)
    return taken[WARM_UP:]


def describe(when: str, taken: Sequence[float]) -> Row:
    return {f"{when} p{percent} ms": percentile(taken, percent) * 1000 for percent in (50, 99)}
