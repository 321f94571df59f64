"""The rounds measured so far, kept in .cache/bench so that a run can be taken up again."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Round


@dataclass(frozen=True, slots=True)
class Results:
    """What is kept of one section; a round remembers the commit it was measured at."""

    path: Path

    def load(self) -> list[dict[str, object]]:
        if not self.path.exists():
            return []
        kept: list[dict[str, object]] = json.loads(self.path.read_text())
        return kept

    def rounds(self) -> Sequence[Round]:
        return [entry["figures"] for entry in self.load() if isinstance(entry["figures"], dict)]

    def commits(self) -> Sequence[str]:
        return sorted({str(entry["commit"]) for entry in self.load()})

    def add(self, figures: Round, *, commit: str) -> None:
        entries = [*self.load(), {"commit": commit, "figures": figures}]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_suffix(".new")
        draft.write_text(json.dumps(entries, indent=1))
        draft.replace(self.path)

    def clear(self) -> None:
        self.path.unlink(missing_ok=True)
