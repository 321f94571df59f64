"""`coop resize`: gives the terminal another size."""

import re

import click

from coop.cli.reaching import Asking, Door, echo_json, named_session
from coop.errors import BadRequest
from coop.wire.http import ResizeRequest


@click.command(cls=Asking)
@named_session
@click.argument("size", metavar="COLSxROWS")
def resize(door: Door, size: str, *, as_json: bool) -> None:
    """Give the terminal another size.

    COLSxROWS is a width and a height, 200x50 say; it stays when those who are attached have left. SESSION is `.` for the session
    this runs in, or the only one.
    """
    wanted = size_of(size)
    reply = door.ask(lambda api: api.say("/api/v1/resize", wanted))
    if as_json:
        echo_json(reply)


def size_of(text: str) -> ResizeRequest:
    """How large it may be, the session knows. Raises `BadRequest`."""
    if (found := re.fullmatch(r"([0-9]{1,9})[xX×]([0-9]{1,9})", text)) is None:
        raise BadRequest(f"expected a width and a height, like 200x50, got {text!r}")
    return ResizeRequest(int(found[1]), int(found[2]))
