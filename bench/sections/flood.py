"""A: how fast can a child write until the screen shows its last line?"""

import contextlib
import os
import secrets
import select
import time
from collections.abc import Mapping

from bench.control import Control, Written
from bench.figures import Round, Row
from bench.home import temporary_home
from bench.payloads import PIECES
from bench.peers import Open, Terminal
from bench.peers.coop import Coop, SubscribedCoop
from bench.peers.gnuscreen import GnuScreen
from bench.peers.node import Node
from bench.peers.readloop import ReadLoop
from bench.peers.tmux import AttachedTmux, Tmux
from bench.peers.tmux_control import ControlTmux
from bench.plan import Plan, rotated
from bench.processes import cpu_seconds
from bench.waiting import TooLate, until

PEERS: Mapping[str, Open] = {
    "coop": Coop,
    "tmux, detached": Tmux,
    "node-pty + xterm": Node,
    "coop, one raw subscriber": SubscribedCoop,
    "tmux, attached": AttachedTmux,
    "tmux, control mode": ControlTmux,
    "GNU screen": GnuScreen,
    "a bare read loop": ReadLoop,
}
SETTLE = 0.2
VISIBLE_WITHIN = 60.0


def measure(plan: Plan, number: int) -> Round:
    figures: dict[str, dict[str, float]] = {peer: {} for peer in PEERS}
    for kind in PIECES:
        for peer in rotated(list(PEERS), number):
            figures[peer] |= flood(plan, kind, PEERS[peer])
    return figures


def flood(plan: Plan, kind: str, open_: Open) -> Row:
    payload = plan.payload(kind)
    with temporary_home() as home, Control(home) as control, contextlib.closing(open_(home, control.argv)) as terminal:
        control.accept()
        time.sleep(SETTLE)
        marker = f"END-{secrets.token_hex(8)}"
        pid = terminal.pid
        before = cpu_seconds(pid)
        control.order(payload, marker=marker)
        written = control.finish(terminal)
        seen = wait_for(marker, terminal)
        spent = {} if pid == os.getpid() else {"CPU ms/MB": 1e9 * (cpu_seconds(pid) - before) / written.written}
        account = settle_account(terminal, written) if isinstance(terminal, SubscribedCoop) else {}
    figures = {
        "MB/s": written.written / 1e6 / (seen - written.start),
        "lag ms": (seen - written.end) * 1000,
        **spent,
        **account,
    }
    return {f"{kind} {metric}": value for metric, value in figures.items()}


def wait_for(marker: str, terminal: Terminal) -> float:
    """The moment the screen shows the marker. The stream is drained meanwhile: its reader still keeps up."""

    def is_visible() -> bool:
        drain_ready(terminal)
        return marker in terminal.text()

    return until(is_visible, within=VISIBLE_WITHIN, pause=0.001, what="the end of the flood")


def drain_ready(terminal: Terminal) -> None:
    stream = terminal.stream()
    while stream is not None and select.select([stream], [], [], 0)[0]:
        terminal.drain()


def settle_account(coop: SubscribedCoop, written: Written) -> Row:
    """What the subscriber is still owed when it has had time to read to the end."""

    def is_complete() -> bool:
        drain_ready(coop)
        return coop.ledger.received >= written.as_seen

    with contextlib.suppress(TooLate):
        until(is_complete, within=5, pause=0.001)
    return {
        "missing bytes": abs(written.as_seen - coop.ledger.received),
        "silent gaps": coop.ledger.silent_gaps,
    }
