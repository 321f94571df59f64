"""The three opinions side by side, and what we said about those where we stand alone."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from . import ours, tmux, xterm
from .case import Case
from .seen import Seen, differences

_JUDGED = Path(__file__).with_name("disagreements.toml")


@dataclass(frozen=True, slots=True)
class Verdict:
    case: Case
    ours: Seen
    xterm: Seen
    tmux: Seen

    @property
    def from_xterm(self) -> tuple[str, ...]:
        return differences(self.ours, self.xterm)

    @property
    def from_tmux(self) -> tuple[str, ...]:
        return differences(self.ours, self.tmux)

    @property
    def stands_alone(self) -> bool:
        return bool(self.from_xterm and self.from_tmux)


@dataclass(frozen=True, slots=True)
class Judgement:
    ours_is: Literal["defect", "choice"]
    """A choice has a text or a convention behind it that is as good as the others', or better."""
    because: str


@dataclass(frozen=True, slots=True)
class Judged:
    alone: dict[str, Judgement]
    """Neither xterm nor tmux shows what we show."""
    followed: dict[str, Judgement]
    """We show what tmux shows, and xterm has the better right."""


def missing() -> str | None:
    """Why the oracles cannot be asked; `None` when they can."""
    reasons = [reason for reason in (xterm.missing(), tmux.missing()) if reason]
    return "; ".join(reasons) or None


def ask(cases: Sequence[Case]) -> tuple[Verdict, ...]:
    opinions = zip(cases, map(ours.ask, cases), xterm.ask(cases), tmux.ask(cases), strict=True)
    return tuple(Verdict(*opinion) for opinion in opinions)


def agreement(verdicts: Sequence[Verdict]) -> float:
    """The share of cases where xterm or tmux shows what we show."""
    return sum(not verdict.stands_alone for verdict in verdicts) / len(verdicts)


def read_judged() -> Judged:
    return msgspec.convert(tomllib.loads(_JUDGED.read_text()), Judged)
