"""xterm's opinion, by way of xterm.js without a window; all cases in one process."""

import json
import os
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from coop.model.screen import Cell, Size

from .case import Case, Step
from .seen import Seen, see

MODULES = Path(__file__).parents[2] / ".cache" / "node" / "node_modules"
_SCRIPT = Path(__file__).with_name("xterm.js")
_PACKAGES = ("@xterm/headless", "@xterm/addon-unicode-graphemes")


@dataclass(frozen=True, slots=True)
class _Answer:
    cells: list[list[Cell]]
    cursor: tuple[int, int]
    cols: int
    alternate: bool
    title: str


def missing() -> str | None:
    """Why xterm cannot be asked; `None` when it can."""
    if shutil.which("node") is None:
        return "node is not installed"
    absent = [package for package in _PACKAGES if not (MODULES / package).is_dir()]
    return f"{', '.join(absent)} not in {MODULES}: run `make deps`" if absent else None


def ask(cases: Sequence[Case]) -> list[Seen]:
    question = json.dumps(
        [{"cols": case.cols, "rows": case.rows, "steps": [_step(step) for step in case.steps]} for case in cases]
    )
    env = os.environ | {"NODE_PATH": str(MODULES)}
    done = subprocess.run(["node", _SCRIPT], input=question.encode(), env=env, stdout=subprocess.PIPE, check=True, timeout=60)
    answers = msgspec.json.decode(done.stdout, type=list[_Answer])
    return [_seen(answer) for answer in answers]


def versions() -> tuple[str, ...]:
    packages = [f"{package} {_version(package)}" for package in _PACKAGES]
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    return (*packages, f"node {node}")


def _version(package: str) -> str:
    return str(json.loads((MODULES / package / "package.json").read_text())["version"])


def _step(step: Step) -> str | list[int]:
    return [step.cols, step.rows] if isinstance(step, Size) else b64encode(step).decode()


def _seen(answer: _Answer) -> Seen:
    return see(answer.cells, answer.cursor, cols=answer.cols, alternate=answer.alternate, title=answer.title)
