"""The `coop` command."""

import os
import sys
from collections.abc import Mapping
from typing import NoReturn

from coop import __version__


def main() -> NoReturn:
    """Runs what the command line says. Heavy imports wait until it is known what they are for."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        print(f"coop {__version__}")
        sys.exit(0)
    from coop.cli.command import command

    before, after = _split(arguments)
    around = Invocation(after, nested=os.environ.get("COOP") == "1")
    command.main(before, prog_name="coop", obj=around, color=False if is_plain(os.environ) else None)


def is_plain(env: Mapping[str, str]) -> bool:
    """Does somebody want no colours, even on a terminal?"""
    return bool(env.get("NO_COLOR")) or env.get("TERM") == "dumb"


class Invocation:
    """What stands around the options: the child's command, and whether coop itself runs in a session."""

    def __init__(self, command: tuple[str, ...] | None, *, nested: bool) -> None:
        self.command = command
        self.nested = nested


def _split(arguments: list[str]) -> tuple[list[str], tuple[str, ...] | None]:
    """At the first `--`; `None` where there is none. What begins with a bare word is a subcommand's, which has its own."""
    if "--" not in arguments or not arguments[0].startswith("-"):
        return arguments, None
    at = arguments.index("--")
    return arguments[:at], tuple(arguments[at + 1 :])


if __name__ == "__main__":
    main()
