"""The sections, in the order of the report."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bench.figures import Round
from bench.plan import Plan
from bench.sections import fanout, flood, latency, memory, snapshot, startup


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    about: str
    measure: Callable[[Plan, int], Round]
    """Measures one round, the first being number 0."""


SECTIONS: Mapping[str, Section] = {
    "flood": Section(
        "Flood",
        "A child writes as fast as the terminal takes it; the clock runs until the screen, as the peer's own interface "
        "shows it, has the last line. Plain: log lines of 10–120 characters. Colour: every word with its own SGR. TUI: "
        "synchronized full redraws, words placed by column as Claude Code does. (Line length and word placement were settled after a first look at the peers, before coop ran; the first "
        "drafts, lines of 20–180 and words with spaces, move the ratios by up to a third, in both directions.) *Lag* is from the last byte taken by the "
        "terminal to the marker seen (it includes one call of the peer's interface). The subscriber counts every byte; "
        "it, like the client that drains tmux, shares the two cores with all others. *CPU* is the processor time, the kernel's "
        "for it included, of the process that holds the screen. *A bare read loop* draws nothing: it is what "
        "the kernel's pseudo-terminal gives on this machine, and what stands in the way of more on plain text: the kernel carries "
        "each line, and each line's end by itself, from the child to the reader in a piece of work of its own, and coop waits for it.",
        flood.measure,
    ),
    "latency": Section(
        "Keystroke to seen",
        "One letter to a child that echoes raw; the clock stops when it is seen in the peer's own stream or screen. "
        "Coop's figure and the JSON-lines one cross a process boundary both ways. The row *before the screen* stops at "
        "node-pty's data event and is no terminal server; it is shown because coop's stream too carries bytes.",
        latency.measure,
    ),
    "snapshot": Section(
        "Snapshot under flood",
        "Sequential `GET /api/v1/screen` on one kept connection, first idle with a full screen, then during an endless colour flood.",
        snapshot.measure,
    ),
    "memory": Section(
        "Memory",
        "VmRSS one second after the start; *warm* after one flood of each kind and some requests; *after* all output and "
        "requests of the plan. Peers are weighed idle only.",
        memory.measure,
    ),
    "fanout": Section(
        "A hundred readers",
        "A plain flood paced at 20 MB/s, without readers and with 100 raw WebSocket subscribers of which 10 read slowly. "
        "The readers are one process that competes with coop and the child for the same cores: at 100 × 20 MB/s in "
        "base64 there are 2.7 GB/s to move, so the other 90 may have to lag too; *cores* is the CPU time of each per second. "
        "Nobody may lose a byte without being told, all must come to the end, and the child must not be held up.",
        fanout.measure,
    ),
    "startup": Section(
        "Start",
        "From spawning the process to the first snapshot with the child's output in it; and the command line alone.",
        startup.measure,
    ),
}
