"""What commands share: JSON, the exit code of what goes wrong, and for those about a session which one is meant, and its token."""

import asyncio
import os
import re
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

import click
import msgspec
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from coop import errors
from coop.cli.looks import harmless, one_line
from coop.client.address import address_of
from coop.client.finding import find, sessions
from coop.wire.errors import encode_error
from coop.wire.text import encode

if TYPE_CHECKING:
    from coop.client.api import Api

T = TypeVar("T")
HERE = "."
"""Stands for the session this runs in, or the only one, where a word must be given."""
_TO_CONNECT = 1.0
_NO_TEXTS = ("session", "subject", "token")
"""A session and a recording may be paths, which are any bytes; of a token nothing is to be shown."""


class Exit(IntEnum):
    """How a command about a session ends."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    UNREACHABLE = 3
    FORBIDDEN = 4
    TIMED_OUT = 5
    EXITED = 6
    UNVERIFIED = 7
    INTERNAL = 70
    UNWRITTEN = 74
    INTERRUPTED = 130


MEANINGS: Mapping[Exit, str] = {
    Exit.DONE: "done",
    Exit.REFUSED: "refused, and nothing was typed: the agent is busy, asks nothing, asks something else",
    Exit.USAGE: "the command line is wrong",
    Exit.UNREACHABLE: "no such session, or it does not answer",
    Exit.FORBIDDEN: "no token or a wrong one, or a session's own process typing into it",
    Exit.TIMED_OUT: "it did not come in time",
    Exit.EXITED: "the child has exited",
    Exit.UNVERIFIED: "typed, but nothing shows that the agent took it",
    Exit.INTERNAL: "a bug of coop",
    Exit.UNWRITTEN: "what it had to tell could not be written to stdout; what was asked is done",
    Exit.INTERRUPTED: "interrupted",
}
_BY_ERROR: tuple[tuple[type[errors.CoopError], Exit], ...] = (
    (errors.Unverified, Exit.UNVERIFIED),
    (errors.NoSuchSession, Exit.UNREACHABLE),
    (errors.Unreachable, Exit.UNREACHABLE),
    (errors.Unauthorized, Exit.FORBIDDEN),
    (errors.Forbidden, Exit.FORBIDDEN),
    (errors.TimedOut, Exit.TIMED_OUT),
    (errors.Exited, Exit.EXITED),
    (errors.BadRequest, Exit.USAGE),
    (errors.ConfigError, Exit.USAGE),
    (errors.BadRecording, Exit.USAGE),
    (errors.Internal, Exit.INTERNAL),
)
_WHAT_TO_DO: Mapping[type[errors.CoopError], str] = {
    errors.Unauthorized: "give --token, --token-file or COOP_TOKEN",
    errors.Unreachable: "coop ls shows what runs here",
    errors.NoDriver: "start coop with --agent, or use coop type and coop keys",
}
_WHILE_BUSY: Mapping[str, str] = {
    "working": "coop wait tells when it is idle; or give --when queue, interrupt or steer",
    "waiting_for_input": "wait for the other's end, or give --when queue",
    "starting": "coop wait tells when it is ready",
    **dict.fromkeys(("permission_prompt", "plan_prompt", "ask_user", "setup_prompt"), "answer it with coop respond"),
}
"""What to do about an agent that is in that state."""
_ADVICE = re.compile(r"; .*|: send '.*", re.DOTALL)
"""What a message of the API says is to be done: it speaks to programs."""


def exit_of(error: errors.CoopError) -> Exit:
    return next((code for kind, code in _BY_ERROR if isinstance(error, kind)), Exit.REFUSED)


def words_of(error: errors.CoopError) -> str:
    """What is the matter, and what to do about it with commands."""
    advice = next((words for kind, words in _WHAT_TO_DO.items() if isinstance(error, kind)), None)
    if isinstance(error, errors.Silent):
        advice = what_to_do_about(error.socket)
    if isinstance(error, errors.AgentBusy):
        advice = _WHILE_BUSY.get(error.state)
    return f"{_ADVICE.sub('', error.message)}; {advice}" if advice is not None else error.message


def what_to_do_about(path: str | None) -> str | None:
    """By hand, with the coop that listens on a Unix socket and does not answer; `None` when it is not known which that is."""
    pid = _listener(path) if path is not None else None
    if pid is None:
        return None
    from coop.session.processes import is_stopped

    if is_stopped(pid):
        return f"its coop, pid {pid}, was stopped: kill -CONT {pid} lets it go on"
    return f"its coop is pid {pid}: kill {pid} ends it, or kill -9 {pid} when it hangs"


def _listener(path: str) -> int | None:
    from coop.session.processes import behind

    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_TO_CONNECT)
        probe.connect(path)
        return behind(probe)
    return None


@dataclass(frozen=True, slots=True)
class Door:
    """Where a session is, and what opens it."""

    url: str
    token: str | None

    @asynccontextmanager
    async def open(self) -> "AsyncGenerator[Api]":
        from coop.client.api import Api

        api = Api(address_of(self.url), self.token, None)
        try:
            yield api
        finally:
            await api.close()

    def ask(self, question: "Callable[[Api], Coroutine[Any, Any, T]]") -> T:
        """The answer to what is asked of the session, all of it on one connection."""

        async def asked() -> T:
            async with self.open() as api:
                return await question(api)

        return asyncio.run(asked())


class ForScripts(click.Command):
    """A command with `--json`. What goes wrong is a line on stderr, with `--json` an error of the API on stdout, and an exit code."""

    json_is = "Print JSON."

    def __init__(self, name: str | None, *, params: list[click.Parameter] | None = None, **kwargs: Any) -> None:
        as_json = click.Option(["--json", "as_json"], is_flag=True, help=self.json_is)
        super().__init__(name, params=[*(params or ()), as_json], **kwargs)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """A mistake on the command line is told as all else is; whether by JSON, only the words themselves can say."""
        is_json = "--json" in args[: args.index("--") if "--" in args else None]
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as mistake:
            path = mistake.ctx.command_path if mistake.ctx is not None else info_name or ""
            told = errors.BadRequest(f"{one_line(mistake.format_message()).rstrip('.')}; {path} --help tells how it is used")
            self._say(path, told, as_json=is_json)
            raise click.exceptions.Exit(Exit.USAGE) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            for name, words in _texts(ctx):
                _refuse_no_text(name, words)
            return self.perform(ctx)
        except errors.CoopError as error:
            self._tell(ctx, error)
        except ExceptionGroup as group:
            told, _ = group.split(errors.CoopError)
            if told is None:
                raise
            self._tell(ctx, _first(told))
        except TimeoutError as late:
            self._tell(ctx, errors.TimedOut(str(late)))
        except (KeyboardInterrupt, click.Abort):
            ctx.exit(Exit.INTERRUPTED)

    def perform(self, ctx: click.Context) -> Any:
        return super().invoke(ctx)

    def _tell(self, ctx: click.Context, error: errors.CoopError) -> NoReturn:
        self._say(ctx.command_path, error, as_json=bool(ctx.params.get("as_json")))
        ctx.exit(exit_of(error))
        raise AssertionError("it has exited")

    def _say(self, who: str, error: errors.CoopError, *, as_json: bool) -> None:
        """Programs are told what the API said, people what they can do."""
        if as_json:
            click.echo(encode_error(error))
        click.echo(harmless(f"{who}: {self.words(error)}"), err=True)

    def words(self, error: errors.CoopError) -> str:
        return error.message


class Asking(ForScripts):
    """A command that talks to sessions: SESSION and the token become a `door`; without SESSION the token is handed on."""

    json_is = "Print JSON, with the names of the API."

    def __init__(self, name: str | None, *, params: list[click.Parameter] | None = None, **kwargs: Any) -> None:
        token = [click.Option(["--token"], **_TOKEN), click.Option(["--token-file"], **_TOKEN_FILE)]
        super().__init__(name, params=[*(params or ()), *token], **kwargs)

    def perform(self, ctx: click.Context) -> Any:
        token = given_token(ctx, ctx.params.pop("token"), ctx.params.pop("token_file"))
        if "session" in ctx.params:
            ctx.params["door"] = self.found(ctx, ctx.params.pop("session"), token)
        else:
            ctx.params["token"] = token
        return super().perform(ctx)

    def words(self, error: errors.CoopError) -> str:
        return words_of(error)

    def found(self, ctx: click.Context, word: str | None, token: str | None) -> Door:
        """Only by its whole name: what is done to a session is done to no other. Raises `NoSuchSession`."""
        return door_of(word, token)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code.value), meaning) for code, meaning in MEANINGS.items()])


class Looking(Asking):
    """One that does nothing to a session: the beginning of its name will do."""

    def found(self, ctx: click.Context, word: str | None, token: str | None) -> Door:
        """Raises `NoSuchSession`."""
        return door_of(word, token, may_be_begun=True)


_TOKEN: dict[str, Any] = {
    "envvar": ["COOP_TOKEN", "COOP_AUTH_TOKEN"],
    "metavar": "TOKEN",
    "help": "What opens the session.  [env: COOP_TOKEN]",
}
_TOKEN_FILE: dict[str, Any] = {
    "envvar": "COOP_TOKEN_FILE",
    "type": click.Path(path_type=Path),
    "metavar": "PATH",
    "help": "The same, from a file.",
}


def token_options(command: Callable[..., None]) -> Callable[..., None]:
    """`token` and `token_file`, for a command that is no `Asking`; see `given_token`."""
    return click.option("--token", **_TOKEN)(click.option("--token-file", **_TOKEN_FILE)(command))


def given_token(ctx: click.Context, token: str | None, path: Path | None) -> str | None:
    """The command line counts before the environment. Raises `ConfigError` for two, and for a file that has none."""
    is_given = [ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in ("token", "token_file")]
    if all(is_given):
        raise errors.ConfigError("--token and --token-file: give one of them")
    if path is None or (token is not None and is_given != [False, True]):
        return token
    return token_from(path)


def door_of(word: str | None, token: str | None, *, may_be_begun: bool = False) -> Door:
    """Raises `NoSuchSession`."""
    return Door(find(None if word == HERE else word, os.environ, may_be_begun=may_be_begun), token)


def token_from(path: Path) -> str:
    try:
        token = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise errors.ConfigError(f"--token-file {path}: {getattr(error, 'strerror', None) or error}") from None
    if not token:
        raise errors.ConfigError(f"--token-file {path}: the file is empty")
    return token


def complete_session_or_file(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A shell that is told of both offers files only where no session fits, or says so itself."""
    return [CompletionItem(incomplete, type="file"), *complete_session(ctx, param, incomplete)]


