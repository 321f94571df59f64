"""The `coop` command."""

import os
import sys
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
    command.main(before, prog_name="coop", obj=Invocation(after, nested=os.environ.get("COOP") == "1"))


class Invocation:
    """What stands around the options: the child's command, and whether coop itself runs in a session."""

    def __init__(self, command: tuple[str, ...] | None, *, nested: bool) -> None:
        self.command = command
        self.nested = nested


def _split(arguments: list[str]) -> tuple[list[str], tuple[str, ...] | None]:
    """At the first `--`; `None` where there is none."""
    if "--" not in arguments:
        return arguments, None
    at = arguments.index("--")
    return arguments[:at], tuple(arguments[at + 1 :])


if __name__ == "__main__":
    main()
