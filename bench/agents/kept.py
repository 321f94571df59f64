"""What was found so far, an item a line in .cache/AGENT/COMMIT: a campaign that was broken off goes on where it stopped."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.home import ROOT
from bench.versions import commit

Item = Mapping[str, Any]


def tree() -> str:
    """The commit; with a digest of what is not committed in src/coop, when something is not."""
    changes = subprocess.run(
        ["git", "-C", str(ROOT), "diff", "HEAD", "--", "src/coop"], capture_output=True, check=False
    ).stdout
    return f"{commit()}+{hashlib.sha256(changes).hexdigest()[:6]}" if changes else commit()


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
