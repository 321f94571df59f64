"""D: how much memory, and does it stay so?"""

import contextlib
import select
import time
from collections.abc import Iterator, Mapping

from bench.control import Control
from bench.figures import Round, Row
from bench.home import temporary_home
from bench.payloads import PIECES
from bench.peers import Open
from bench.peers.coop import Coop
from bench.peers.gnuscreen import GnuScreen
from bench.peers.node import Node
from bench.peers.tmux import Tmux
from bench.plan import Plan
from bench.processes import resident_megabytes

PATHS = ("/api/v1/screen", "/api/v1/screen/text", "/api/v1/status")
PEERS: Mapping[str, Open] = {"tmux, detached": Tmux, "GNU screen": GnuScreen, "node-pty + xterm": Node}
SETTLE = 1.0


def measure(plan: Plan, number: int) -> Round:
    return {"coop": weigh_coop(plan), **{peer: weigh_idle(open_) for peer, open_ in PEERS.items()}}


def weigh_idle(open_: Open) -> Row:
    with temporary_home() as home, Control(home) as control, contextlib.closing(open_(home, control.argv)) as terminal:
        control.accept()
        time.sleep(SETTLE)
        return {"idle MB": resident_megabytes(terminal.pid)}


def weigh_coop(plan: Plan) -> Row:
    with temporary_home() as home, Control(home) as control, contextlib.closing(Coop(home, control.argv)) as coop:
        control.accept()
        time.sleep(SETTLE)
        idle = resident_megabytes(coop.pid)
        # One of everything fills the ring, the scrollback and the allocator's pools; from there on it should be flat.
        floods = cycle_floods(plan, control, coop)
        for _ in PIECES:
            next(floods)
        requests = sum(1 for _ in zip(range(plan.memory_requests // 20), ask_in_turn(coop), strict=False))
        warm = resident_megabytes(coop.pid)
        for asked in floods:
            requests += asked
        for _ in zip(range(plan.memory_requests - requests), ask_in_turn(coop), strict=False):
            pass
        time.sleep(SETTLE)
        return {"idle MB": idle, "warm MB": warm, "after MB": resident_megabytes(coop.pid)}


def cycle_floods(plan: Plan, control: Control, coop: Coop) -> Iterator[int]:
    """Floods of each kind in turn until the plan's amount is written; yields the requests made during each."""
    written = 0
    while written < plan.memory_megabytes * 1_000_000:
        for kind in PIECES:
            control.order(plan.payload(kind))
            yield ask_until_done(control, coop)
            written += control.reply().written


def ask_until_done(control: Control, coop: Coop) -> int:
    requests = ask_in_turn(coop)
    for count, _ in enumerate(requests, start=1):
        if select.select([control.writer], [], [], 0.005)[0]:
            return count
    return 0


def ask_in_turn(coop: Coop) -> Iterator[None]:
    while True:
        for path in PATHS:
            coop.http.get(path)
            yield
