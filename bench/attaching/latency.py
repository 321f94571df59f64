"""From a key on the client's terminal until its echo is drawn there: `coop attach`, `tmux attach`, and no client at all."""

import contextlib
import os
import select
import string
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager

from bench.figures import Round, Row, percentile
from bench.home import temporary_home
from bench.peers.coop import TOKEN, Coop
from bench.peers.echo import ECHO, READY
from bench.peers.tmux import Tmux
from bench.peers.tty import BLOCK, Tty
from bench.plan import rotated
from bench.sections.latency import PAUSE
from bench.waiting import TooLate

COOP, COOP_PLAIN, TMUX, BARE = "coop attach", "coop attach --no-status", "tmux attach", "the bare terminal"
P50, P95 = "p50 ms", "p95 ms"
WARM_UP = 20
WITHIN = 20.0


@contextmanager
def coop_attached(*options: str) -> Generator[Tty]:
    with temporary_home() as home, contextlib.closing(Coop(home, ECHO, "--name", "bench")):
        env = {**home.env, "COOP_AUTH_TOKEN": TOKEN}
        argv = (sys.executable, "-m", "coop.cli.main", "attach", "bench", *options)
        with contextlib.closing(Tty(argv, env)) as tty:
            yield tty


@contextmanager
def tmux_attached() -> Generator[Tty]:
    with (
        temporary_home() as home,
        contextlib.closing(Tmux(home, ECHO)) as tmux,
        contextlib.closing(Tty(tmux.client("attach"), home.env)) as tty,
    ):
        yield tty


@contextmanager
def bare() -> Generator[Tty]:
    with temporary_home() as home, contextlib.closing(Tty(ECHO, home.env)) as tty:
        yield tty


def measure(number: int, keystrokes: int) -> Round:
    peers = {
        COOP: coop_attached(),
        COOP_PLAIN: coop_attached("--no-status"),
        TMUX: tmux_attached(),
        BARE: bare(),
    }
    figures: dict[str, Row] = {}
    for peer in rotated(list(peers), number):
        with peers[peer] as tty:
            read_until(tty, READY.encode())
            settle(tty)
            taken = [press(tty, string.ascii_lowercase[n % 26].encode()) for n in range(WARM_UP + keystrokes)][WARM_UP:]
            figures[peer] = {P50: percentile(taken, 50) * 1000, P95: percentile(taken, 95) * 1000}
    return figures


def press(tty: Tty, key: bytes) -> float:
    """The echo is the only thing that is drawn; sequences around it have no small letter alone."""
    start = time.perf_counter()
    os.write(tty.stream, key)
    read_until(tty, key)
    taken = time.perf_counter() - start
    settle(tty, PAUSE)
    return taken


def read_until(tty: Tty, text: bytes) -> None:
    seen, deadline = b"", time.monotonic() + WITHIN
    while text not in seen:
        if not select.select([tty.stream], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise TooLate(f"{text!r} was not drawn within {WITHIN:g} s, only {seen!r}")
        seen += os.read(tty.stream, BLOCK)


def settle(tty: Tty, quiet: float = 0.3) -> None:
    """Reads on until nothing has come for so long."""
    while select.select([tty.stream], [], [], quiet)[0]:
        os.read(tty.stream, BLOCK)
