"""A place of its own for every run: no process of the benchmark sees the user's settings, sockets or sessions."""

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "bench"
COLS, ROWS = 200, 50


@dataclass(frozen=True, slots=True)
class Home:
    path: Path

    @property
    def env(self) -> Mapping[str, str]:
        return {
            "HOME": str(self.path),
            "LANG": "C.UTF-8",
            "PATH": os.environ["PATH"],
            "SCREENDIR": str(self.path / "screens"),
            "SHELL": "/bin/sh",
            "TERM": "xterm-256color",
            "TMUX_TMPDIR": str(self.path),
            "XDG_RUNTIME_DIR": str(self.path / "run"),
        }


@contextlib.contextmanager
def temporary_home() -> Iterator[Home]:
    # A short path: the sockets in it must fit into 108 bytes.
    with tempfile.TemporaryDirectory(prefix="bench-", dir="/tmp", ignore_cleanup_errors=True) as name:
        home = Home(Path(name))
        for folder in ("run", "screens"):
            (home.path / folder).mkdir(mode=0o700)
        yield home
