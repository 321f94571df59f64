"""`python -m bench.attach`: a terminal of coop's own and those it attaches to, side by side → docs/evidence/attach.md."""

import argparse
import contextlib
import json
import os
import string
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path

from bench.code import made_at
from bench.figures import Round, percentile
from bench.goals import Goal
from bench.home import ROOT, Home, temporary_home
from bench.peers.coop import TOKEN, Coop
from bench.peers.echo import ECHO, READY, Typed
from bench.peers.gnuscreen import GnuScreen
from bench.peers.tmux import Tmux
from bench.plan import rotated
from bench.report import figures_tables, goals_table
from bench.versions import versions
from bench.waiting import until
from bench.websocket import WebSocket

OWN, TMUX, SCREEN = "coop's own terminal", "attached to tmux", "attached to GNU screen"
WARM_UP = 5
PAUSE = 0.05
"""Between two keystrokes, so that each finds everybody asleep."""
PATTERNS = "[screen]\nprompt = '^\\$ ?$'\nquestion = '\\?$'\nquiet = 0.1\n"
QUIET_FOR = 10.0
SHOWN, EVENT = "input to visible, p50 ms", "screen to event, p50 ms"
ASKER = """
import os, sys
orders = open(sys.argv[1], "rb", buffering=0)
os.write(1, b"\\x1b[2J\\x1b[H$ ")
while order := orders.read(1):
    os.write(1, b"\\x1b[2J\\x1b[HWhich one?" if order == b"?" else b"\\x1b[2J\\x1b[H$ ")
"""
"""Asks, or goes back to its prompt, when it is told to by a pipe: not by its terminal, so that only the way out is measured."""


@contextlib.contextmanager
def own(home: Home, child: Sequence[str], options: Sequence[str]) -> Generator[Coop]:
    with contextlib.closing(Coop(home, child, *options)) as coop:
        yield coop


@contextlib.contextmanager
def in_tmux(home: Home, child: Sequence[str], options: Sequence[str]) -> Generator[Coop]:
    with (
        contextlib.closing(Tmux(home, child)),
        contextlib.closing(Coop(home, (), *options, "--attach", "tmux@bench:0")) as coop,
    ):
        yield coop


@contextlib.contextmanager
def in_screen(home: Home, child: Sequence[str], options: Sequence[str]) -> Generator[Coop]:
    with (
        contextlib.closing(GnuScreen(home, child)),
        contextlib.closing(Coop(home, (), *options, "--attach", "screen:bench")) as coop,
    ):
        yield coop


Held = Callable[[Home, Sequence[str], Sequence[str]], contextlib.AbstractContextManager[Coop]]
PEERS: Mapping[str, Held] = {OWN: own, TMUX: in_tmux, SCREEN: in_screen}
GOALS = (
    Goal("input to visible, tmux : own", (TMUX, SHOWN), (OWN, SHOWN), most=3),
    Goal("screen to event, tmux : own", (TMUX, EVENT), (OWN, EVENT), most=3),
    Goal("input to visible, GNU screen : own", (SCREEN, SHOWN), (OWN, SHOWN)),
    Goal("screen to event, GNU screen : own", (SCREEN, EVENT), (OWN, EVENT)),
)


def measure(number: int, *, keystrokes: int, questions: int) -> Round:
    figures: dict[str, dict[str, float]] = {}
    for peer in rotated(list(PEERS), number):
        shown = times_to_show(PEERS[peer], WARM_UP + keystrokes)[WARM_UP:]
        told = times_to_tell(PEERS[peer], questions)
        figures[peer] = {
            SHOWN: percentile(shown, 50) * 1000,
            "p95 ms": percentile(shown, 95) * 1000,
            EVENT: percentile(told, 50) * 1000,
            "p95 ms ": percentile(told, 95) * 1000,
        }
    return figures


