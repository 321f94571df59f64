"""The options of `coop`, their help, and what becomes of them."""

import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from coop import __version__
from coop.cli.detach import READY_FD, detach
from coop.cli.main import Invocation
from coop.cli.options import Options
from coop.cli.seconds import Seconds
from coop.cli.subcommands import SUBCOMMANDS
from coop.cli.whole import Whole
from coop.errors import ConfigError, CoopError, LaunchFailed

_COLUMN = 30
DEFAULTS = Options(command=())
EPILOG = """\
coop -- bash                                     a shell, found by its name on this machine
coop --port 8080 --agent claude -- claude        Claude Code, with its states and prompts
coop --port 0 --agent-config repl.toml -- psql   any free port; states from screen patterns
coop --agent claude --attach tmux:work           what runs in tmux already, left alone at the end
coop -d --name fix --agent claude -- claude      goes on without this terminal; coop attach fix

coop nudge claude-41 "Fix the login bug"         tell an agent something; coop ls has the names
coop respond claude-41                           see what it asks, and answer

Every setting can also come from the environment: --idle-grace is COOP_IDLE_GRACE.
The API is described at GET /openapi.json; the child's exit code is coop's. Subcommands have
exit codes of their own: coop SUBCOMMAND --help tells them.
"""


class SettingOption(click.Option):
    """An option with an environment variable, which counts only outside of a session: inside, it describes the parent."""

    def __init__(self, *args: Any, group: str, tells_empty: bool = False, **kwargs: Any) -> None:
        """`tells_empty`: a variable that is there and empty is a mistake, and not as good as none."""
        self.group = group
        self._tells_empty = tells_empty
        super().__init__(*args, **kwargs)

    def get_help_extra(self, ctx: click.Context) -> Any:
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)  # an error says it when it matters
        return extra

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        if ctx.obj is not None and ctx.obj.nested:
            return None
        matters = self._tells_empty and not (ctx.obj is not None and ctx.obj.names_subcommand)
        if matters and isinstance(self.envvar, str) and os.environ.get(self.envvar) == "":
            raise click.UsageError(f"{self.envvar} is empty; give it a value, or take it out of the environment", ctx)
        return super().resolve_envvar_value(ctx)


