"""F: how long until the first snapshot, and how lean is the command line?"""

import contextlib
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from bench.figures import Round, Row
from bench.home import temporary_home
from bench.peers import Open
from bench.peers.coop import PROGRAM, Coop
from bench.peers.echo import ECHO, READY
from bench.peers.node import Node
from bench.peers.tmux import Tmux
from bench.plan import Plan, rotated
from bench.waiting import until

PEERS: Mapping[str, Open] = {"coop": Coop, "node-pty + xterm": Node, "tmux, detached": Tmux}
COMMANDS: Mapping[str, Sequence[str]] = {
    "coop --version": (str(PROGRAM), "--version"),
    "python -c 'import asyncio'": (sys.executable, "-c", "import asyncio"),
}


def measure(plan: Plan, number: int) -> Round:
    snapshots: dict[str, list[float]] = {peer: [] for peer in PEERS}
    commands: dict[str, list[float]] = {command: [] for command in COMMANDS}
    for turn in range(plan.starts):
        for peer in rotated(list(PEERS), number + turn):
            snapshots[peer].append(time_snapshot(PEERS[peer]))
        for _ in range(3):
            for command, argv in COMMANDS.items():
                commands[command].append(time_command(argv))
    return {**describe("first snapshot ms", snapshots), **describe("run ms", commands)}


def time_snapshot(open_: Open) -> float:
    with temporary_home() as home:
        start = time.perf_counter()
        with contextlib.closing(open_(home, ECHO)) as terminal:
            until(lambda: READY in terminal.text(), within=20, pause=0.0005, what="the first snapshot")
            return time.perf_counter() - start


def time_command(argv: Sequence[str]) -> float:
    with temporary_home() as home:
        start = time.perf_counter()
        subprocess.run(argv, env=home.env, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - start


def describe(metric: str, taken: Mapping[str, Sequence[float]]) -> dict[str, Row]:
    return {name: {metric: statistics.median(values) * 1000} for name, values in taken.items()}
