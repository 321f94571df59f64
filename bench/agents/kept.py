"""What was found so far, an item a line in .cache/AGENT/CODE: a campaign that was broken off goes on where it stopped."""

import json
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Item = Mapping[str, Any]


@dataclass
class Kept:
    """The items of one campaign, by key."""

    path: Path
    items: dict[str, Item] = field(default_factory=dict[str, Item])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def load(cls, folder: Path, name: str, *, fresh: bool = False) -> "Kept":
        kept = cls(folder / f"{name}.jsonl")
        if fresh:
            kept.path.unlink(missing_ok=True)
        if kept.path.exists():
            entries = [json.loads(line) for line in kept.path.read_text().splitlines()]
            kept.items = {entry["key"]: entry for entry in entries}
        return kept

    def add(self, key: str, **found: object) -> None:
        entry = {"key": key, "load": os.getloadavg()[0], **found}
        with self._lock:
            self.items[key] = entry
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a") as file:
                file.write(json.dumps(entry) + "\n")

    def missing(self, keys: Sequence[str]) -> list[str]:
        return [key for key in keys if key not in self.items]

    def of(self, **fields: object) -> list[Item]:
        """Those that have these values."""
        wanted = fields.items()
        return [item for item in self.items.values() if all(item.get(name) == value for name, value in wanted)]


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
