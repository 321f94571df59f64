"""`python -m tests.oracles` asks the oracles and writes docs/evidence/rendering.md."""

import sys
import time
from importlib.metadata import version
from pathlib import Path

from bench.code import made_at

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
        versions=(*xterm.versions(), *tmux.versions(), f"pyghostty {version('pyghostty')}", f"commit {made_at()}"),
        seconds=time.monotonic() - began,
    )
    _PAGE.write_text(text)
    print(f"{100 * verdicts.agreement(opinions):.1f} % of {len(opinions)} cases agree; see {_PAGE.relative_to(_ROOT)}")
    return None


if __name__ == "__main__":
    sys.exit(main())
