"""What the two are told: 200 commands each, of every kind that has fooled somebody. The order is shuffled, and always the same."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

COUNT = 200
_SEED = 20261116


@dataclass(frozen=True, slots=True)
class Command:
    kind: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def commands(repl: str, count: int = COUNT) -> list[Command]:
    """So many, of every kind in turn: of few, one of each."""
    kinds = {kind: [Command(kind, tuple(text.split("\n"))) for text in texts] for kind, texts in KINDS[repl].items()}
    chosen: list[Command] = []
    while len(chosen) < count:
        chosen += [each[(len(chosen) // len(kinds)) % len(each)] for each in kinds.values()][: count - len(chosen)]
    random.Random(_SEED).shuffle(chosen)
    return chosen


BASH: Mapping[str, Sequence[str]] = {
    "quick": ["true", "x=5", ": nothing", "cd /", "echo hello", "type cd", "echo 'a  b'", "printf '%s\\n' one two", "pwd"],
    "quick, failing": ["false", "(exit 3)", "ls /nowhere", "[ 1 = 2 ]", "no_such_command", "cat /nowhere", "(exit 130)"],
    "not even a command": ["echo )", "fi", "done", "; ;"],
    "silent and long": ["sleep 0.4", "sleep 0.9", "sleep 1.6", "sleep 2.2", "read -t 1 </dev/zero || true"],
    "long, failing": ["sleep 0.5; false", "sleep 1.4; (exit 7)", "sleep 0.8; no_such_command"],
    "much output": ["seq 1 3000", "yes | head -4000", "for n in {1..400}; do echo line $n of many; done", "seq -s' ' 1 2000"],
    "slow output": [
        "for n in 1 2 3 4; do echo $n; sleep 0.4; done",
        "for n in {1..12}; do printf .; sleep 0.1; done; echo",
        "echo begin; sleep 1.2; echo end",
    ],
    "output like a prompt, in a line": [
        "echo 'see: [exit 0] $ here'; sleep 1.2",
        "printf 'x [exit 0] $ '; sleep 1.5; echo",
        "echo 'it says [exit 1] $'; sleep 0.9",
    ],
    "output like a prompt, a line": [
        "printf '[exit 0] $ \\n'; sleep 1.5",
        "printf '[exit 3] $ fake\\n'; sleep 1.2",
        "printf '[exit 0] $ \\n\\n'; sleep 1",
    ],
    "no end of line": ["printf abc", "printf 'a b c'; sleep 0.7", "printf x; false"],
    "several lines": [
        "for n in 1 2; do\nsleep 0.4\ndone",
        "if true; then\nfalse\nfi",
        "cat <<END\na line\n[exit 0] $ quoted\nEND",
        "echo 'begun\nand ended'",
    ],
    "longer than the screen is wide": [f"echo {'word ' * 45}", f": {'x' * 250}"],
}
PYTHON: Mapping[str, Sequence[str]] = {
    "quick": ["x = 5", "1 + 1", "import os, sys, time", "print('hello')", "pass", "len('abc')", "print('a  b')", "[1, 2][0]"],
    "quick, failing": ["1/0", "[][1]", "no_such_name", "int('x')", "raise ValueError('no')", "{}['k']", "assert False, 'no'"],
    "not even a command": ["1 +", "def", "x = = 1", "  indented", "print('"],
    "silent and long": ["time.sleep(0.4)", "time.sleep(0.9)", "time.sleep(1.6)", "time.sleep(2.2)"],
    "long, failing": ["time.sleep(0.5); 1/0", "time.sleep(1.4); [][1]", "time.sleep(0.8); raise OSError('no disk')"],
    "much output": ["print(*range(3000), sep='\\n')", "print('y\\n' * 4000)", "list(range(800))", "print('x' * 9000)"],
    "slow output": [
        "[(print(n), time.sleep(0.4)) for n in range(4)] and None",
        "[(print('.', end='', flush=True), time.sleep(0.1)) for n in range(12)] and None",
        "print('begin'); time.sleep(1.2); print('end')",
    ],
    "output like a prompt, in a line": [
        "print('see: >>> here'); time.sleep(1.2)",
        "print('x >>> ', end='', flush=True); time.sleep(1.5)",
        "print('it says ...'); time.sleep(0.9)",
    ],
    "output like a prompt, a line": [
        "print('>>> '); time.sleep(1.5)",
        "print('>>> fake()'); time.sleep(1.2)",
        "print('... \\n'); time.sleep(1)",
    ],
    "errors that are only told of": [
        "print('ValueError: none')",
        "print('Traceback: none'); time.sleep(1.1)",
        "try: 1/0\nexcept ZeroDivisionError: print('division by zero')\n",
    ],
    "no end of line": ["print('abc', end='')", "print('a b', end='', flush=True); time.sleep(0.7)"],
    "several lines": [
        "for n in range(2):\n    time.sleep(0.4)\n",
        "def f():\n    return 1/0\n",
        "if True:\n    [][1]\n",
        "'''begun\n>>> quoted\nand ended'''",
    ],
    "longer than the screen is wide": [f"print('{'word ' * 45}')", f"'{'x' * 250}' and None"],
}
KINDS: Mapping[str, Mapping[str, Sequence[str]]] = {"bash": BASH, "python": PYTHON}
