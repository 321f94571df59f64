"""Recorded sessions of the real agents."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coop.model.screen import Size

CAPTURED = Path(__file__).parents[1] / "captured"


@dataclass(frozen=True, slots=True)
class Recording:
    """What a terminal of `size` was sent: bytes, and new sizes."""

    name: str
    size: Size
    steps: tuple[bytes | Size, ...]

    def output(self) -> bytes:
        return b"".join(step for step in self.steps if isinstance(step, bytes))


def recordings() -> list[Recording]:
    return [read_recording(path, str(path.relative_to(CAPTURED).with_suffix(""))) for path in sorted(CAPTURED.rglob("*.cast"))]


def read_recording(path: Path, name: str) -> Recording:
    header, *events = path.read_text().splitlines()
    size = json.loads(header)
    return Recording(name, Size(size["width"], size["height"]), tuple(_steps(events)))


def _steps(events: list[str]) -> Iterator[bytes | Size]:
    for line in events:
        _, kind, text = json.loads(line)
        if kind == "o":
            yield text.encode()
        elif kind == "r":
            cols, rows = text.split("x")
            yield Size(int(cols), int(rows))
