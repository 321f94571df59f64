"""`python -m bench.attaching`: `coop attach` beside `tmux attach` → docs/evidence/attaching.md, at full count."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.agents.page import Bar, bars
from bench.attaching.latency import BARE, COOP, COOP_PLAIN, P50, TMUX, measure
from bench.attaching.screens import Verdict, compare, everything, judged, unjudged
from bench.code import made_at
from bench.figures import Round
from bench.goals import Goal
from bench.home import ROOT
from bench.report import figures_tables, goals_table, table
from bench.versions import versions

PAGE = ROOT / "docs" / "evidence" / "attaching.md"
SESSIONS, ROUNDS, KEYSTROKES = 50, 5, 200
GOALS = (
    Goal("key to echo, coop attach : tmux attach", (COOP, P50), (TMUX, P50), most=1.5),
    Goal("the same without a status line", (COOP_PLAIN, P50), (TMUX, P50), most=1.5),
    Goal("key to echo, coop attach : no client at all", (COOP, P50), (BARE, P50)),
)
_WITH = ("python", "uvloop", "pyghostty", "websockets", "tmux", "node", "@xterm/headless", "kernel", "cores")
SCREENS = """Every recording (agents at work, and vim, less, top, curses, shells, tmux itself) is played to a session by a program that \
only writes what was recorded. A client comes when half of it is played, or before the first resize: what was before it must get \
from the session, what follows it sees live. Where the recording has a new size, the client's terminal gets it. What the client \
writes to its terminal is given to xterm.js without a window, and so is the recording itself. Text, styles, widths, the cursor's \
place and the title must be the same. Both clients run without a status line; tmux is told that the terminal has all its colours."""
LATENCY = """One letter is typed on the client's terminal, to a program that echoes; the clock stops when the echo is drawn there. \
tmux's client hands its terminal to the server, which reads and writes it directly: one process stands in the way. Coop's client \
speaks WebSocket, so that the session may be on another machine: two do. *The bare terminal* has no client. Peers take turns in \
every round, each round in another order; a ratio is taken within each round."""


def page(verdicts: Sequence[Verdict], rounds: Sequence[Round], *, command: str, load: str) -> str:
    made = ", ".join(f"{name} {version}" for name, version in versions().items() if name in _WITH)
    return "\n\n".join(
        (
            "# `coop attach` beside `tmux attach`",
            f"Made by `{command}` at {made_at()}, with a load of {load} before it began. {made}.",
            "## Screens",
            SCREENS,
            screens(verdicts),
            "## Typing",
            f"{LATENCY} {len(rounds)} rounds.",
            *figures_tables(rounds),
            goals_table(rounds, GOALS),
            "",
        )
    )


def screens(verdicts: Sequence[Verdict]) -> str:
    same = [verdict for verdict in verdicts if not verdict.coop_tmux]
    met = bars(
        Bar("recorded sessions", len(verdicts), least=SESSIONS),
        Bar("of them with resizes", sum(verdict.resizes > 0 for verdict in verdicts)),
        Bar("the same screen through both", len(same)),
        Bar("coop shows what the bare terminal shows, tmux does not", sum(_tmux_differs(each) for each in verdicts)),
        Bar("coop shows what neither shows, and it is not judged", len(unjudged(verdicts)), most=0),
    )
    differing = [each for each in verdicts if each.coop_tmux]
    return "\n\n".join(filter(None, (met, _listed(differing))))


def _tmux_differs(verdict: Verdict) -> bool:
    return bool(verdict.coop_tmux) and not verdict.coop_bare


def _listed(differing: Sequence[Verdict]) -> str:
    why = judged("tmux") | judged()
    lines = [[each.name, _words(each.coop_tmux), _words(each.coop_bare), why.get(each.name, "–")] for each in differing]
    return table(["differing", "from tmux in", "from the bare terminal in", "why"], lines) if lines else ""


def _words(aspects: Sequence[str]) -> str:
    return ", ".join(aspects) or "nothing"


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.attaching", description=__doc__)
    parser.add_argument("--sessions", type=int, help="only so many of the recordings")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--keystrokes", type=int, default=KEYSTROKES, help="in every round")
    parser.add_argument("--out", type=Path, help=f"the page ({PAGE.relative_to(ROOT)}, when nothing was left out)")
    given = parser.parse_args(argv)
    load = f"{os.getloadavg()[0]:.2f} on {os.cpu_count()} cores"
    rounds = [measure(number, given.keystrokes) for number in range(given.rounds)]
    verdicts = [_told(compare(recording)) for recording in everything()[: given.sessions]]
    text = page(verdicts, rounds, command=" ".join(["python -m bench.attaching", *argv]), load=load)
    is_whole = given.sessions is None and given.rounds >= ROUNDS and given.keystrokes >= KEYSTROKES
    out = given.out or (PAGE if is_whole else None)
    out.write_text(text) if out else print(text)
    return 1 if unjudged(verdicts) else 0


def _told(verdict: Verdict) -> Verdict:
    print(f"{verdict.name}: {'the same' if not verdict.coop_tmux else _words(verdict.coop_tmux)}", file=sys.stderr, flush=True)
    return verdict


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
