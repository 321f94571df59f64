"""`python -m coop_sim`: a pretend agent on this terminal; `claude`, `codex` and `gemini` pretend to be those, `shims` stands in."""

import gc
import os
import select
import signal
import sys

USAGE = """\
usage: python -m coop_sim                              a small agent for demonstrations
       python -m coop_sim claude [--sim-version V] [--scenario FILE] [FLAGS OF CLAUDE…]
       python -m coop_sim codex [--scenario FILE] [FLAGS OF CODEX…]
       python -m coop_sim gemini [--scenario FILE] [FLAGS OF GEMINI…]
       python -m coop_sim shims DIR [--sim-version V] [--scenario FILE]
                                                       executables that stand in for the real ones
"""


def main(arguments: list[str]) -> int:
    """The exit code. Who has read enough of what is printed, as `head` does, ends it without a complaint."""
    try:
        try:
            return _run(arguments)
        finally:
            print(end="", flush=True)
    except BrokenPipeError:
        if not _is_unread(1):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python would try again at its end, and complain
        return 128 + signal.SIGPIPE


def _is_unread(fd: int) -> bool:
    poll = select.poll()
    poll.register(fd, 0)
    return any(events & select.POLLERR for _, events in poll.poll(0))


def _run(arguments: list[str]) -> int:
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
        case []:
            from coop_sim.agent import main as agent

            return agent()
        case ["-h" | "--help", *_]:
            print(USAGE, end="")
            return 0
        case [word, *_]:
            print(f"coop_sim: expected claude, codex, gemini, shims or nothing, got {word!r}\n{USAGE}", end="", file=sys.stderr)
            return 2
        case _:
            raise AssertionError(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
