"""Which program a command line runs: where it stands behind what only starts another, and what that starts it with."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from coop.model.launch import Launch


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


@dataclass(frozen=True, slots=True)
class _Starter:
    """A program that starts the one named behind it, by its options."""

    takes: frozenset[str] = frozenset()
    """Those that take a word."""
    hides: frozenset[str] = frozenset()
    """Those that bring a whole command in one word: what that runs is no word of its own."""
    figures: int = 0
    """How many words of its own stand before the program."""
    assigns: bool = False
    """`A=B` before the program is a variable for it."""
    unsets: frozenset[str] = frozenset()
    """Those that take a variable away."""
    clears: frozenset[str] = frozenset()
    """Those that take all of them away."""
    moves: frozenset[str] = frozenset()
    """Those that say where it is started."""


_STARTERS: Mapping[str, _Starter] = {
    "env": _Starter(
        takes=_words("-u --unset -C --chdir"),
        hides=_words("-S --split-string"),
        assigns=True,
        unsets=_words("-u --unset"),
        clears=_words("- -i --ignore-environment"),
        moves=_words("-C --chdir"),
    ),
    "sudo": _Starter(
        takes=_words(
            "-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type",
            "-T --command-timeout -U --other-user -D --chdir -R --chroot",
        ),
        assigns=True,
        moves=_words("-D --chdir"),
    ),
    "doas": _Starter(takes=_words("-u -C")),
    "timeout": _Starter(takes=_words("-k --kill-after -s --signal"), figures=1),
    "nice": _Starter(takes=_words("-n --adjustment")),
    "ionice": _Starter(takes=_words("-c --class -n --classdata")),
    "taskset": _Starter(figures=1),
    "stdbuf": _Starter(takes=_words("-i --input -o --output -e --error")),
    "npx": _Starter(takes=_words("-p --package -w --workspace"), hides=_words("-c --call")),
    "bunx": _Starter(takes=_words("-p --package")),
    "uvx": _Starter(takes=_words("--from --with -p --python")),
    "node": _Starter(takes=_words("-r --require --import -C --conditions --loader"), hides=_words("-e --eval -p --print")),
    "exec": _Starter(takes=_words("-a")),
    "time": _Starter(takes=_words("-o --output -f --format")),
    **dict.fromkeys(("command", "nohup", "setsid"), _Starter()),
}
_SHELLS_COMMAND = re.compile(r"-[A-Za-z]*c")


@dataclass(frozen=True, slots=True)
class Program:
    """One of the words of a command line."""

    argv: tuple[str, ...]
    at: int
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    """What it is started with, after all that `env` says…"""
    cwd: str = "."
    """…and where."""

    @property
    def name(self) -> str:
        """Without its folder, or its scope and version: `@openai/codex@0.166.0`."""
        return _name(self.argv[self.at])

    @property
    def runner(self) -> tuple[str, ...]:
        """The program with whatever starts it."""
        return self.argv[: self.at + 1]

    @property
    def arguments(self) -> tuple[str, ...]:
        return self.argv[self.at + 1 :]

    def within(self, launch: Launch) -> Launch:
        """The launch as the program itself sees it."""
        return replace(launch, env=self.env, cwd=self.cwd)


def program_of(argv: Sequence[str]) -> str:
    """`env X=1 npx -y @openai/codex@1.2 exec` runs `codex`; what a shell's `-c` runs is not looked at."""
    found = _behind_starters(Program(tuple(argv), 0))
    return found.name if found is not None else ""


def agent_in(launch: Launch, names: Collection[str]) -> Program | None:
    """The program of one of these names that a command runs; `None` where it is no word of its own, in a shell's `-c` say."""
    return _named(Program(launch.argv, 0, launch.env, launch.cwd), names)


def split(argv: tuple[str, ...], names: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The program of one of these names with whatever starts it, and its own arguments; the first is empty where there is none."""
    found = _named(Program(argv, 0), names)
    return (found.runner, found.arguments) if found is not None else ((), argv)


def _named(first: Program, names: Collection[str]) -> Program | None:
    """What starts it may be nothing we know, a script of somebody's: then it is the first word that could be it."""
    program = _behind_starters(first)
    if program is None or program.name in names:
        return program
    later = range(program.at + 1, len(program.argv))
    return next((replace(program, at=at) for at in later if _could_be(program.argv, at, names)), None)


def _could_be(argv: Sequence[str], at: int, names: Collection[str]) -> bool:
    return "=" not in argv[at] and _name(argv[at]) in names and not _SHELLS_COMMAND.fullmatch(argv[at - 1])


def _behind_starters(program: Program) -> Program | None:
    while program.at < len(program.argv):
        starter = _STARTERS.get(program.name)
        if starter is None:
            return program
        behind = _behind(starter, replace(program, at=program.at + 1))
        if behind is None:
            return None
        program = behind
    return None


def _behind(starter: _Starter, program: Program) -> Program | None:
    """What it starts, seen from the first word behind it: without its options, the variables it sets, its own words."""
    argv, is_over = program.argv, False
    while program.at < len(argv):
        word = argv[program.at]
        if word.startswith("-") and not is_over:
            is_over = word == "--"
            for option, joined in () if is_over else _options(word, starter):
                if option in starter.hides:
                    return None
                is_apart = option in starter.takes and not joined
                program = replace(program, at=program.at + is_apart)
                value = "".join(argv[program.at : program.at + 1]) if is_apart else joined
                program = _told(program, starter, option, value)
        elif starter.assigns and "=" in word:
            name, _, value = word.partition("=")
            program = replace(program, env={**program.env, name: value})
        else:
            break
        program = replace(program, at=program.at + 1)
    return replace(program, at=program.at + starter.figures)


def _options(word: str, starter: _Starter) -> Iterator[tuple[str, str]]:
    """Each with what is joined to it: `-iC/tmp`, `--chdir=/tmp`."""
    if word == "-" or word.startswith("--"):
        name, _, joined = word.partition("=")
        yield name, joined
        return
    for end, letter in enumerate(word[1:], start=2):
        takes_the_rest = f"-{letter}" in starter.takes
        yield f"-{letter}", word[end:] if takes_the_rest else ""
        if takes_the_rest:
            return


def _told(program: Program, starter: _Starter, option: str, value: str) -> Program:
    """The program after its starter was given that option."""
    if option in starter.clears:
        return replace(program, env={})
    if option in starter.unsets:
        return replace(program, env={name: kept for name, kept in program.env.items() if name != value})
    if option in starter.moves:
        return replace(program, cwd=str(PurePath(program.cwd, value)))
    return program


def _name(word: str) -> str:
    name = PurePath(word).name
    return name[:1] + name[1:].partition("@")[0]
