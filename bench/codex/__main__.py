"""`python -m bench.codex [CAMPAIGN…]`"""

import sys

from bench.agents.command import main
from bench.codex.campaigns import PLANS
from bench.codex.subject import CODEX

if __name__ == "__main__":
    main(CODEX, PLANS, sys.argv[1:])
