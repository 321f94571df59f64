"""The rounds measured so far, kept in .cache/bench so that a run can be taken up again."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Round


@dataclass(frozen=True, slots=True)
class Results:
    """What is kept of one section; a round remembers the code it was measured with."""

    path: Path

    def load(self) -> list[dict[str, object]]:
        if not self.path.exists():
            return []
        kept: list[dict[str, object]] = json.loads(self.path.read_text())
        return kept

    def rounds(self) -> Sequence[Round]:
        return [entry["figures"] for entry in self.load() if isinstance(entry["figures"], dict)]

    def made_at(self) -> Sequence[str]:
        return sorted({str(entry["at"]) for entry in self.load()})

    def add(self, figures: Round, *, at: str) -> None:
        entries = [*self.load(), {"at": at, "figures": figures}]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_suffix(".new")
        draft.write_text(json.dumps(entries, indent=1))
        draft.replace(self.path)

    def clear(self) -> None:
        self.path.unlink(missing_ok=True)
