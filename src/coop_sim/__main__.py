"""`python -m coop_sim`: the pretend agent on this terminal."""

import sys

from coop_sim.agent import main

if __name__ == "__main__":
    sys.exit(main())
