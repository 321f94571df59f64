"""`python -m bench.claude [CAMPAIGN…]`"""

import sys

from bench.agents.command import main
from bench.claude.campaigns import PLANS
from bench.claude.subject import CLAUDE

if __name__ == "__main__":
    main(CLAUDE, PLANS, sys.argv[1:])
