"""The `coop` command."""

import os
import sys
from collections.abc import Mapping
from typing import NoReturn, cast

from coop import __version__
from coop.cli.stdout import Unwritable, nowhere, standard_output


def main() -> NoReturn:
    """Runs what the command line says; what nobody has caught is a line, and an exit code of its own."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115 - it was closed, and is open as long as we are
    sys.stdout = standard_output()
    sys.stderr = sys.stderr or nowhere(2)
    try:
        _run(sys.argv[1:])
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        sys.exit(_failed(error))
    sys.exit(0)


def _run(arguments: list[str]) -> None:
    """Heavy imports wait until it is known what they are for."""
    if arguments in (["--version"], ["-V"]):
        print(f"coop {__version__}", flush=True)
        return
    import click

    from coop.cli.command import command

    before, after = _split(arguments)
    around = Invocation(after, nested=os.environ.get("COOP") == "1", arguments=tuple(arguments))
    color = False if is_plain(os.environ) else None
    try:
        code: object = command.main(before, prog_name="coop", obj=around, standalone_mode=False, color=color)
    except click.UsageError as mistake:
        who = mistake.ctx.command_path if mistake.ctx is not None else "coop"
        _complain(f"{who}: {mistake.format_message().rstrip('.')}; {who} --help tells how it is used")
        code = mistake.exit_code
    except (click.Abort, KeyboardInterrupt):
        from coop.cli.reaching import Exit

        code = Exit.INTERRUPTED
    sys.exit(code if isinstance(code, int) else 0)


def _failed(error: Exception) -> int:
    """Says what has happened. A session that was served has a log, which says where, too: it cannot be tried again."""
    import logging

    from coop.cli.reaching import Exit

    error = _innermost(error)
    if isinstance(error, Unwritable):
        _complain("" if error.is_hung_up else f"coop: cannot write to stdout: {error}")
        return Exit.UNWRITTEN
    if (log := logging.getLogger("coop")).hasHandlers():
        log.critical("coop failed", exc_info=error)
    _complain(f"coop: a bug of coop: {type(error).__name__}: {error}; with PYTHONDEVMODE=1 it shows where")
    return Exit.INTERNAL


def _innermost(error: Exception) -> Exception:
    """Of what failed among tasks, the first."""
    if not isinstance(error, ExceptionGroup):
        return error
    return _innermost(cast("ExceptionGroup[Exception]", error).exceptions[0])


def _complain(words: str) -> None:
    if words:
        print(" ".join(words.split()), file=sys.stderr)


def is_plain(env: Mapping[str, str]) -> bool:
    """Does somebody want no colours, even on a terminal?"""
    return bool(env.get("NO_COLOR")) or env.get("TERM") == "dumb"


class Invocation:
    """What stands around the options: the child's command, whether coop itself runs in a session, and all of the words."""

    def __init__(self, command: tuple[str, ...] | None, *, nested: bool, arguments: tuple[str, ...] = ()) -> None:
        self.command = command
        self.nested = nested
        self.arguments = arguments

    @property
    def names_subcommand(self) -> bool:
        return bool(self.arguments) and not self.arguments[0].startswith("-")


def _split(arguments: list[str]) -> tuple[list[str], tuple[str, ...] | None]:
    """At the first `--`; `None` where there is none. What begins with a bare word is a subcommand's, which has its own."""
    if "--" not in arguments or not arguments[0].startswith("-"):
        return arguments, None
    at = arguments.index("--")
    return arguments[:at], tuple(arguments[at + 1 :])


if __name__ == "__main__":
    main()
