"""`python -m coop_sim`: a pretend agent on this terminal; `claude`, `codex` and `gemini` pretend to be those, `shims` stands in."""

import gc
import sys


def main(arguments: list[str]) -> int:
    """Only what is asked for is loaded: a pretend agent should not start slower than a real one."""
    match arguments:
        case ["claude", *rest]:
            gc.disable()  # loading makes no garbage
            from coop_sim.claude.main import main as claude

            gc.freeze()
            gc.enable()
            return claude(rest)
        case ["codex", *rest]:
            gc.disable()
            from coop_sim.codex.main import main as codex

            gc.freeze()
            gc.enable()
            return codex(rest)
        case ["gemini", *rest]:
            gc.disable()
            from coop_sim.gemini.main import main as gemini

            gc.freeze()
            gc.enable()
            return gemini(rest)
        case ["shims", *rest]:
            from coop_sim.shims import main as shims

            return shims(rest)
        case _:
            from coop_sim.agent import main as agent

            return agent()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
