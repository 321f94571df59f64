"""What was really so: the REPL itself writes down when a command begins and ends, and how; and where coop said something else.

Times are seconds since 1970 of one machine. Nothing of coop comes in but what it published, which is what is judged.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

HELD = 1.0
"""A wrong state must not last longer, beyond the quiet period that a prompt needs."""
EDGE = 0.1
"""So long after its beginning everybody must have seen that a command runs: two processes and a socket lie between."""
IDLE, WORKING, ERROR = "waiting_for_input", "working", "error"
RESTING = (IDLE, ERROR)

Published = tuple[float, str]
"""When a state was received, and which."""

BASH = r"""
source "$EXAMPLE"
_stamp() { printf '%s %s\n' "$EPOCHREALTIME" "$1" >>"$TRUTH"; }
PROMPT_COMMAND='_stamp "end $?";'"$PROMPT_COMMAND"
PS0='$(_stamp start)'
"""
PYTHON = r"""
import os as _os, sys as _sys, time as _time
exec(open(_os.environ["EXAMPLE"]).read())
_failed, _truth = [], _os.open(_os.environ["TRUTH"], _os.O_WRONLY | _os.O_CREAT | _os.O_APPEND)

def _stamp(what):
    _os.write(_truth, f"{_time.time()} {what}\n".encode())

def _hook(*error):
    _failed.append(1)
    _sys.__excepthook__(*error)

def _audit(event, given):
    if event == "exec" and getattr(given[0], "co_filename", "") == "<stdin>":
        _stamp("start")

class _Stamped(FreshLine):
    def __str__(self):
        _stamp(f"end {len(_failed)}")
        _failed.clear()
        return super().__str__()

_sys.excepthook, _sys.ps1 = _hook, _Stamped(">>> ")
_sys.addaudithook(_audit)
"""
"""What each of them runs first, beside the example that is tested."""


@dataclass(frozen=True, slots=True)
class Stamp:
    at: float
    what: str


def stamps(path: Path) -> list[Stamp]:
    lines = path.read_text().splitlines() if path.exists() else []
    return [Stamp(float(at), what) for at, _, what in (line.partition(" ") for line in lines)]


@dataclass(frozen=True, slots=True)
class Run:
    """One command as it was: `began` is `None` for what was none."""

    told: float
    began: float | None
    ended: float
    failed: bool
    left: float
    """Until when it was looked at."""
    more: Sequence[tuple[float, float]] = ()
    """Between the lines of one command: from when to when it waited for the next."""


@dataclass(frozen=True, slots=True)
class Verdict:
    wrong: list[str] = field(default_factory=list[str])
    false_idles: list[str] = field(default_factory=list[str])
    latency: float | None = None
    """Milliseconds from the end of the command to its state told, without the quiet period."""


def judge(run: Run, published: Sequence[Published], *, quiet: float) -> Verdict:
    final = ERROR if run.failed else IDLE
    held = _held(published, run.left)
    spans = [((run.ended, run.left), final), *((span, IDLE) for span in run.more)]
    wrong = [words for span, right in spans if (words := _late(span, right, held, quiet))]
    false_idles: list[str] = []
    if run.began is not None:
        busy = (run.began + EDGE, run.ended)
        false_idles = [
            f"{state} for {to - at:.2f} s, {at - run.began:.2f} s after it began"
            for at, to, state in _within(busy, held)
            if state in RESTING
        ]
        wrong += [
            f"{state} for {to - at:.2f} s while it worked"
            for at, to, state in _within(busy, held)
            if state != WORKING and to - at > HELD
        ]
    told = next((at for at, _, state in held if at >= run.ended and state == final), None)
    return Verdict(wrong, false_idles, (told - run.ended - (0 if run.failed else quiet)) * 1000 if told is not None else None)


def _late(span: tuple[float, float], right: str, held: Sequence[tuple[float, float, str]], quiet: float) -> str:
    """Another state than the right one, later than a prompt may take to be believed."""
    since = span[0] + quiet + HELD
    for _, to, state in _within((since, span[1]), held):
        if state != right:
            return f"{state} instead of {right}, {to - span[0]:.2f} s after it ended"
    return ""


def _held(published: Sequence[Published], until: float) -> list[tuple[float, float, str]]:
    return [(at, to, state) for (at, state), (to, _) in pairwise([*published, (until, "")]) if to > at]


def _within(span: tuple[float, float], held: Sequence[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    cut = [(max(at, span[0]), min(to, span[1]), state) for at, to, state in held]
    return [(at, to, state) for at, to, state in cut if to > at]
