"""`python -m coop_sim`: the pretend agent on this terminal; `claude` and `shims` for the pretend Claude Code."""

import sys

from coop_sim import agent, shims
from coop_sim.claude.main import main as claude


def main(arguments: list[str]) -> int:
    match arguments:
        case ["claude", *rest]:
            return claude(rest)
        case ["shims", *rest]:
            return shims.main(rest)
        case _:
            return agent.main()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