class CoopGroup(click.Group):
    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage("coop", "[OPTIONS] -- COMMAND [ARGS…]")
        formatter.write_usage("coop", "SUBCOMMAND …", prefix="       ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        groups: dict[str, list[tuple[str, str]]] = {}
        for option in self.get_params(ctx):
            if (record := option.get_help_record(ctx)) is not None:
                groups.setdefault(getattr(option, "group", "Other"), []).append(record)
        for name, records in groups.items():
            with formatter.section(click.style(name, bold=True)):
                formatter.write_dl(
                    [(f"{names:<{_COLUMN - 4}}", text) for names, text in records], col_max=_COLUMN, col_spacing=2
                )

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*SUBCOMMANDS, *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        lazy = SUBCOMMANDS.get(cmd_name)
        return lazy.load() if lazy is not None else super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for each in SUBCOMMANDS.values():
            sections.setdefault(each.section, []).append((each.name, each.says))
        for name, own in self.commands.items():
            sections.setdefault("More", []).append((name, own.get_short_help_str()))
        for title, records in sections.items():
            with formatter.section(click.style(title, bold=True)):
                formatter.write_dl([(f"{name:<{_COLUMN - 4}}", says) for name, says in records], col_max=_COLUMN)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(click.style("Examples", bold=True)):
            for line in EPILOG.splitlines():
                formatter.write(f"  {line}\n" if line else "\n")

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None:
            from difflib import get_close_matches

            near = get_close_matches(args[0], SUBCOMMANDS, n=1)
            meant = f"did you mean coop {near[0]}? " if near else ""
            program = f"to run a program put it after --: coop -- {shlex.join(args)}"
            raise click.UsageError(f"no subcommand is named {args[0]!r}; {meant}{program}")
        return super().resolve_command(ctx, args)


def _setting(group: str, *names: str, **kwargs: Any) -> Callable[[Any], Any]:
    variable = "COOP_" + names[0].removeprefix("--").replace("-", "_").upper()
    return click.option(*names, cls=SettingOption, group=group, envvar=variable, **kwargs)


def _complete_agent(_ctx: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    from coop.agents import installed_agents

    return [name for name in (*installed_agents(), "unknown", "auto") if name.startswith(begun)]


_PORT = Whole(0, 65535)
_SIDE = Whole(1, 2000)
_FILE = click.Path(path_type=Path)


@click.group(cls=CoopGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@_setting("Listen", "--port", type=_PORT, metavar="PORT", help="Serve on this TCP port; 0 takes any free one.")
@_setting("Listen", "--host", default=DEFAULTS.host, metavar="ADDR", show_default=True, help="Address for --port, --grpc-port.")
@_setting("Listen", "--grpc-port", type=_PORT, metavar="PORT", help="Serve gRPC on this TCP port; 0 takes any free one.")
@_setting("Listen", "--socket", type=_FILE, metavar="PATH", help="Serve on this Unix socket too.")
@_setting("Listen", "--health-port", type=_PORT, metavar="PORT", help="Serve /livez, /readyz and /healthz here.")
@_setting(
    "Listen",
    "--health-host",
    default=DEFAULTS.health_host,
    metavar="ADDR",
    show_default=True,
    help="Address for --health-port.",
)
@_setting("Access", "--auth-token", tells_empty=True, metavar="TOKEN", help="Require this token on every listener.")
@_setting(
    "Access",
    "--auth-token-file",
    tells_empty=True,
    type=_FILE,
    metavar="PATH",
    help="The same, read from a file: not seen in the process list.",
)
@_setting("Access", "--allowed-host", multiple=True, metavar="NAME", help="Answer to this Host name too. Repeatable.")
@_setting("Access", "--insecure-no-auth", is_flag=True, help="Serve a non-loopback --host without a token.")
@_setting("Access", "--allow-self", is_flag=True, help="Let the session's own processes type into it.")
@_setting(
    "Agent",
    "--agent",
    default=DEFAULTS.agent,
    metavar="TYPE",
    show_default=True,
    shell_complete=_complete_agent,
    help="What kind of agent the command is: claude, codex, gemini…, unknown, or auto.",
)
@_setting("Agent", "--resume", metavar="HINT", help="Go on with a session: its log, its id, a workspace, or a part of one.")
@_setting(
    "Agent",
    "--answer-by",
    type=click.Choice(["hook", "keys"]),
    metavar="WAY",
    help="Answer permissions by the hook that asks, or by keys.  [default: the agent's best]",
)
@_setting("Agent", "--skip-startup-prompts", is_flag=True, help="Accept trust and other start-up dialogs; never a login.")
@_setting("Agent", "--dialogs", type=_FILE, metavar="PATH", help="Dialog signatures (TOML) newer than this release's.")
@_setting("Agent", "--agent-config", type=_FILE, metavar="PATH", help="Screen patterns (TOML) to tell the agent's state by.")
@_setting(
    "Agent",
    "--idle-grace",
    type=Seconds(0),
    default=60,
    metavar="SECS",
    show_default=True,
    help="How long a quiet prompt must last to count as idle.",
)
@_setting(
    "Session",
    "--attach",
    metavar="SPEC",
    help="Serve what runs already: tmux:TARGET or screen:NAME.",
)
@_setting("Session", "--detach", "-d", is_flag=True, help="Return when it listens; it needs no terminal, and logs to a file.")
@_setting("Session", "--name", metavar="NAME", help="Find the session by this name.  [default: COMMAND-PID]")
@_setting("Session", "--label", multiple=True, metavar="KEY=VALUE", help="Attach a label. Repeatable.")
@_setting("Session", "--record", metavar="PATH", help="Write the session down: to a file, or into a directory.")
@_setting("Session", "--keep-alive", is_flag=True, help="Go on serving when the child has exited.")
@_setting(
    "Session",
    "--idle-timeout",
    type=Seconds(0),
    default=0,
    metavar="SECS",
    help="End the session when unused for so long.  [default: never]",
)
@_setting("Terminal", "--cols", type=_SIDE, default=DEFAULTS.cols, metavar="N", show_default=True, help="Width.")
@_setting("Terminal", "--rows", type=_SIDE, default=DEFAULTS.rows, metavar="N", show_default=True, help="Height.")
@_setting("Terminal", "--term", default=DEFAULTS.term, metavar="TERM", show_default=True, help="TERM for the child.")
@_setting(
    "Terminal",
    "--ring-size",
    type=Whole(4096, 1 << 30),
    default=DEFAULTS.ring_size,
    metavar="BYTES",
    show_default=True,
    help="How much raw output is kept.",
)
@_setting(
    "Terminal",
    "--scrollback",
    type=Whole(0, 1_000_000),
    default=DEFAULTS.scrollback,
    metavar="N",
    show_default=True,
    help="How many rows that scrolled away are kept.",
)
@_setting(
    "Logs",
    "--log-format",
    type=click.Choice(["json", "text"]),
    metavar="FMT",
    help="json for programs, text for people.  [default: text on a terminal]",
)
@_setting(
    "Logs",
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    metavar="LVL",
    default="info",
    show_default=True,
    help="debug, info, warning or error.",
)
@_setting("Logs", "--otel", is_flag=True, help="Send traces to where the OTEL_* variables say.")
@click.option(READY_FD, type=int, hidden=True)
@click.version_option(__version__, "-V", "--version", prog_name="coop", message="%(prog)s %(version)s")
@click.pass_context
def command(ctx: click.Context, /, **settings: Any) -> None:
    """Runs a program on a terminal and serves that terminal: its screen, its output, its state, its keyboard."""
    if ctx.invoked_subcommand is not None:
        return
    try:
        invocation: Invocation = ctx.obj
        if settings.pop("detach") and settings["ready_fd"] is None:
            sys.exit(detach(invocation.arguments))
        sys.exit(_run(_options(invocation.command, settings)))
    except CoopError as error:
        click.echo(f"coop: {error.message}", err=True)
        sys.exit(127 if isinstance(error, LaunchFailed) else 2)


def _run(options: Options) -> int:
    from coop.cli.logs import set_up
    from coop.cli.run import run

    set_up(options.log_format, options.log_level)
    return run(options, dict(os.environ))


def _options(argv: tuple[str, ...] | None, settings: dict[str, Any]) -> Options:
    attach = settings["attach"]
    if argv and attach is not None:
        raise ConfigError(f"--attach {attach} serves what runs there already; leave the command out, or leave out --attach")
    if not argv and attach is None:
        raise ConfigError("nothing to run; put the command after --, as in: coop --port 8080 -- bash   (coop --help says more)")
    if argv and not argv[0]:
        raise ConfigError("the command after -- is an empty word; name a program, as in: coop -- bash")
    token_file: Path | None = settings.pop("auth_token_file")
    if token_file is not None:
        settings["auth_token"] = _token_from(token_file, settings["auth_token"])
    if settings["auth_token"] == "":
        raise ConfigError("--auth-token is empty; give a token, or leave the option out")
    if settings["auth_token"] is not None and not _is_sendable(settings["auth_token"]):
        raise ConfigError(
            "--auth-token: expected characters that can be printed and sent, no blanks around them; give another token"
        )
    labels = tuple(_label(label) for label in settings.pop("label"))
    return Options(command=argv or (), labels=labels, allowed_hosts=settings.pop("allowed_host"), **settings)


def _is_sendable(token: str) -> bool:
    """In a header, whose ends are trimmed."""
    return token.isprintable() and token == token.strip()


def _token_from(path: Path, given: str | None) -> str:
    if given is not None:
        raise ConfigError("give --auth-token or --auth-token-file, not both")
    try:
        token = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--auth-token-file {path}: {getattr(error, 'strerror', None) or error}") from None
    if not token:
        raise ConfigError(f"--auth-token-file {path}: the file is empty")
    return token


def _is_text(text: str) -> bool:
    """Bytes of no character are there as lone surrogates, which no reply can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _label(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise ConfigError(f"--label {text!r}: expected KEY=VALUE")
    if not _is_text(text):
        raise ConfigError(f"--label {text!r}: expected text in UTF-8, got bytes that are none; iconv makes UTF-8 of other text")
    return key, value
