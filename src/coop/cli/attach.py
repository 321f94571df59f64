"""`coop attach`: a person's terminal onto a session."""

import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

import click

from coop.cli.reaching import complete_session, exit_of, given_token, token_options, words_of
from coop.errors import BadRequest, ConfigError, CoopError

if TYPE_CHECKING:
    from coop.cli.console.visit import Ended, Wishes
    from coop.client.address import Address

_KEY = "Ctrl-\\"
_FIRST_WITHIN, _AGAIN_WITHIN = 10.0, 2.0
_SLOW = 1.0
_NEAR, _FAR = 3.0, 60.0
"""How long a connection that was cut is tried again: by a Unix socket there is nothing in between that could come back."""


@click.command()
@click.argument("session", required=False, shell_complete=complete_session)
@click.option(
    "--detach-key", default=_KEY, metavar="KEY", show_default=True, help="Before d it leaves, twice it is sent; none is no key."
)
@click.option("--read-only", is_flag=True, help="Only look: nothing is typed, nothing is resized.")
@click.option("--no-resize", is_flag=True, help="Leave the session its size, and show what fits.")
@click.option("--no-status", is_flag=True, help="No line at the bottom: the session has the whole terminal.")
@token_options
def attach(
    session: str | None,
    detach_key: str,
    read_only: bool,
    no_resize: bool,
    no_status: bool,
    token: str | None,
    token_file: Path | None,
) -> None:
    """Open a session on this terminal.

    See it, type into it, and leave it with Ctrl-\\ d; it goes on without you. SESSION is its name, the beginning of one, a
    socket or a URL. The exit code is 0 when you left, the program's own when it has ended, 255 when the connection was lost;
    when there was none, that of every command. It is for a person, and has no --json: coop peek, state and events have.
    """
    try:
        wishes = _wishes(detach_key, types=not read_only, resizes=not no_resize, has_status=not no_status)
        ended = _attach(session, wishes, given_token(click.get_current_context(), token, token_file), os.environ)
    except CoopError as error:
        click.echo(f"coop attach: {words_of(error)}", err=True)
        sys.exit(exit_of(error))
    click.echo(f"[{ended.words}]")
    sys.exit(ended.code)


def _attach(session: str | None, wishes: "Wishes", token: str | None, env: Mapping[str, str]) -> "Ended":
    """Connects first, so that what is wrong is said on a terminal that nobody has touched."""
    from dataclasses import replace

    from coop.cli.console.glass import glass
    from coop.cli.console.loop import attend
    from coop.cli.console.visit import Visit
    from coop.client.address import address_of
    from coop.client.channel import Channel
    from coop.client.finding import find

    address = address_of(find(session, env, may_be_begun=True))
    _refuse_own(address, env)
    wishes = replace(wishes, patience=_NEAR if address.socket else _FAR, minds_silence=not address.socket)
    with _told_when_slow(_name(address)):
        channel = Channel(address, token, "/ws?mode=terminal", within=_FIRST_WITHIN)
    with glass() as terminal:
        visit = Visit(_name(address), wishes, terminal.size())
        return attend(visit, terminal, channel, lambda: Channel(address, token, "/ws?mode=terminal", within=_AGAIN_WITHIN))


@contextmanager
def _told_when_slow(name: str) -> Generator[None]:
    """On a terminal, what is waited for."""
    timer = Timer(_SLOW, click.echo, (f"connecting to {name}…",), {"err": True})
    if sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if timer.ident is not None:
            timer.join()


def _wishes(key: str, *, types: bool, resizes: bool, has_status: bool) -> "Wishes":
    from coop.cli.console.visit import Wishes

    return Wishes(_control_character(key), key, resizes=resizes, types=types, has_status=has_status)


def _control_character(key: str) -> int | None:
    from coop.terminal.keys import encode_keys

    if key.lower() == "none":
        return None
    try:
        encoded = encode_keys((key,), frozenset())
    except BadRequest:
        encoded = b""
    if len(encoded) != 1 or encoded[0] >= ord(" ") or encoded in (b"\r", b"\t", b"\x1b"):
        raise ConfigError(f"--detach-key {key!r}: expected a key with Ctrl, like Ctrl-\\, Ctrl-] or Ctrl-B, or none")
    return encoded[0]


def _refuse_own(address: "Address", env: Mapping[str, str]) -> None:
    """What the session shows would be shown in it, and again in that, without end."""
    own = env.get("COOP_SOCKET")
    if env.get("COOP") == "1" and own and address.socket and os.path.realpath(address.socket) == os.path.realpath(own):
        raise ConfigError("this is the session you are in; attach to it from a terminal outside of it, or name another")


def _name(address: "Address") -> str:
    return Path(address.socket).stem if address.socket else address.url.partition("://")[2]
