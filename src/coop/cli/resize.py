"""`coop resize`: gives the terminal another size."""

import math
import re

import click

from coop.cli.reaching import Asking, Door, echo_json, named_session
from coop.errors import BadRequest
from coop.wire.http import MAX_CELLS, MAX_SIDE, ResizeRequest


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
    """Raises `BadRequest`."""
    found = re.fullmatch(r"([0-9]{1,9})[xX×]([0-9]{1,9})", text)
    sides = [int(side) for side in found.groups()] if found is not None else []
    if not sides or not all(1 <= side <= MAX_SIDE for side in sides):
        raise BadRequest(f"expected a width and a height of 1 to {MAX_SIDE} each, like 200x50, got {text!r}")
    if (cells := math.prod(sides)) > MAX_CELLS:
        raise BadRequest(
            f"{text} is {cells:,} cells, and a terminal has {MAX_CELLS:,} at most; choose a smaller width or height"
        )
    return ResizeRequest(*sides)
