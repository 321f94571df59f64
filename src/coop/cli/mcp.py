"""`coop mcp`: the sessions of this machine as tools for other agents."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from coop.cli.whole import Whole
from coop.errors import ConfigError, CoopError

_TOKEN = "COOP_MCP_TOKEN"
_FILE = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class Door:
    """Where the server listens, and to whom."""

    host: str
    port: int
    token: str
    allowed_hosts: frozenset[str]


@click.command()
@click.option(
    "--allow", default="read", metavar="SCOPES", show_default=True, help="What tools may do: read,nudge,respond,start."
)
@click.option("--program", multiple=True, metavar="NAME", help="What start may run; '*' is anything. Repeatable.")
@click.option("--http-port", type=Whole(0, 65535), metavar="PORT", help="Serve HTTP here, at /mcp, instead of stdio.")
@click.option("--host", default="127.0.0.1", metavar="ADDR", show_default=True, help="Address for --http-port.")
@click.option("--allowed-host", multiple=True, metavar="NAME", help="Answer to this Host name too. Repeatable.")
@click.option("--token-file", type=_FILE, metavar="PATH", help=f"The token --http-port asks for.  [default: ${_TOKEN}]")
@click.option(
    "--session-token-file",
    type=_FILE,
    metavar="PATH",
    help="The token of those sessions that have one.  [default: $COOP_AUTH_TOKEN]",
)
def mcp(
    allow: str,
    program: tuple[str, ...],
    http_port: int | None,
    host: str,
    allowed_host: tuple[str, ...],
    token_file: Path | None,
    session_token_file: Path | None,
) -> None:
    """Serve the sessions of this machine to other agents.

    By the Model Context Protocol, over stdio, or over HTTP with --http-port. Tools only look unless --allow says more, and
    never act on the session that they are called from.
    """
    env = dict(os.environ)
    try:
        names = frozenset(name.lower() for name in (host, *allowed_host))
        door = Door(host, http_port, _token(token_file, env), names) if http_port is not None else None
        _serve(allow, program, _session_token(session_token_file, env), door, env)
    except CoopError as error:
        click.echo(f"coop mcp: {error.message}", err=True)
        sys.exit(2)


def _serve(allow: str, programs: tuple[str, ...], token: str | None, door: Door | None, env: Mapping[str, str]) -> None:
    try:
        from coop.cli.mcp_serving import serve
    except ModuleNotFoundError as missing:
        package = str(missing.name).partition(".")[0]
        raise ConfigError(f"{package} is not installed; it comes with: pip install 'coop-agents[mcp]'") from None
    serve(allow, programs, token, door, env)


def _token(path: Path | None, env: Mapping[str, str]) -> str:
    token = _read(path, "--token-file") if path is not None else env.get(_TOKEN, "")
    if not token:
        raise ConfigError(f"--http-port needs a token that its clients send; set {_TOKEN}, or give --token-file")
    return token


def _session_token(path: Path | None, env: Mapping[str, str]) -> str | None:
    """The one with which sessions are started here will do, as it does for every command."""
    if path is not None:
        return _read(path, "--session-token-file")
    if token := env.get("COOP_AUTH_TOKEN"):
        return token
    return _read(Path(file), "COOP_AUTH_TOKEN_FILE") if (file := env.get("COOP_AUTH_TOKEN_FILE")) else None


def _read(path: Path, option: str) -> str:
    try:
        token = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{option} {path}: {getattr(error, 'strerror', None) or error}") from None
    if not token:
        raise ConfigError(f"{option} {path}: the file is empty")
    return token
