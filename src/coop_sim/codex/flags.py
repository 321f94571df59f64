"""Codex's command line as one frozen value."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

VERSION = "0.166.0"
_TAKEN_AND_IGNORED = (
    "--remote --remote-auth-token-env --image -i --local-provider --profile -p --add-dir --color --output-schema "
    "--output-last-message -o --disable"
).split()
_SWITCHES_IGNORED = "--no-daemon --search --oss --skip-git-repo-check --ephemeral".split()
_SUBCOMMANDS = ("resume", "fork", "exec", "e")


@dataclass(frozen=True, slots=True)
class Options:
    env: Mapping[str, str]
    cwd: Path
    scenario: Path | None = None
    settings: tuple[str, ...] = ()
    """What `-c` says."""
    features: frozenset[str] = frozenset()
    model: str | None = None
    sandbox: str = "workspace-write"
    approval: str = "on-request"
    bypasses_approvals: bool = False
    bypasses_hook_trust: bool = False
    has_alt_screen: bool = True
    is_headless: bool = False
    prints_json: bool = False
    goes_on: bool = False
    """Resumes a session: the one named, or the last."""
    forks: bool = False
    session: str | None = None
    prompt: str | None = None
    shows_version: bool = False

    @property
    def codex_home(self) -> Path:
        return Path(self.env.get("CODEX_HOME") or Path(self.env.get("HOME", "/"), ".codex"))

    @property
    def permission_mode(self) -> str:
        return "bypassPermissions" if self.bypasses_approvals or self.approval == "never" else "default"


class BadFlags(ValueError):
    """What is said on stderr before it exits with 2."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadFlags(f"error: {message}\n\nFor more information, try '--help'.")


def _parser() -> _Parser:
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("--sim-version", choices=[VERSION], default=VERSION)
    parser.add_argument("--scenario", type=Path)
    parser.add_argument("--config", "-c", action="append", default=[])
    parser.add_argument("--enable", action="append", default=[])
    parser.add_argument("--model", "-m")
    parser.add_argument("--cd", "-C", type=Path)
    parser.add_argument("--sandbox", "-s", choices=("read-only", "workspace-write", "danger-full-access"))
    parser.add_argument("--ask-for-approval", "-a", choices=("on-request", "never"), default="on-request")
    parser.add_argument("--dangerously-bypass-approvals-and-sandbox", "--yolo", action="store_true", dest="bypass")
    parser.add_argument("--dangerously-bypass-hook-trust", action="store_true", dest="bypass_hooks")
    parser.add_argument("--version", "-V", action="store_true")
    for flag in ("--no-alt-screen", "--json", "--experimental-json", "--last", *_SWITCHES_IGNORED):
        parser.add_argument(flag, action="store_true")
    for flag in _TAKEN_AND_IGNORED:
        parser.add_argument(flag, action="append")
    parser.add_argument("words", nargs="*")
    return parser


def read_flags(arguments: Sequence[str], env: Mapping[str, str], cwd: Path) -> Options:
    given = _parser().parse_intermixed_args(arguments)
    words = list(given.words)
    subcommand = words.pop(0) if words and words[0] in _SUBCOMMANDS else ""
    is_headless = subcommand in ("exec", "e")
    goes_on = subcommand in ("resume", "fork") or (is_headless and words[:1] == ["resume"])
    if is_headless and goes_on:
        words.pop(0)
    session = words.pop(0) if goes_on and words and not given.last else None
    return Options(
        env=env,
        cwd=(cwd / given.cd).resolve() if given.cd else cwd,
        scenario=given.scenario,
        settings=tuple(given.config),
        features=frozenset(given.enable),
        model=given.model,
        sandbox=given.sandbox or "workspace-write",
        approval="never" if is_headless else given.ask_for_approval,
        bypasses_approvals=given.bypass,
        bypasses_hook_trust=given.bypass_hooks,
        has_alt_screen=not given.no_alt_screen,
        is_headless=is_headless,
        prints_json=given.json or given.experimental_json,
        goes_on=goes_on,
        forks=subcommand == "fork",
        session=session,
        prompt=" ".join(words) or None,
        shows_version=given.version,
    )