def times_to_show(held: Held, count: int) -> list[float]:
    """From a message on the WebSocket to the letter in `GET /api/v1/screen/text`, which is asked for again and again."""
    with temporary_home() as home, held(home, ECHO, ()) as coop:
        until(lambda: READY in coop.text(), within=20, pause=0.005, what="the echo")
        with contextlib.closing(WebSocket(coop.url, f"/ws?mode=state&token={TOKEN}")) as typist:
            typed = Typed()
            return [time_to_show(coop, typist, typed, string.ascii_lowercase[n % 26]) for n in range(count)]


def time_to_show(coop: Coop, typist: WebSocket, typed: Typed, char: str) -> float:
    typed.add(char)
    start = time.perf_counter()
    typist.send(json.dumps({"type": "input", "text": char}))
    while not typed.is_shown_by(coop.text()):
        pass
    taken = time.perf_counter() - start
    time.sleep(PAUSE)
    return taken


def times_to_tell(held: Held, count: int) -> list[float]:
    """From the byte that makes the program ask to the `state_change` on the WebSocket."""
    with temporary_home() as home:
        orders, patterns = home.path / "orders", home.path / "agent.toml"
        os.mkfifo(orders)
        patterns.write_text(PATTERNS)
        child = (sys.executable, "-S", "-E", "-c", ASKER, str(orders))
        with (  # the pipe is closed last: its end is the program's
            open(os.open(orders, os.O_RDWR), "wb", buffering=0) as pipe,
            held(home, child, ("--agent-config", str(patterns))) as coop,
        ):
            return [time_to_tell(coop, pipe.fileno()) for _ in range(count)]


def time_to_tell(coop: Coop, pipe: int) -> float:
    os.write(pipe, b"$")
    until(lambda: state_of(coop) == "waiting_for_input", within=QUIET_FOR, pause=0.01, what="its prompt")
    with contextlib.closing(WebSocket(coop.url, f"/ws?mode=state&token={TOKEN}")) as events:
        start = time.perf_counter()
        os.write(pipe, b"?")
        while not any(is_asking(bytes(events.frames.buffer[begin:end])) for begin, end in events.receive()):
            pass
        return time.perf_counter() - start


def state_of(coop: Coop) -> str:
    return str(json.loads(coop.http.get("/api/v1/agent/state"))["state"])


def is_asking(message: bytes) -> bool:
    told = json.loads(message)
    return (told["type"], told.get("next")) == ("state_change", "ask_user")


def page(rounds: Sequence[Round], *, command: str, load: str) -> str:
    with_what = ", ".join(
        f"{name} {version}" for name, version in versions().items() if name in ("python", "tmux", "GNU screen", "cores")
    )
    return "\n\n".join(
        (
            "# Attached, and on a terminal of its own",
            f"Made by `{command}` at {made_at()}, with a load of {load} before it began. {with_what}.",
            "*Input to visible*: one letter, sent on a WebSocket to a program that echoes, until it is in `GET "
            "/api/v1/screen/text`, which is asked for again and again. *Screen to event*: from the byte by which the program is "
            "made to ask something (by a pipe, not by its terminal) until the `state_change` is on a WebSocket; 30 ms of it are "
            "the time a screen must rest before it is read. GNU screen tells nobody of a change and is looked at ten times a "
            f"second ([attaching](../attach.md)). Peers take turns in every round, each round in another order; {len(rounds)} "
            "rounds. Figures are the median over the rounds, and in brackets the lowest and the highest; a ratio is taken "
            "within each round.",
            *figures_tables(rounds),
            goals_table(rounds, GOALS),
        )
    )


def main(argv: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.attach", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keystrokes", type=int, default=200, help="in every round")
    parser.add_argument("--questions", type=int, default=20, help="in every round")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "evidence" / "attach.md")
    given = parser.parse_args(argv)
    load = f"{os.getloadavg()[0]:.2f} on {os.cpu_count()} cores"
    rounds: list[Round] = []
    for number in range(given.rounds):
        print(f"round {number + 1} of {given.rounds}", file=sys.stderr, flush=True)
        rounds.append(measure(number, keystrokes=given.keystrokes, questions=given.questions))
    given.out.write_text(page(rounds, command=" ".join(["python -m bench.attach", *argv]), load=load) + "\n")
    print(given.out.read_text())


if __name__ == "__main__":
    main(sys.argv[1:])
