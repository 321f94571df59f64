"""`make evidence`: every campaign and benchmark at full count, each writing its page. What was measured at this commit is kept."""

import subprocess
import sys
import time

from bench import index

_CAMPAIGNS = ["coop.testing.isolated", sys.executable, "-m"]
_CLAUDE, _CODEX, _GEMINI = ([*_CAMPAIGNS, f"bench.{agent}"] for agent in ("claude", "codex", "gemini"))
PAGES = (
    ("rendering against xterm.js and tmux", ["tests.oracles"]),
    ("100,000 bad inputs", ["tests.fuzz"]),
    ("100 cut connections", ["bench.continuity"]),
    ("1 GB over gRPC", ["bench.grpc"]),
    ("states of Claude Code", [*_CLAUDE, "states"]),
    ("delivery to Claude Code", [*_CLAUDE, "delivery"]),
    ("answers to Claude Code", [*_CLAUDE, "answers"]),
    ("cost of hooks in Claude Code", [*_CLAUDE, "hooks"]),
    ("states of Codex", [*_CODEX, "states"]),
    ("delivery to Codex", [*_CODEX, "delivery"]),
    ("answers to Codex", [*_CODEX, "answers"]),
    ("states of Gemini CLI", [*_GEMINI, "states"]),
    ("delivery to Gemini CLI", [*_GEMINI, "delivery"]),
    ("answers to Gemini CLI", [*_GEMINI, "answers"]),
    ("states of a shell and a REPL, by patterns", ["bench.repl"]),
    ("attaching to tmux and GNU screen", ["bench.attach"]),
    ("coop attach beside tmux attach", ["bench.attaching"]),
    ("benchmark", ["bench"]),
    ("the gate itself", ["bench.gate", "sim", "test", "live"]),
)


def main() -> int:
    for number, (what, module) in enumerate(PAGES, 1):
        began = time.monotonic()
        print(f"[{number}/{len(PAGES)}] {what}…", flush=True)
        done = subprocess.run([sys.executable, "-m", *module], check=False)
        print(
            f"[{number}/{len(PAGES)}] {what}: {'ok' if done.returncode == 0 else 'FAILED'} in {time.monotonic() - began:.0f} s",
            flush=True,
        )
        if done.returncode:
            return done.returncode
    index.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
