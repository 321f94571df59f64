"""B: how long from a keystroke until it is seen?"""

import contextlib
import string
import time
from collections.abc import Mapping, Sequence

from bench.figures import Round, Row, percentile
from bench.home import temporary_home
from bench.peers import Open, Terminal
from bench.peers.coop import Coop
from bench.peers.echo import ECHO, READY
from bench.peers.gnuscreen import GnuScreen
from bench.peers.node import Node, raw_node
from bench.peers.tmux import Tmux
from bench.peers.tmux_control import ControlTmux
from bench.plan import Plan, rotated
from bench.waiting import until

PEERS: Mapping[str, Open] = {
    "coop, WebSocket": Coop,
    "tmux, control mode": ControlTmux,
    "node-pty + xterm, JSON lines": Node,
    "node-pty alone, JSON lines, before the screen": raw_node,
    "tmux, CLI": Tmux,
    "GNU screen, CLI": GnuScreen,
}
INSIDE = "node-pty + xterm, inside the process"
WARM_UP = 20
PAUSE = 0.002
"""Between keystrokes, so that each finds everybody asleep, as a person's do."""


def measure(plan: Plan, number: int) -> Round:
    figures: dict[str, Row] = {}
    for peer in rotated(list(PEERS), number):
        with temporary_home() as home, contextlib.closing(PEERS[peer](home, ECHO)) as terminal:
            wait_until_ready(terminal)
            figures[peer] = describe(press_keys(terminal, WARM_UP + plan.keystrokes))
            if PEERS[peer] is Node and isinstance(terminal, Node):
                figures[INSIDE] = describe(terminal.keystrokes(WARM_UP + plan.keystrokes, pause=PAUSE))
    return figures


def wait_until_ready(terminal: Terminal) -> None:
    until(lambda: READY in terminal.text(), within=20, pause=0.005, what="the echo")


def press_keys(terminal: Terminal, count: int) -> list[float]:
    taken: list[float] = []
    for number in range(count):
        start = time.perf_counter()
        terminal.press(string.ascii_lowercase[number % 26])
        taken.append(time.perf_counter() - start)
        time.sleep(PAUSE)
    return taken


def describe(taken: Sequence[float]) -> Row:
    kept = taken[WARM_UP:]
    return {"p50 ms": percentile(kept, 50) * 1000, "p95 ms": percentile(kept, 95) * 1000}
