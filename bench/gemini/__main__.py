"""`python -m bench.gemini [CAMPAIGN…]`"""

import sys

from bench.agents.command import main
from bench.gemini.campaigns import PLANS
from bench.gemini.subject import GEMINI

if __name__ == "__main__":
    main(GEMINI, PLANS, sys.argv[1:])
