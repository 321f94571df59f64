"""The same recording three times before one eye, xterm.js: through `coop attach`, through `tmux attach`, and with nothing between."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.attaching.record import RECORDED
from bench.attaching.stage import watch
from coop.model.screen import Size
from tests.oracles import xterm
from tests.oracles.case import Case
from tests.oracles.seen import differences
from tests.support.captured import Recording, read_recording, recordings

_JUDGED = Path(__file__).with_name("judged.toml")
QUIET = 1.0
"""A client that has drawn nothing for so long has drawn everything."""


@dataclass(frozen=True, slots=True)
class Verdict:
    name: str
    resizes: int
    coop_tmux: tuple[str, ...]
    """In what they differ; empty when they show the same."""
    coop_bare: tuple[str, ...]
    tmux_bare: tuple[str, ...]

    @property
    def stands_alone(self) -> bool:
        """Coop shows neither what tmux shows nor what the bare terminal does."""
        return bool(self.coop_tmux and self.coop_bare)


def everything() -> list[Recording]:
    """Recorded agents, and programs we have recorded for this."""
    programs = [read_recording(path, f"programs/{path.stem}") for path in sorted(RECORDED.glob("*.cast"))]
    return [*recordings(), *programs]


def compare(recording: Recording, *, quiet: float = QUIET) -> Verdict:
    watched = {peer: watch(peer, recording, quiet=quiet) for peer in ("coop", "tmux")}
    plays = (recording.steps, watched["coop"], watched["tmux"])
    cases = [Case(recording.name, "attaching", tuple(steps), recording.size.cols, recording.size.rows) for steps in plays]
    bare, coop, tmux = (replace(seen, alternate=False) for seen in xterm.ask(cases))  # a client is always on the alternate one
    resizes = sum(isinstance(step, Size) for step in recording.steps)
    return Verdict(recording.name, resizes, differences(coop, tmux), differences(coop, bare), differences(tmux, bare))


def judged(who: str = "alone") -> dict[str, str]:
    """Recordings in which coop stands alone, or `tmux` does, and why."""
    found: dict[str, str] = tomllib.loads(_JUDGED.read_text()).get(who, {})
    return found


def unjudged(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [verdict for verdict in verdicts if verdict.stands_alone and verdict.name not in judged()]