def _first(group: ExceptionGroup[errors.CoopError]) -> errors.CoopError:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, ExceptionGroup) else first


def complete_session(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of the sessions there are; a completion must not fail."""
    with suppress(OSError, errors.CoopError):
        return [CompletionItem(each.name) for each in sessions(os.environ) if each.name.startswith(incomplete)]
    return []


session = click.argument("session", required=False, shell_complete=complete_session)
"""Which session; the command gets a `door` to it. Without a word it is the one this runs in, or the only one."""
named_session = click.argument("session", shell_complete=complete_session)
"""The same before other words, where it must be given, if only as a dot."""


def echo_json(body: object) -> None:
    """One line for programs; on a terminal, lines for people."""
    encoded = encode(body)
    click.echo(msgspec.json.format(encoded) if sys.stdout.isatty() else encoded)


def words_from(text: str) -> str:
    """Standard input, where the text is `-`. Raises `BadRequest`."""
    return text_of(sys.stdin.read) if text == "-" else text


def text_of(read: Callable[[], str]) -> str:
    """What is read from standard input. Raises `BadRequest` for what is no text."""
    try:
        words = read()
    except UnicodeDecodeError as error:
        raise _no_text("standard input", error.object[error.start]) from None
    _refuse_no_text("standard input", words)
    return words


def _refuse_no_text(name: str, words: str) -> None:
    """Bytes of no character are there as lone surrogates, and nothing that takes text takes them."""
    try:
        words.encode()
    except UnicodeEncodeError as error:
        raise _no_text(name, ord(words[error.start]) & 0xFF) from None


def _no_text(name: str, byte: int) -> errors.BadRequest:
    return errors.BadRequest(f"{name}: expected text in UTF-8, got the byte 0x{byte:02x}; iconv makes UTF-8 of other text")


def _texts(ctx: click.Context) -> Iterator[tuple[str, str]]:
    """What was said that has to be text, by the names of options and arguments."""
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        name = param.opts[-1] if isinstance(param, click.Option) else param.human_readable_name
        said = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        if param.name not in _NO_TEXTS:
            yield from ((name, each) for each in said if isinstance(each, str))
