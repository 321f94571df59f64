"""Which program a command line runs: by its name, through what only starts another."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath

_STARTERS: Mapping[str, frozenset[str]] = {
    "env": frozenset({"-u", "--unset", "-C", "--chdir", "-S", "--split-string"}),
    "timeout": frozenset({"-k", "--kill-after", "-s", "--signal"}),
    "nice": frozenset({"-n", "--adjustment"}),
    "ionice": frozenset({"-c", "--class", "-n", "--classdata"}),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "npx": frozenset({"-p", "--package", "-w", "--workspace"}),
    "bunx": frozenset({"-p", "--package"}),
    "uvx": frozenset({"--from", "--with", "-p", "--python"}),
    **dict.fromkeys(("exec", "command", "nohup", "setsid", "time"), frozenset[str]()),
}
"""Programs that start the one named behind them, and those of their options that take a word."""
_TAKES_A_FIGURE = frozenset({"timeout"})


def program_of(argv: Sequence[str]) -> str:
    """`env X=1 npx -y @openai/codex@1.2 exec` runs `codex`; what a shell's `-c` runs is not looked at."""
    words = list(argv)
    while words:
        name = _name(words.pop(0))
        if name not in _STARTERS:
            return name
        words = _behind(name, words)
    return ""


def _behind(starter: str, words: list[str]) -> list[str]:
    """What it starts: without its options, the variables it sets, and how long it lets it run."""
    rest = list(words)
    while rest and (rest[0].startswith("-") or _is_assignment(rest[0])):
        option = rest.pop(0)
        if option == "--":
            break
        if option in _STARTERS[starter] and rest:
            rest.pop(0)
    return rest[1:] if starter in _TAKES_A_FIGURE else rest


def _is_assignment(word: str) -> bool:
    return word.partition("=")[0].isidentifier() and "=" in word


def _name(word: str) -> str:
    """Without its folder, or its scope and version: `@openai/codex@0.166.0`."""
    name = PurePath(word).name
    return name[:1] + name[1:].partition("@")[0]
