"""Claude's command line as one frozen value."""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from coop_sim.claude.versions import LATEST, VERSIONS, Version

MODES = ("acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "manual", "plan")
_TAKEN_AND_IGNORED = (
    "--model --fallback-model --effort --agents --agent --append-system-prompt --system-prompt --mcp-config --add-dir "
    "--allowedTools --allowed-tools --disallowedTools --disallowed-tools --tools --max-turns --permission-prompt-tool "
    "--input-format --setting-sources --plugin-dir --debug-file --name"
).split()
_SWITCHES_IGNORED = "--strict-mcp-config --include-partial-messages --replay-user-messages --ide --debug --bare".split()


@dataclass(frozen=True, slots=True)
class Options:
    version: Version
    env: Mapping[str, str]
    cwd: Path
    scenario: Path | None = None
    session_id: str | None = None
    resume: str | None = None
    continues: bool = False
    forks: bool = False
    mode: str | None = None
    """The permission mode the flags ask for."""
    settings: tuple[str, ...] = ()
    prints: bool = False
    output_format: str = "text"
    is_verbose: bool = False
    shows_version: bool = False
    prompt: str | None = None

    @property
    def home(self) -> Path:
        return Path(self.env.get("HOME", "/"))

    @property
    def config_dir(self) -> Path:
        return Path(self.env.get("CLAUDE_CONFIG_DIR") or self.home / ".claude")


class BadFlags(ValueError):
    """What the real one says on stderr before it exits with 1."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadFlags(f"error: {message}")


def _parser() -> _Parser:
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("--sim-version", choices=VERSIONS, default=LATEST.number)
    parser.add_argument("--scenario", type=Path)
    parser.add_argument("--session-id")
    parser.add_argument("--resume", "-r", nargs="?", const="")
    parser.add_argument("--permission-mode", choices=MODES)
    parser.add_argument("--settings", action="append", default=[])
    parser.add_argument("--output-format", choices=("text", "json", "stream-json"), default="text")
    for flag, name in (("--continue", "-c"), ("--print", "-p"), ("--version", "-v"), ("--verbose", "--verbose")):
        parser.add_argument(flag, *({name} - {flag}), action="store_true")
    for flag in ("--fork-session", "--dangerously-skip-permissions", *_SWITCHES_IGNORED):
        parser.add_argument(flag, action="store_true")
    for flag in _TAKEN_AND_IGNORED:
        parser.add_argument(flag)
    parser.add_argument("prompt", nargs="?")
    return parser


def read_flags(arguments: Sequence[str], env: Mapping[str, str], cwd: Path) -> Options:
    given, unknown = _parser().parse_known_args(arguments)
    if unknown:
        raise BadFlags(f"error: unknown option '{unknown[0]}'")
    options = Options(
        version=VERSIONS[given.sim_version],
        env=env,
        cwd=cwd,
        scenario=given.scenario,
        session_id=given.session_id,
        resume=given.resume,
        continues=getattr(given, "continue"),
        forks=given.fork_session,
        mode="bypassPermissions" if given.dangerously_skip_permissions else _canonical(given.permission_mode),
        settings=tuple(given.settings),
        prints=given.print,
        output_format=given.output_format,
        is_verbose=given.verbose,
        shows_version=given.version,
        prompt=given.prompt,
    )
    _check(options, bypasses=given.dangerously_skip_permissions)
    return options


def _canonical(mode: str | None) -> str | None:
    return "default" if mode == "manual" else mode


def _check(options: Options, *, bypasses: bool) -> None:
    returns = options.continues or options.resume is not None
    if options.session_id and returns and not options.forks:
        raise BadFlags("Error: --session-id can only be used with --continue or --resume if --fork-session is also specified.")
    if bypasses and os.geteuid() == 0 and not options.env.get("IS_SANDBOX"):
        raise BadFlags("--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons")
    if options.prints and options.output_format == "stream-json" and not options.is_verbose:
        raise BadFlags("Error: When using --print, --output-format=stream-json requires --verbose")
