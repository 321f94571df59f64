"""Which code a figure is of: the commit, and how git names `src/coop` in it, which holds when a commit is made anew or changes other files."""

import hashlib
import subprocess

from bench.home import ROOT

_MEASURED = "src/coop"


def commit() -> str:
    return _git("rev-parse", "--short", "HEAD").decode().strip() or "an unknown commit"


def code() -> str:
    """`git rev-parse --short HEAD:src/coop`; with a digest of what is not committed there, when something is not."""
    tree = _git("rev-parse", "--short", f"HEAD:{_MEASURED}").decode().strip() or "unknown"
    changes = _git("diff", "HEAD", "--", _MEASURED)
    return f"{tree}+{hashlib.sha256(changes).hexdigest()[:6]}" if changes else tree


def made_at() -> str:
    return f"{commit()} ({_MEASURED}: {code()})"


def _git(*words: str) -> bytes:
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, check=False).stdout
