"""`python -m tests.oracles` asks the oracles and writes docs/evidence/rendering.md."""

import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

from . import tmux, verdicts, xterm
from .cases import CASES
from .report import page

_ROOT = Path(__file__).parents[2]
_PAGE = _ROOT / "docs" / "evidence" / "rendering.md"


def main() -> str | None:
    """Why there is no page; `None` when it is written."""
    if reason := verdicts.missing():
        return f"the oracles are missing: {reason}"
    began = time.monotonic()
    opinions = verdicts.ask(CASES)
    text = page(
        opinions,
        verdicts.read_judged(),
        command="python -m tests.oracles",
        versions=(*xterm.versions(), *tmux.versions(), f"pyghostty {version('pyghostty')}", *_commit()),
        seconds=time.monotonic() - began,
    )
    _PAGE.write_text(text)
    print(f"{100 * verdicts.agreement(opinions):.1f} % of {len(opinions)} cases agree; see {_PAGE.relative_to(_ROOT)}")
    return None


def _commit() -> tuple[str, ...]:
    """The commit, if this is a repository that has one."""
    try:
        words = ["git", "-C", str(_ROOT), "rev-parse", "--short", "HEAD"]
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return ()
    return (f"commit {done.stdout.strip()}",)


if __name__ == "__main__":
    sys.exit(main())
