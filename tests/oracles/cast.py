"""A recorded session of an agent with the keys that were pressed in it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coop.model.screen import Size

CAPTURED = Path(__file__).parents[1] / "captured"


@dataclass(frozen=True, slots=True)
class Output:
    data: bytes


@dataclass(frozen=True, slots=True)
class Pressed:
    """Keys. Letters typed one by one are one."""

    text: str


Step = Output | Pressed | Size


@dataclass(frozen=True, slots=True)
class Cast:
    version: str
    scenario: str
    size: Size
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return f"{self.version}/{self.scenario}"

    def output(self) -> bytes:
        return b"".join(step.data for step in self.steps if isinstance(step, Output))


def casts(agent: str) -> list[Cast]:
    return [_read(path) for path in sorted((CAPTURED / agent).rglob("*.cast"))]


def _read(path: Path) -> Cast:
    header, *events = path.read_text().splitlines()
    size = json.loads(header)
    return Cast(path.parent.name, path.stem, Size(size["width"], size["height"]), tuple(_joined(_steps(events))))


def _steps(events: list[str]) -> Iterator[Step]:
    for line in events:
        _, kind, text = json.loads(line)
        match kind:
            case "o":
                yield Output(text.encode())
            case "i":
                yield Pressed(text)
            case "r":
                cols, rows = text.split("x")
                yield Size(int(cols), int(rows))
            case _:
                raise AssertionError(f"unknown event {kind!r}")


def _joined(steps: Iterator[Step]) -> Iterator[Step]:
    """Letters are gathered into the first of them; what was drawn between them comes after."""
    typing: Pressed | None = None
    drawn: list[Step] = []
    for step in steps:
        match step, typing:
            case Pressed(text), Pressed(before) if _is_letter(text):
                typing = Pressed(before + text)
            case Pressed(text), None if _is_letter(text):
                typing = step
            case Output(), Pressed():
                drawn.append(step)
            case _:
                yield from [typing, *drawn] if typing else []
                typing, drawn = None, []
                yield step
    yield from [typing, *drawn] if typing else []


def _is_letter(text: str) -> bool:
    # A digit is an answer, not typing.
    return len(text) == 1 and text.isprintable() and not text.isdigit()
