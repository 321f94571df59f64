"""`coop keys`: presses keys."""

import click

from coop.cli.reaching import Asking, Door, echo_json, named_session
from coop.wire.http import KeysRequest


@click.command(cls=Asking)
@named_session
@click.argument("keys", nargs=-1, required=True, metavar="KEY…")
def keys(door: Door, keys: tuple[str, ...], *, as_json: bool) -> None:
    """Press keys.

    One after the other: characters, Enter, Escape, Tab, Backspace, Up, Home, PageUp, F5, with Ctrl-, Alt- or Shift- before
    them. SESSION is `.` for the session this runs in, or the only one.
    """
    reply = door.ask(lambda api: api.say("/api/v1/input/keys", KeysRequest(keys)))
    if as_json:
        echo_json(reply)
