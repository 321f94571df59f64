"""How much is measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from bench.payloads import write_payload

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Plan:
    name: str
    payloads: Path
    megabytes: Mapping[str, int]
    """The size of each flood, by payload."""
    keystrokes: int
    requests: int
    """Snapshots asked for, idle and again during the flood."""
    memory_megabytes: int
    memory_requests: int
    fanout_seconds: float
    starts: int

    def payload(self, kind: str) -> Path:
        return write_payload(self.payloads, kind, self.megabytes[kind])


def full_plan(payloads: Path) -> Plan:
    return Plan(
        name="full",
        payloads=payloads,
        megabytes={"plain": 48, "colour": 24, "TUI": 32},
        keystrokes=250,
        requests=3000,
        memory_megabytes=2000,
        memory_requests=10_000,
        fanout_seconds=30.0,
        starts=5,
    )


def quick_plan(payloads: Path) -> Plan:
    return Plan(
        name="quick",
        payloads=payloads,
        megabytes={"plain": 8, "colour": 4, "TUI": 6},
        keystrokes=50,
        requests=500,
        memory_megabytes=100,
        memory_requests=500,
        fanout_seconds=5.0,
        starts=2,
    )


def rotated(items: Sequence[Item], by: int) -> list[Item]:
    """Another one goes first in every round, so that none always has the machine warm."""
    start = by % len(items)
    return [*items[start:], *items[:start]]
